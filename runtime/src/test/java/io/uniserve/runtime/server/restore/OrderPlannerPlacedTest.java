package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.wire.BackupMessage.LeftOut;
import io.uniserve.runtime.wire.OrderedMessage.PlacedUpdates;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Updates 1 to 4, at 10 to 40 ms, are each of one actor: 1 and 2 of actor 1, and the others of
 * actor 0. The store does not have 2 yet, and no update that it has tells of it.
 */
class OrderPlannerPlacedTest extends OrderStoreFixture {
  private static final Partitioner SHAPE = new Partitioner.Hash(2);

  @BeforeEach
  void store() {
    log(0, at(0, 0), entry(at(1, 1), 30, 3, 0, 0), entry(at(1, 2), 40, 4, 3, 0));
    log(1, at(0, 0), entry(at(1, 1), 10, 1, 0, 1));
  }

  private static PlacedUpdates placed(long newest, long ofActor0, long ofActor1) {
    return new PlacedUpdates(newest, List.of(ofActor0, ofActor1));
  }

  @Test
  void nothingIsRestoredBehindAnUpdateThatTheStoreLacks() {
    OrderPlanner.Planned planned = plan(SHAPE, placed(4, 4, 2));
    assertThat(ends(planned)).containsExactly(at(0, 0), at(1, 1));
    assertThat(planned.leftOut().orElseThrow().number()).isEqualTo(2);
    assertThat(planned.leftOut().orElseThrow().actor()).isEqualTo(1);
  }

  @Test
  void noMomentLeavesOutWhatMayHaveBeenAcknowledgedByThen() {
    for (boolean storedFirst : List.of(true, false)) {
      assertThatThrownBy(() -> plan(SHAPE, 35, storedFirst, placed(4, 4, 2)))
          .isInstanceOfSatisfying(
              UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
          .hasMessageContaining("lacks update 2 of actor 1");
    }
  }

  @Test
  void aMomentBeforeTheUpdateIsRestored() {
    OrderPlanner.Planned planned = plan(SHAPE, 15, false, placed(4, 4, 2));
    assertThat(ends(planned)).containsExactly(at(0, 0), at(1, 1));
    assertThat(planned.leftOut()).isEmpty();
  }

  @Test
  void nothingIsRestoredThatWasPlacedAfterTheQuestion() {
    OrderPlanner.Planned planned = plan(SHAPE, placed(1, 0, 1));
    assertThat(ends(planned)).containsExactly(at(0, 0), at(1, 1));
    assertThat(planned.leftOut()).as("nothing of that time is missing").isEmpty();
  }

  /**
   * Actor 2 is read up to a mark after the moment. It tells that the actor lacks nothing so far.
   */
  @Test
  void whatCameAfterTheMomentIsNotLacking() {
    Mark behind4 = Mark.ofPlace(4);
    log(
        2,
        at(0, 0),
        entry(at(1, 1), 5, 1, 0, 1, 2),
        new LogEntry.Marked(at(1, 2), 45, behind4, Optional.empty()),
        entry(at(1, 3), 60, 6, 1, 2),
        entry(at(1, 4), 70, 7, 6, 2));
    OrderPlanner.Planned planned =
        plan(new Partitioner.Hash(3), 42, false, new PlacedUpdates(7, List.of(4L, 1L, 7L)));
    assertThat(ends(planned)).containsExactly(at(1, 2), at(1, 1), at(1, 2));
    assertThat(planned.leftOut()).isEmpty();
  }

  /** Actor 2 has read on behind an update on the short way, which came after the moment. */
  @Test
  void aMarkThatFollowsTheMomentTellsThatNothingIsLacking() {
    Refusal refusal = new Refusal(ErrorCode.INVALID_ARGUMENT, "no");
    log(2, at(0, 0), entry(at(1, 1), 5, 1, 0, 1, 2));
    more(2, at(1, 1), new LogEntry.Declined(at(1, 2), 50, UpdateKey.of("short"), refusal));
    more(2, at(1, 2), new LogEntry.Marked(at(1, 3), 55, Mark.ofPlace(4), Optional.empty()));
    more(2, at(1, 3), entry(at(1, 4), 60, 6, 1, 2));
    for (boolean storedFirst : List.of(true, false)) {
      OrderPlanner.Planned planned =
          plan(new Partitioner.Hash(3), 42, storedFirst, new PlacedUpdates(6, List.of(4L, 1L, 6L)));
      assertThat(ends(planned)).containsExactly(at(1, 2), at(1, 1), at(1, 1));
      assertThat(planned.leftOut()).isEmpty();
    }
  }

  @Test
  void allIsRestoredThatTheStoreHasOfEachActor() {
    OrderPlanner.Planned planned = plan(SHAPE, placed(4, 4, 1));
    assertThat(ends(planned)).containsExactly(at(1, 2), at(1, 1));
    assertThat(planned.leftOut()).isEmpty();
  }

  /**
   * Actor 0 was split behind a checkpoint. Update 5 of actor 1 is the first that the store lacks.
   */
  @Test
  void noSplitIsLeftOutForUpdatesThatWentElsewhereBeforeACheckpoint() throws IOException {
    ReceivedOrder.Stored order = new ReceivedOrder.Stored(4, Map.of(0, 4L), Map.of());
    more(1, at(1, 1), entry(at(1, 2), 20, 2, 1, 1));
    checkpoint(0, at(1, 2), 40, 0, order);
    Partitioner split = SHAPE.cut(0, new PartitionChange.Where.Bit(0), 50);
    log(0, at(1, 2), new LogEntry.Retain(at(2, 3), 50, split, 1));
    made(2, at(9, 2), 50, order);
    OrderPlanner.Planned planned = plan(split, new PlacedUpdates(5, List.of(4L, 5L, 0L)));
    assertThat(planned.shape()).isEqualTo(split);
    assertThat(ends(planned)).containsExactly(at(2, 3), at(1, 2), at(9, 2));
    assertThat(planned.leftOut()).contains(new LeftOut(5, Optional.empty(), 1));
  }
}
