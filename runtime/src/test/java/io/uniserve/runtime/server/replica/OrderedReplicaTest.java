package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

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
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.OrderedMessage.Result;
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

  private Received receive(int generation, long number, String... words) {
    OrderPlace place = new OrderPlace(number, number - 1, List.of(0));
    return replica.receive(
        generation, CUT, List.of(WordsEngine.add(place, "update-" + number, words)), List.of());
  }

  private static Delivery delivery(long number, String key, String... words) {
    return WordsEngine.add(new OrderPlace(number, number - 1, List.of(0)), key, words);
  }

  @Test
  void updatesOfOneMessageAreTakenTogetherAndEachHasItsOwnEntry() {
    long before = replica.position().sequence();
    Received received =
        replica.receive(
            0,
            CUT,
            List.of(
                delivery(2, "update-2", WordsEngine.REFUSED),
                delivery(3, "three", "c"),
                delivery(4, "four", WordsEngine.REFUSED),
                delivery(5, "five", "e"),
                delivery(6, "three", "c"),
                delivery(7, "seven", "g")),
            List.of());
    assertThat(received.failure()).isEmpty();
    assertThat(received.behind()).isEmpty();
    assertThat(received.results())
        .extracting(Result::number, result -> result.refusal().isPresent())
        .containsExactly(
            tuple(2L, true),
            tuple(3L, false),
            tuple(4L, true),
            tuple(5L, false),
            tuple(6L, false),
            tuple(7L, false));
    assertThat(received.results().get(1).position().sequence()).isEqualTo(before + 1);
    assertThat(received.results().get(3).position().sequence()).isEqualTo(before + 3);
    assertThat(received.results().get(4).position())
        .as("the place of the first")
        .isEqualTo(received.results().get(1).position());
    assertThat(received.results().get(5).position().sequence()).isEqualTo(before + 5);
    assertThat(replica.position().sequence()).isEqualTo(before + 5);
    assertThat(WordsEngine.read(replica, 0)).contains(List.of("a", "c", "e", "g", "z"));
  }

  @Test
  void nothingComesAfterAnUpdateThatTheEngineMayApplyLater() {
    List<Delivery> deliveries =
        List.of(
            delivery(3, "three", "b"),
            delivery(4, "four", WordsEngine.LATER),
            delivery(5, "five", WordsEngine.REFUSED),
            delivery(6, "six", "e"));
    long before = replica.position().sequence();
    Received first = replica.receive(0, CUT, deliveries, List.of());
    assertThat(first.results()).extracting(Result::number).containsExactly(3L);
    assertThat(first.failure())
        .hasValueSatisfying(failure -> assertThat(failure.code()).isEqualTo(ErrorCode.EXHAUSTED));
    Received second = replica.receive(0, CUT, deliveries, List.of());
    assertThat(second.results()).as("known").extracting(Result::number).containsExactly(3L);
    assertThat(second.failure()).isPresent();
    assertThat(replica.position().sequence()).isEqualTo(before + 1);
    assertThat(WordsEngine.read(replica, 0)).contains(List.of("a", "b", "z"));
  }

  @Test
  void updatesBeforeAGapAreTaken() {
    Delivery five = delivery(5, "five", "e");
    Delivery afterFour =
        new Delivery(
            five.place(), 4, five.timeMillis(), five.key(), five.function(), five.records());
    Received received =
        replica.receive(0, CUT, List.of(delivery(3, "three", "c"), afterFour), List.of());
    assertThat(received.results()).extracting(Result::number).containsExactly(3L);
    assertThat(received.behind()).contains(3L);
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
