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
import org.junit.jupiter.api.Test;

/** A log that tells of update 2 of the order before it has an update of the order itself. */
class OrderPlannerMarkTest extends OrderStoreFixture {
  private static final long MOMENT = 5;

  /** Only update 3, behind the mark, shows that all of it is later than the moment. */
  @Test
  void aMarkIsNoReasonToRefuseAMomentBeforeIt() {
    Refusal no = new Refusal(ErrorCode.INVALID_ARGUMENT, "no");
    log(0, Position.START, new LogEntry.Declined(at(1, 1), 25, UpdateKey.of("short"), no));
    more(0, at(1, 1), new LogEntry.Marked(at(1, 2), 25, new Mark(2, 1, 1), Optional.empty()));
    more(0, at(1, 2), entry(at(1, 3), 30, 3, 0, 0));
    more(0, at(1, 3), entry(at(1, 4), 40, 4, 3, 0));
    PlacedUpdates placed = new PlacedUpdates(4, List.of(4L));
    OrderPlanner.Planned planned = plan(new Partitioner.Hash(1), MOMENT, false, placed);
    assertThat(planned.leftOut()).isEmpty();
    assertThat(ends(planned)).containsExactly(Position.START);
  }
}
