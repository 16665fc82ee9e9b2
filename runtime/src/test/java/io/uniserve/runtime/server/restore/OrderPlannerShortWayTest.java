package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.wire.OrderedMessage.PlacedUpdates;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Updates 1 and 2, at 10 and 20 ms, are of both actors; 3 and 4, at 21 and 60 ms, of actor 1 alone.
 * Update 2 was late at actor 0: two updates had taken the short way there, at 25 and 50 ms.
 */
class OrderPlannerShortWayTest extends OrderStoreFixture {
  private static final Partitioner SHAPE = new Partitioner.Hash(2);

  private static LogEntry onTheShortWay(Position position, long millis) {
    return new LogEntry.Declined(
        position,
        millis,
        UpdateKey.of("short" + position.sequence()),
        new Refusal(ErrorCode.INVALID_ARGUMENT, "no"));
  }

  @BeforeEach
  void store() {
    log(0, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1));
    more(0, at(1, 1), onTheShortWay(at(1, 2), 25));
    more(0, at(1, 2), onTheShortWay(at(1, 3), 50));
    more(0, at(1, 3), entry(at(1, 4), 50, 2, 1, 0, 1));
    more(0, at(1, 4), onTheShortWay(at(1, 5), 70));
    log(
        1,
        Position.START,
        entry(at(1, 1), 10, 1, 0, 0, 1),
        entry(at(1, 2), 20, 2, 1, 0, 1),
        entry(at(1, 3), 21, 3, 2, 1),
        entry(at(1, 4), 60, 4, 3, 1));
  }

  private void assertRestored(long millis, Position first, Position second) {
    for (boolean storedFirst : new boolean[] {true, false}) {
      OrderPlanner.Planned planned = plan(SHAPE, millis, storedFirst);
      assertThat(planned.leftOut()).isEmpty();
      assertThat(ends(planned)).containsExactly(first, second);
    }
  }

  @Test
  void whatCameBehindALaterUpdateOfTheShortWayIsRestoredWithIt() {
    assertRestored(30, at(1, 4), at(1, 3));
  }

  @Test
  void whatTookTheShortWayAfterTheMomentIsLeftOutIfNothingOfTheOrderCameBehindIt() {
    assertRestored(15, at(1, 1), at(1, 1));
    assertRestored(65, at(1, 4), at(1, 4));
  }

  /** It had heard of update 2 by then, though that came to its own actor only at 50 ms. */
  @Test
  void whatTookTheShortWayBehindAnUpdateThatCameLaterIsRestoredWithThat() {
    log(2, Position.START, entry(at(1, 1), 10, 1, 0, 0));
    more(2, at(1, 1), onTheShortWay(at(1, 2), 50));
    more(2, at(1, 2), entry(at(1, 3), 50, 2, 1, 0));
    log(3, Position.START, new LogEntry.Marked(at(1, 1), 0, Mark.ofPlace(2), Optional.empty()));
    more(3, at(1, 1), onTheShortWay(at(1, 2), 30));
    for (boolean storedFirst : new boolean[] {true, false}) {
      OrderPlanner.Planned planned =
          OrderPlanner.plan(
              new Partitioner.Hash(2),
              40,
              new PlacedUpdates(2, List.of(2L, 0L)),
              actor -> past(2 + actor, 40, storedFirst));
      assertThat(planned.leftOut()).isEmpty();
      assertThat(ends(planned)).containsExactly(at(1, 3), at(1, 2));
    }
  }

  @Test
  void withoutAMomentAllIsRestored() {
    assertThat(ends(plan(SHAPE))).containsExactly(at(1, 5), at(1, 4));
  }
}
