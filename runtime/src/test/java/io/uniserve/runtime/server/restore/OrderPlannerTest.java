package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actor 0 of two was split when both had got the first two updates, of which each went to both. */
class OrderPlannerTest extends OrderStoreFixture {
  private static final long SPLIT_MILLIS = 50;
  private static final long BIRTH = 9;
  private static final Partitioner WHOLE = new Partitioner.Hash(2);
  private static final Partitioner SPLIT =
      WHOLE.cut(0, new PartitionChange.Where.Bit(0), SPLIT_MILLIS);

  @BeforeEach
  void store() {
    LogEntry retain = new LogEntry.Retain(at(2, 3), SPLIT_MILLIS, SPLIT, 1);
    log(0, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1), entry(at(1, 2), 20, 2, 1, 0, 1));
    log(0, at(1, 2), retain, entry(at(2, 4), 60, 3, 2, 0, 2));
  }

  private void part(Position position, long millis, long last) throws IOException {
    made(2, position, millis, new ReceivedOrder.Stored(last, Map.of(0, last, 1, 2L), Map.of()));
  }

  @Test
  void whatAllHaveIsRestoredWithTheSplit() throws IOException {
    log(1, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1), entry(at(1, 2), 20, 2, 1, 0, 1));
    part(at(BIRTH, 2), SPLIT_MILLIS, 2);
    log(2, at(BIRTH, 2), entry(at(BIRTH + 1, 3), 60, 3, 2, 0, 2));
    OrderPlanner.Planned planned = plan(SPLIT);
    assertThat(planned.shape()).isEqualTo(SPLIT);
    assertThat(ends(planned)).containsExactly(at(2, 4), at(1, 2), at(BIRTH + 1, 3));
  }

  @Test
  void whatThePartHasNotStoredIsLeftOutAfterTheSplit() throws IOException {
    log(1, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1), entry(at(1, 2), 20, 2, 1, 0, 1));
    part(at(BIRTH, 2), SPLIT_MILLIS, 2);
    OrderPlanner.Planned planned = plan(SPLIT);
    assertThat(planned.shape()).isEqualTo(SPLIT);
    assertThat(ends(planned)).containsExactly(at(2, 3), at(1, 2), at(BIRTH, 2));
  }

  @Test
  void withoutSomethingThatWasBeforeTheSplitTheTableIsRestoredWhole() throws IOException {
    log(1, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1));
    part(at(BIRTH, 2), SPLIT_MILLIS, 2);
    log(2, at(BIRTH, 2), entry(at(BIRTH + 1, 3), 60, 3, 2, 0, 2));
    OrderPlanner.Planned planned = plan(SPLIT);
    assertThat(planned.shape()).isEqualTo(WHOLE);
    assertThat(ends(planned)).containsExactly(at(1, 1), at(1, 1));
  }

  @Test
  void nobodyKnowsWhetherItWasBeforeTheSplitOnceThePartsFirstCheckpointIsGone() throws IOException {
    log(1, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1));
    part(at(BIRTH + 1, 3), 60, 3);
    assertThatThrownBy(() -> plan(SPLIT))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  /** While the store did not answer, actor 1 went on, and has a checkpoint behind that. */
  @Test
  void afterALossATableContinuesFromBeforeWhatIsOnlyInACheckpoint() throws IOException {
    log(1, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1));
    gap(1, at(1, 1), at(1, 4), 80, 5);
    assertThatThrownBy(() -> plan(WHOLE))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    assertThat(ends(recover(WHOLE, List.of(6L, 5L)))).containsExactly(at(1, 1), at(1, 1));
  }
}
