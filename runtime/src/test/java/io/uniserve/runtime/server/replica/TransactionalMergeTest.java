package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.production.SystemClock;
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

/** The data of a copy that is merged from two actors of a table of transactions. */
class TransactionalMergeTest {
  /** Two actors: words before "m", and words from "m" on. */
  private static final Partitioner TWO = new Partitioner.Range(List.of(PartitionKey.of("m")));

  private static final Partitioner ONE = TWO.merge(0, 1, 1);
  private static final ActorId FIRST = new ActorId(1, 0);
  private static final ActorId SECOND = new ActorId(1, 1);
  private static final ActorId WHOLE = new ActorId(1, 2);

  /** The epoch in which the copy is made. */
  private static final long BIRTH = 5;

  @TempDir private Path directory;
  private ReplicaFixture fixture;
  private Replica first;
  private Replica second;

  @BeforeEach
  void open() throws IOException {
    fixture = new ReplicaFixture(directory, new SystemClock(), new WordsEngine());
    first = led(FIRST);
    second = led(SECOND);
    commit(first, 1, "of both", "a");
    commit(second, 1, "of both", "z");
    commit(first, 2, "of the first", "b");
    commit(second, 3, "of the second", "y");
  }

  private Replica led(ActorId id) throws IOException {
    Replica replica = fixture.copy(id, WordsEngine.table(TWO, Consistency.SNAPSHOT));
    replica.create(0);
    replica.lead(1, () -> true);
    return replica;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Replica merged() throws IOException {
    return fixture.merged(WHOLE, first, second, BIRTH);
  }

  @Test
  void itsVersionsBeginWithTheLastOfBoth() throws IOException {
    Replica whole = merged();
    assertThat(read(whole, 3)).contains(List.of("a", "b", "y", "z"));
    assertThat(read(whole, 4)).contains(List.of("a", "b", "y", "z"));
    assertThat(read(whole, 2)).isEmpty();
    assertThat(whole.reads().isRead(1)).as("that version is gone, the actor is not").isTrue();
    commit(whole, 5, "next", "c", "x");
    assertThat(read(whole, 4)).contains(List.of("a", "b", "y", "z"));
    assertThat(read(whole, 5)).contains(List.of("a", "b", "c", "x", "y", "z"));
  }

  @Test
  void itIsNoMatterWhichHadTheLast() throws IOException {
    commit(first, 7, "later", "c");
    assertThat(read(merged(), 7)).contains(List.of("a", "b", "c", "y", "z"));
    assertThat(read(merged(), 6)).isEmpty();
  }

  @Test
  void whatEitherHadCommittedIsKnown() throws IOException {
    Replica whole = merged();
    assertThat(known(prepare(whole, "again 1", "of both", "a", "z")))
        .as("the version that whoever asks has seen is not older")
        .isEqualTo(3);
    assertThat(known(prepare(whole, "again 2", "of the first", "b"))).isEqualTo(3);
    assertThat(known(prepare(whole, "again 3", "of the second", "y"))).isEqualTo(3);
    assertThat(whole.undecided()).isEmpty();
  }

  private static long known(Preparation preparation) {
    return ((Preparation.Known) preparation).known().get(0).version();
  }

  /** All copies of the second are lost, except an old one. */
  @Test
  void whatOneHasLostIsPreparedAlone() throws IOException {
    commit(first, 4, "half", "c");
    Replica whole = merged();
    commit(whole, 5, "half", "c", "x");
    assertThat(read(whole, 5)).contains(List.of("a", "b", "c", "x", "y", "z"));
    assertThat(prepare(whole, "again", "half", "c", "x")).isInstanceOf(Preparation.Known.class);
  }

  @Test
  void whatWasLostAndHasNoRecordsIsRefused() throws IOException {
    commit(first, 4, "half");
    Replica whole = merged();
    assertThatThrownBy(() -> prepare(whole, "again", "half"))
        .hasMessageContaining("submit an update for the whole with another key");
    assertThat(whole.undecided()).isEmpty();
  }

  @Test
  void nothingIsPreparedThatWasPlannedWithoutIt() throws IOException {
    Replica whole = merged();
    assertThatThrownBy(() -> whole.prepare(WordsEngine.add(WHOLE, 0, "late", "late", "c"), ONE))
        .hasMessageContaining("was split or merged");
  }

  private static void commit(Replica replica, long version, String key, String... words) {
    String transaction = "transaction-" + version;
    prepare(replica, transaction, key, words);
    replica.commit(List.of(UpdateKey.of(key)), new Commitment(transaction, version, version));
  }

  private static Preparation prepare(
      Replica replica, String transaction, String key, String... words) {
    return replica.prepare(
        WordsEngine.add(replica.target().id(), replica.generation(), transaction, key, words), ONE);
  }

  private static Optional<List<String>> read(Replica replica, long version) {
    return WordsEngine.read(replica, 1, version);
  }
}
