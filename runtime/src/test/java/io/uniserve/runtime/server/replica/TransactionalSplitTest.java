package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The effect of a split on a copy that has prepared a transaction, and on its versions. */
class TransactionalSplitTest {
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
    replica = fixture.copy(ID, WordsEngine.table(WHOLE, Consistency.SNAPSHOT));
    replica.create(0);
    replica.lead(1, () -> true);
    commit(1, "a", "z");
    commit(2, "b");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void whatIsPreparedKeepsAPrimaryFromStandingStill() {
    prepare(0, "open", "c");
    assertThat(replica.split().stop(1)).isEmpty();
    assertThat(replica.role()).isEqualTo(new Role.Leading(1));
    replica.abort("open");
    assertThat(replica.split().stop(1)).contains(replica.position());
    assertThat(replica.role()).isEqualTo(new Role.HandingOver(1));
  }

  @Test
  void whatIsPreparedIsDecidedBeforeTheActorRetains() {
    prepare(0, "open", "c", "y");
    replica.reads().due(1);
    replica.lead(2, () -> true);
    assertThat(replica.retain(CUT)).isFalse();
    assertThat(replica.generation()).isZero();
    assertThatThrownBy(() -> prepare(1, "next", "d")).hasMessageContaining("was split");

    replica.commit(List.of(UpdateKey.of("open")), new Commitment("open", 3, 3));
    assertThat(replica.retain(CUT)).isTrue();
    assertThat(read(1, 3)).contains(List.of("a", "b", "c"));
  }

  @Test
  void aPrimaryStandsStillOnceItHasTheKeysOfItsEpoch() {
    replica.reads().due(1);
    replica.lead(2, () -> true);
    assertThat(replica.split().stop(2)).isEmpty();
    assertThat(replica.retain(CUT)).isTrue();
    assertThat(replica.split().stop(2)).contains(replica.position());
  }

  @Test
  void nothingIsPreparedOfTheWholeInTheNextEpoch() {
    replica.reads().due(1);
    replica.lead(2, () -> true);
    assertThatThrownBy(() -> prepare(0, "late", "y")).hasMessageContaining("was split");
    replica.retain(CUT);
    assertThatThrownBy(() -> prepare(0, "late", "y")).hasMessageContaining("was split");
    assertThat(prepare(1, "next", "d")).isInstanceOf(Preparation.Ready.class);
  }

  @Test
  void aPartHasTheNewestVersionOfTheWholeAndNoneBefore() {
    assertThat(read(0, 1)).contains(List.of("a", "z"));
    replica.reads().due(1);
    assertThat(read(0, 2)).as("the whole, once it is known to be split").isEmpty();
    replica.lead(2, () -> true);
    replica.retain(CUT);
    assertThat(read(1, 2)).contains(List.of("a", "b"));
    assertThat(read(1, 1)).isEmpty();
    assertThat(replica.reads().isRead(1)).as("that version is gone, the actor is not").isTrue();
    commit(3, 1, "c");
    assertThat(read(1, 2)).contains(List.of("a", "b"));
    assertThat(read(1, 3)).contains(List.of("a", "b", "c"));
  }

  @Test
  void theVersionOfAPartIsReadBeforeItsPrimarySaysThatItRetains() throws IOException {
    makeReady();
    assertThat(read(1, 2)).contains(List.of("a", "b"));
    assertThat(read(1, 1)).isEmpty();
    replica.reads().due(1);
    assertThat(read(1, 2)).contains(List.of("a", "b"));
    replica.lead(2, () -> true);
    replica.retain(CUT);
    assertThat(read(1, 2)).contains(List.of("a", "b"));
    assertThat(read(1, 1)).isEmpty();
  }

  @Test
  void whatWasMadeReadyIsOfNoVersionAfterIt() throws IOException {
    makeReady();
    commit(3, "c");
    assertThat(read(1, 3)).isEmpty();
    assertThat(read(0, 3)).contains(List.of("a", "b", "c", "z"));
  }

  private void makeReady() throws IOException {
    Checkpoint whole = replica.checkpoints().pinned();
    replica.split().makeReady(whole, CUT, 1);
    replica.files().unpin(whole);
  }

  private void commit(long version, String... words) {
    commit(version, 0, words);
  }

  private void commit(long version, int generation, String... words) {
    String transaction = "transaction-" + version;
    prepare(generation, transaction, words);
    replica.commit(
        List.of(UpdateKey.of(transaction)), new Commitment(transaction, version, version));
  }

  private Preparation prepare(int generation, String transaction, String... words) {
    return replica.prepare(WordsEngine.add(ID, generation, transaction, transaction, words), WHOLE);
  }

  private Optional<List<String>> read(int generation, long version) {
    return WordsEngine.read(replica, generation, version);
  }
}
