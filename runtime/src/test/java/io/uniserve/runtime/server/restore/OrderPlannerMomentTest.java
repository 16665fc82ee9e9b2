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
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Updates 1 and 2, at 10 and 20 ms, are of both actors. The store lacks update 2 of actor 1. */
class OrderPlannerMomentTest extends OrderStoreFixture {
  private static final Partitioner SHAPE = new Partitioner.Hash(2);
  private static final boolean STORED_FIRST = true;

  @BeforeEach
  void store() {
    log(0, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1), entry(at(1, 2), 20, 2, 1, 0, 1));
    log(1, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1));
  }

  private void assertRefused(Partitioner shape, long millis, boolean storedFirst) {
    assertThatThrownBy(() -> plan(shape, millis, storedFirst))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .hasMessageContaining("lacks update 2 of 1970-01-01T00:00:00.020Z of actor 1,")
        .hasMessageContaining("restore as of 1970-01-01T00:00:00.019Z, or without a moment");
  }

  @Test
  void aMomentIsRefusedIfSomethingWholeWouldBeLeftOut() {
    more(0, at(1, 2), entry(at(1, 3), 30, 3, 2, 0));
    assertRefused(SHAPE, 30, STORED_FIRST);
    assertThat(ends(plan(SHAPE, 29, STORED_FIRST)))
        .as("update 3 came later, and update 2 was not acknowledged")
        .containsExactly(at(1, 1), at(1, 1));
    assertThat(plan(SHAPE, 19, STORED_FIRST).leftOut()).as("as the message says").isEmpty();
  }

  @Test
  void aMomentIsRefusedIfTheStoreMayLackWhatWasAcknowledged() {
    assertRefused(SHAPE, 20, !STORED_FIRST);
    assertThat(ends(plan(SHAPE, 19, !STORED_FIRST))).containsExactly(at(1, 1), at(1, 1));
  }

  @Test
  void tryingAgainIsNotAdvisedIfTheStoreHasItOnlyInALaterCheckpoint() throws IOException {
    more(0, at(1, 2), entry(at(1, 3), 30, 3, 2, 0));
    gap(1, at(1, 1), at(1, 2), 40, 2);
    assertThatThrownBy(() -> plan(SHAPE, 30, STORED_FIRST))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
        .hasMessageContaining("update 2 of 1970-01-01T00:00:00.020Z of actor 1 only in a later")
        .hasMessageContaining("Restore as of 1970-01-01T00:00:00.019Z, or without a moment");
  }

  @Test
  void withoutAMomentItIsSaidWhatIsLeftOut() {
    more(0, at(1, 2), entry(at(1, 3), 30, 3, 2, 0));
    OrderPlanner.Planned planned = plan(SHAPE);
    assertThat(ends(planned)).containsExactly(at(1, 1), at(1, 1));
    assertThat(planned.leftOut()).contains(new LeftOut(2, Optional.of(20L), 1));
  }

  @Test
  void onceTheStoreHasItNothingIsLeftOut() {
    more(1, at(1, 1), entry(at(1, 2), 20, 2, 1, 0, 1));
    OrderPlanner.Planned planned = plan(SHAPE, 20, STORED_FIRST);
    assertThat(ends(planned)).containsExactly(at(1, 2), at(1, 2));
    assertThat(planned.leftOut()).isEmpty();
  }

  @Test
  void aMomentIsRefusedIfASplitWouldBeLeftOut() throws IOException {
    Partitioner split = SHAPE.cut(0, new PartitionChange.Where.Bit(0), 25);
    made(2, at(9, 2), 25, new ReceivedOrder.Stored(2, Map.of(0, 2L, 1, 2L), Map.of()));
    log(2, at(9, 2), entry(at(10, 3), 30, 3, 2, 2));
    assertRefused(split, 30, STORED_FIRST);
    assertThat(plan(split).shape()).isEqualTo(SHAPE);
  }
}
