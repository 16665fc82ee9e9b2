package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.server.restore.TransactionPlanner.Planned;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Actor 0 of two was split when both had committed two transactions, each of which was of both.
 * Transaction n has version n, and was decided at 10 n.
 */
class TransactionPlannerTest extends OrderStoreFixture {
  private static final long SPLIT_MILLIS = 50;
  private static final Partitioner WHOLE = new Partitioner.Hash(2);
  private static final Partitioner SPLIT =
      WHOLE.cut(0, new PartitionChange.Where.Bit(0), SPLIT_MILLIS);
  private static final Position BIRTH = at(9, 4);

  @BeforeEach
  void store() throws IOException {
    log(0, Position.START, committed(2));
    log(0, at(1, 4), new LogEntry.Retain(at(2, 5), SPLIT_MILLIS, SPLIT, 1));
    List<UpdateKey> applied = List.of(UpdateKey.of("1"), UpdateKey.of("2"));
    made(
        2,
        new CheckpointMeta(BIRTH, SPLIT_MILLIS, 2, 1, ReceivedOrder.Stored.NONE, List.of()),
        applied);
  }

  /** Returns the log of the first transactions. */
  private static LogEntry[] committed(int count) {
    List<LogEntry> log = new ArrayList<>();
    for (int n = 1; n <= count; n++) {
      String name = String.valueOf(n);
      LogEntry.Member member =
          new LogEntry.Member(
              UpdateKey.of(name),
              RandomTableFixture.NOTHING,
              RandomTableFixture.NOTHING,
              Optional.empty());
      log.add(LogEntry.Prepare.of(at(1, 2 * n - 1), 10 * n - 10, name, List.of(member)));
      log.add(new LogEntry.Commit(at(1, 2 * n), 10L * n, name, n));
    }
    return log.toArray(LogEntry[]::new);
  }

  private static List<Commitment> decided() {
    Commitment last = new Commitment("2", 2, 20);
    return List.of(last, last, last);
  }

  private Planned recovered() {
    return TransactionPlanner.recover("t", SPLIT, TransactionPlannerTest::decided, this::past);
  }

  private Planned asOf(long millis) {
    return TransactionPlanner.plan(
        "t", SPLIT, millis, TransactionPlannerTest::decided, actor -> past(actor, millis, false));
  }

  private static Cut end(Position last) {
    return new Cut(last, false);
  }

  @Test
  void whatAllHaveIsRestoredWithTheSplit() {
    log(1, Position.START, committed(2));
    Planned planned = recovered();
    assertThat(planned.shape()).isEqualTo(SPLIT);
    assertThat(planned.cuts()).containsExactly(end(at(2, 5)), end(at(1, 4)), end(BIRTH));
    assertThat(asOf(SPLIT_MILLIS)).isEqualTo(planned);
  }

  /** The part has the second transaction from its beginning, and so cannot do without. */
  @Test
  void withoutATransactionThatWasBeforeTheSplitTheTableGoesOnWhole() {
    log(1, Position.START, committed(1));
    Planned planned = recovered();
    assertThat(planned.shape()).isEqualTo(WHOLE);
    assertThat(planned.cuts()).containsExactly(end(at(1, 2)), end(at(1, 2)));
  }

  @Test
  void asOfAMomentAfterTheSplitThatIsRefused() {
    log(1, Position.START, committed(1));
    assertThatThrownBy(() -> asOf(SPLIT_MILLIS))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
  }

  /** Later, actor 0 has a checkpoint without the keys of the part. */
  @Test
  void theWholeGoesOnFromWhereItHadAllKeys() throws IOException {
    checkpoint(
        0,
        new CheckpointMeta(at(2, 5), 60, 2, 1, ReceivedOrder.Stored.NONE, List.of()),
        List.of(UpdateKey.of("1"), UpdateKey.of("2")));
    log(1, Position.START, committed(1));
    assertThat(recovered().cuts()).containsExactly(end(at(1, 2)), end(at(1, 2)));
  }

  /** The store did not answer for a while, and a primary of the part began its history anew. */
  @Test
  void theSplitIsLeftOutAlsoIfThePartBeganAnew() throws IOException {
    made(
        2,
        new CheckpointMeta(at(12, 9), 90, 5, 1, ReceivedOrder.Stored.NONE, List.of()),
        List.of());
    log(1, Position.START, committed(1));
    Planned planned = recovered();
    assertThat(planned.shape()).isEqualTo(WHOLE);
    assertThat(planned.cuts()).containsExactly(end(at(1, 2)), end(at(1, 2)));
  }
}
