package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.replica.ShortBatch.Taken;
import io.uniserve.runtime.wire.OrderedMessage.MarkDelivery;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.OrderedMessage.ShortUpdate;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A primary that takes updates past the order of their table. */
class ShortWayReplicaTest {
  private static final Partitioner WHOLE = new Partitioner.Range(List.of());
  private static final Mark FIRST = new Mark(2, 1, 1);

  @TempDir private Path directory;
  private ReplicaFixture fixture;
  private Replica replica;

  @BeforeEach
  void open() throws IOException {
    fixture = new ReplicaFixture(directory, new SystemClock(), new WordsEngine());
    replica = fixture.copy(new ActorId(1, 0), WordsEngine.table(WHOLE, Consistency.ORDERED));
    replica.create(0);
    replica.lead(1, () -> true);
    receive(1, "a");
    receive(2, "b");
    mark(FIRST);
    replica.markedIn(1, FIRST);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void receive(long number, String... words) {
    OrderPlace place = new OrderPlace(number, number - 1, List.of(0));
    replica.receive(
        0, WHOLE, List.of(WordsEngine.add(place, "update-" + number, words)), List.of());
  }

  private void mark(Mark mark) {
    replica.receive(0, WHOLE, List.of(), List.of(new MarkDelivery(mark, 0)));
  }

  private Taken take(long epoch, Mark sight, ShortUpdate... updates) {
    return replica.take(new ShortBatch(epoch, 0, WHOLE, sight, List.of(updates)));
  }

  private void assertNotTaken(ErrorCode code, long epoch, int generation, Mark sight) {
    var before = replica.position();
    ShortBatch batch =
        new ShortBatch(epoch, generation, WHOLE, sight, List.of(WordsEngine.add("late", "late")));
    assertThatThrownBy(() -> replica.take(batch))
        .isInstanceOfSatisfying(UniserveException.class, e -> assertThat(e.code()).isEqualTo(code));
    assertThat(replica.position()).isEqualTo(before);
  }

  @Test
  void updatesAreTakenAfterWhatIsThereEachOnceAndARefusedOneStaysRefused() {
    ShortUpdate refused = WordsEngine.add("two", WordsEngine.REFUSED);
    Taken taken = take(1, FIRST, WordsEngine.add("one", "c"), refused, WordsEngine.add("six", "d"));
    assertThat(taken.results())
        .extracting(result -> result.refusal().isPresent())
        .containsExactly(false, true, false);
    assertThat(taken.results()).extracting(Result::number).containsOnly(2L);
    assertThat(taken.reach()).isEqualTo(FIRST);
    assertThat(taken.failure()).isEmpty();
    assertThat(taken.position()).isEqualTo(replica.position());
    Taken again = take(1, FIRST, WordsEngine.add("one", "c"), refused, WordsEngine.add("six", "d"));
    assertThat(again.results()).isEqualTo(taken.results());
    assertThat(again.position()).isEqualTo(taken.position());
    assertThat(WordsEngine.read(replica, 0)).contains(List.of("a", "b", "c", "d"));
  }

  @Test
  void nothingOfASessionComesAfterAnUpdateThatMayBeAppliedLater() {
    Taken taken =
        take(
            1,
            FIRST,
            WordsEngine.add("one", "c"),
            WordsEngine.add("two", WordsEngine.LATER),
            WordsEngine.add("six", "d"));
    assertThat(taken.results()).hasSize(1);
    assertThat(taken.failure())
        .hasValueSatisfying(why -> assertThat(why.code()).isEqualTo(ErrorCode.EXHAUSTED));
    assertThat(WordsEngine.read(replica, 0)).contains(List.of("a", "b", "c"));
  }

  @Test
  void anActorThatLacksWhatComesBeforeTakesNothing() {
    Mark later = new Mark(2, 1, 2);
    assertNotTaken(ErrorCode.UNAVAILABLE, 1, 0, later);
    assertNotTaken(ErrorCode.STALE_ROUTING, 1, 1, FIRST);
    mark(later);
    assertThat(take(1, later, WordsEngine.add("one", "c")).reach()).isEqualTo(later);
  }

  @Test
  void aPrimaryTakesNothingBeforeAMarkOfItsOwnEpoch() {
    replica.lead(2, () -> true);
    assertNotTaken(ErrorCode.STALE_ROUTING, 1, 0, FIRST);
    assertNotTaken(ErrorCode.UNAVAILABLE, 2, 0, FIRST);
    Mark own = new Mark(2, 1, 2);
    replica.markedIn(2, own);
    assertThat(replica.isMarkedIn(2)).as("a mark that the log lacks").isFalse();
    mark(own);
    replica.markedIn(2, own);
    assertThat(take(2, FIRST, WordsEngine.add("one", "c")).reach()).isEqualTo(own);
  }

  @Test
  void aMarkThatIsNotAfterWhatTheLogHasIsPassedOver() {
    Mark later = new Mark(2, 3, 1);
    mark(later);
    var before = replica.position();
    mark(new Mark(2, 2, 9));
    mark(later);
    assertThat(replica.position()).isEqualTo(before);
    assertThat(replica.reach()).contains(later);
  }

  @Test
  void theReachIsInCheckpointsAndThatOfAMergedActorIsTheLaterOne() throws IOException {
    take(1, FIRST, WordsEngine.add("one", "c"));
    Checkpoint checkpoint = replica.checkpoints().pinned();
    ReceivedOrder.Stored order = CheckpointMeta.read(checkpoint.directory()).order();
    replica.files().unpin(checkpoint);
    assertThat(new ReceivedOrder(order).reach()).isEqualTo(FIRST);

    Replica other = fixture.copy(new ActorId(1, 1), replica.target().definition());
    other.create(0);
    other.lead(1, () -> true);
    Mark later = new Mark(9, 1, 1);
    other.receive(0, WHOLE, List.of(), List.of(new MarkDelivery(later, 0)));
    assertThat(fixture.merged(new ActorId(1, 2), replica, other, 1).reach()).contains(later);
    assertThat(fixture.merged(new ActorId(1, 3), other, replica, 1).reach()).contains(later);
  }
}
