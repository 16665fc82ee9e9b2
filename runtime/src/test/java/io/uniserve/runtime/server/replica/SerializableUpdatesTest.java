package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Serializable updates of one actor, which its primary decides alone. */
class SerializableUpdatesTest {
  private static final ActorId ID = new ActorId(1, 0);
  private static final Partitioner WHOLE = new Partitioner.Range(List.of());

  @TempDir private Path directory;
  private ReplicaFixture fixture;
  private Replica replica;

  @BeforeEach
  void open() throws IOException {
    fixture = new ReplicaFixture(directory, new SystemClock(), new WordsEngine());
    replica = led();
  }

  private Replica led() throws IOException {
    Replica copy = fixture.copy(ID, WordsEngine.table(WHOLE, Consistency.SERIALIZABLE));
    copy.create(0);
    copy.lead(1, () -> true);
    return copy;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Position update(String key, String... words) {
    PrepareUpdate update = WordsEngine.add(ID, 0, "", key, words);
    return replica.update(0, WHOLE, update.key(), update.function(), update.records()).position();
  }

  private Optional<List<String>> read() {
    return WordsEngine.read(replica, 0);
  }

  private boolean firm() {
    return replica.reads().isFirm(0);
  }

  @Test
  void anUpdateIsShownAtOnceAndNotKnownToBeFirm() throws IOException {
    assertThat(firm()).isTrue();
    Position first = update("one", "a");
    assertThat(read()).contains(List.of("a"));
    assertThat(firm()).isFalse();
    Position second = update("two", "b");
    replica.firm(first);
    assertThat(firm()).isFalse();
    replica.firm(second);
    assertThat(firm()).isTrue();
  }

  @Test
  void whatAReadHasSeenIsWaitedForWhateverComesAfterwards() {
    update("one", "a");
    Shared<Actor> live = replica.reads().acquire(0).orElseThrow();
    Sight sight = replica.reads().sight(0, live).orElseThrow();
    assertThat(sight.isFirm()).isFalse();
    Position seen = sight.seen().orElseThrow();
    sight.firm(seen);
    assertThat(sight.isFirm()).isTrue();
    update("two", "b");
    assertThat(sight.isFirm()).isFalse();
    live.release();
  }

  @Test
  void whatWasSeenOfDataThatIsGoneIsNotKnown() throws IOException {
    update("one", "a");
    Shared<Actor> live = replica.reads().acquire(0).orElseThrow();
    Sight sight = replica.reads().sight(0, live).orElseThrow();
    replica.giveUp();
    assertThat(sight.seen()).isEmpty();
    live.release();
  }

  @Test
  void anUpdateWaitsForTheEndOfATransaction() {
    replica.prepare(WordsEngine.add(ID, 0, "open", "open", "b"), WHOLE);
    assertThatThrownBy(() -> update("one", "a")).isInstanceOf(OccupiedException.class);
    assertThat(firm()).as("what is prepared is not seen").isTrue();
    replica.commit(List.of(UpdateKey.of("open")), new Commitment("open", 1, 1));
    assertThat(firm()).as("what is decided is not lost").isTrue();
    update("one", "a");
    assertThat(read()).contains(List.of("a", "b"));
  }

  @Test
  void anUpdateOfATransactionsKeyIsNotAppliedAgain() {
    replica.prepare(WordsEngine.add(ID, 0, "open", "same", "a"), WHOLE);
    Position committed =
        replica
            .commit(List.of(UpdateKey.of("same")), new Commitment("open", 1, 1))
            .getFirst()
            .position();
    assertThat(update("same", "a")).isEqualTo(committed);
    Position alone = update("alone", "b");
    assertThat(replica.prepare(WordsEngine.add(ID, 0, "next", "alone", "b"), WHOLE))
        .isInstanceOfSatisfying(
            Preparation.Known.class,
            known -> assertThat(known.known().get(0).position()).isEqualTo(alone));
    assertThat(read()).contains(List.of("a", "b"));
  }

  @Test
  void whatIsRefusedIsNeitherShownNorWaitedFor() {
    Position before = update("one", "a");
    replica.firm(before);
    assertThatThrownBy(() -> update("two", "b", WordsEngine.REFUSED))
        .isInstanceOfSatisfying(
            UniserveException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.ABORTED));
    assertThat(read()).contains(List.of("a"));
    assertThat(firm()).isTrue();
    assertThat(replica.position()).isEqualTo(before);
  }

  @Test
  void nothingIsKnownOfACopyThatIsOpenedAgain() throws IOException {
    Position last = update("one", "a");
    replica.force(last);
    replica.firm(last);
    replica.giveUp();
    replica.reset();
    assertThat(replica.open()).isTrue();
    replica.lead(2, () -> true);
    assertThat(read()).contains(List.of("a"));
    assertThat(firm()).isFalse();
  }

  @Test
  void aSnapshotTableHasNoUpdatesWithoutADecision() throws IOException {
    Replica other = fixture.copy(ID, WordsEngine.table(WHOLE, Consistency.SNAPSHOT));
    other.create(0);
    other.lead(1, () -> true);
    PrepareUpdate update = WordsEngine.add(ID, 0, "", "key", "a");
    assertThatThrownBy(
            () -> other.update(0, WHOLE, update.key(), update.function(), update.records()))
        .hasMessageContaining("SNAPSHOT");
  }
}
