package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.keys.StoredKeys;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The effect of a split on a copy that receives ordered updates. */
class OrderedReplicaTest {
  private static final ActorId ID = new ActorId(1, 0);
  private static final Partitioner WHOLE = new Partitioner.Range(List.of());

  /** Words from "m" on are another actor's. */
  private static final Partitioner CUT =
      WHOLE.cut(0, new PartitionChange.Where.From(PartitionKey.of("m")), 1);

  @TempDir private Path directory;
  private ReplicaFixture fixture;
  private Replica replica;

  @BeforeEach
  void open() throws IOException {
    fixture = new ReplicaFixture(directory, new SystemClock(), new WordsEngine());
    replica = fixture.copy(ID, WordsEngine.table(WHOLE, Consistency.ORDERED));
    replica.create(0);
    replica.lead(1, () -> true);
    receive(0, 1, "a", "z");
    receive(0, 2, WordsEngine.REFUSED);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Received.Got receive(int generation, long number, String... words) {
    OrderPlace place = new OrderPlace(number, number - 1, List.of(0));
    return (Received.Got)
        replica.receive(generation, CUT, WordsEngine.add(place, "update-" + number, words));
  }

  private void assertNotTaken(int generation, long number, String... words) {
    Position before = replica.position();
    assertThatThrownBy(() -> receive(generation, number, words))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_ROUTING));
    assertThat(replica.position()).isEqualTo(before);
  }

  @Test
  void nothingIsTakenBetweenTheReignsAndThenWhatIsOfThePartAlone() {
    replica.reads().due(1);
    replica.lead(2, () -> true);
    assertNotTaken(0, 3, "y");
    assertNotTaken(1, 3, "b");
    replica.retain(CUT);
    assertNotTaken(0, 3, "y");
    receive(1, 3, "b");
    assertThat(WordsEngine.read(replica, 1)).contains(List.of("a", "b"));
  }

  @Test
  void anOldCopyOfTheWholeTakesNothingBeforeItRetains() {
    assertNotTaken(1, 3, "b");
    receive(0, 3, "c");
  }

  @Test
  void whatIsMadeOfItHasGotWhatItHadGot() throws IOException {
    Checkpoint whole = replica.checkpoints().pinned();
    CheckpointMeta meta = CheckpointMeta.read(whole.directory());
    CheckpointMeta part = meta.ofPart(new Position(7, 2), 1, 1);
    List<Hash> keys = new ArrayList<>();
    StoredKeys.of(whole.directory()).sorted().forEachRemaining(key -> keys.add(key.name()));
    replica.files().unpin(whole);
    assertThat(part.order().last()).isEqualTo(2);
    assertThat(part.order().refusals()).containsOnlyKeys(UpdateKey.of("update-2").identity());
    assertThat(keys).containsExactly(UpdateKey.of("update-1").name());
  }
}
