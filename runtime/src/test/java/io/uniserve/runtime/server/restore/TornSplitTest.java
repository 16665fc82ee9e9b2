package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.server.restore.TransactionPlanner.Planned;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The one actor of a table was split behind its second update, which no other actor had. The store
 * has that update in the part alone, and there only half of it.
 */
class TornSplitTest extends OrderStoreFixture {
  private static final long SPLIT_MILLIS = 50;
  private static final Partitioner WHOLE = new Partitioner.Hash(1);
  private static final Partitioner SPLIT =
      WHOLE.cut(0, new PartitionChange.Where.Bit(0), SPLIT_MILLIS);

  @BeforeEach
  void store() throws IOException {
    log(0, Position.START, update(at(1, 1), 10));
    made(1, at(9, 2), SPLIT_MILLIS, ReceivedOrder.Stored.NONE);
  }

  private static LogEntry update(Position position, long millis) {
    return new LogEntry.Update(
        position,
        millis,
        UpdateKey.of("update " + position.sequence()),
        RandomTableFixture.NOTHING,
        RandomTableFixture.NOTHING,
        Optional.empty());
  }

  private Planned transactions(long millis) {
    return TransactionPlanner.plan(
        "t", SPLIT, millis, List::of, actor -> past(actor, millis, false));
  }

  private static void assertRefused(ThrowingCallable restore) {
    assertThatThrownBy(restore)
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .hasMessageContaining("before it was split");
  }

  @Test
  void aTableOfTransactionsGoesOnWhole() {
    Planned planned = TransactionPlanner.recover("t", SPLIT, List::of, this::past);
    assertThat(planned).isEqualTo(new Planned(WHOLE, List.of(new Cut(at(1, 1), false))));
    assertRefused(() -> transactions(SPLIT_MILLIS));
  }

  @Test
  void anOrderedTableGoesOnWhole() {
    OrderPlanner.Planned planned = recover(SPLIT, List.of(0L, 0L));
    assertThat(planned.shape()).isEqualTo(WHOLE);
    assertThat(ends(planned)).containsExactly(at(1, 1));
    assertRefused(() -> plan(SPLIT, SPLIT_MILLIS, false));
  }

  @Test
  void onceTheStoreHasTheUpdateTheSplitIsRestored() {
    more(0, at(1, 1), update(at(1, 2), 20));
    assertThat(transactions(SPLIT_MILLIS).shape()).isEqualTo(SPLIT);
    assertThat(ends(plan(SPLIT, SPLIT_MILLIS, false))).containsExactly(at(1, 2), at(9, 2));
  }
}
