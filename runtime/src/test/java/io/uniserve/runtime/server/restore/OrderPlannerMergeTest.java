package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Actors 0 and 1 of three became 3 when the first had got updates 1 and 3, and the second 2; each
 * of these went to actor 2 as well. Later 3 was split, into itself and 4, and these became 5.
 */
class OrderPlannerMergeTest extends OrderStoreFixture {
  private static final long MERGE_MILLIS = 50;
  private static final long SPLIT_MILLIS = 70;
  private static final long AGAIN_MILLIS = 80;
  private static final long BIRTH = 9;
  private static final Partitioner THREE =
      new Partitioner.Range(List.of(PartitionKey.of("g"), PartitionKey.of("p")));
  private static final Partitioner.Refined MERGED = THREE.merge(0, 1, MERGE_MILLIS);
  private static final Partitioner AGAIN =
      MERGED
          .cut(3, new PartitionChange.Where.From(PartitionKey.of("k")), SPLIT_MILLIS)
          .merge(3, 4, AGAIN_MILLIS);

  @BeforeEach
  void store() {
    log(0, Position.START, entry(at(1, 1), 10, 1, 0, 0, 2), entry(at(1, 2), 30, 3, 1, 0, 2));
    log(1, Position.START, entry(at(1, 1), 20, 2, 0, 1, 2));
  }

  /** Stores the log of actor 2. */
  private void others(int count) {
    LogEntry[] all = {
      entry(at(1, 1), 10, 1, 0, 0, 2),
      entry(at(1, 2), 20, 2, 1, 1, 2),
      entry(at(1, 3), 30, 3, 2, 0, 2),
      entry(at(1, 4), 60, 4, 3, 2, 3)
    };
    log(2, Position.START, Arrays.copyOf(all, count));
  }

  /** Stores the first checkpoint of a part of the actor that the first merge made. */
  private void part(int actor, Position position, long millis) throws IOException {
    made(
        actor,
        position,
        millis,
        new ReceivedOrder.Stored(3, Map.of(0, 3L, 1, 2L, 2, 3L), Map.of()));
  }

  private void whole(Position position, long millis, long last) throws IOException {
    made(
        3,
        position,
        millis,
        new ReceivedOrder.Stored(last, Map.of(0, 3L, 1, 2L, 2, last), Map.of()));
  }

  @Test
  void whatAllHaveIsRestoredWithTheMerge() throws IOException {
    others(4);
    whole(at(BIRTH, 2), MERGE_MILLIS, 3);
    log(3, at(BIRTH, 2), entry(at(BIRTH + 1, 3), 60, 4, 3, 2, 3));
    OrderPlanner.Planned planned = plan(MERGED);
    assertThat(planned.shape()).isEqualTo(MERGED);
    assertThat(ends(planned))
        .containsExactly(Position.START, Position.START, at(1, 4), at(BIRTH + 1, 3));
  }

  @Test
  void whatTheWholeHasNotStoredIsLeftOutAfterTheMerge() throws IOException {
    others(4);
    whole(at(BIRTH, 2), MERGE_MILLIS, 3);
    OrderPlanner.Planned planned = plan(MERGED);
    assertThat(planned.shape()).isEqualTo(MERGED);
    assertThat(ends(planned))
        .containsExactly(Position.START, Position.START, at(1, 3), at(BIRTH, 2));
  }

  @Test
  void withoutSomethingThatWasBeforeTheMergeTheTwoAreRestored() throws IOException {
    others(2);
    whole(at(BIRTH, 2), MERGE_MILLIS, 3);
    log(3, at(BIRTH, 2), entry(at(BIRTH + 1, 3), 60, 4, 3, 2, 3));
    OrderPlanner.Planned planned = plan(MERGED);
    assertThat(planned.shape()).isEqualTo(THREE);
    assertThat(ends(planned)).containsExactly(at(1, 1), at(1, 1), at(1, 2));
  }

  @Test
  void whatCameAfterTheMergeIsLeftOutWithIt() throws IOException {
    others(1);
    whole(at(BIRTH, 2), MERGE_MILLIS, 3);
    part(4, at(BIRTH + 5, 2), SPLIT_MILLIS);
    part(5, at(BIRTH + 9, 2), AGAIN_MILLIS);
    OrderPlanner.Planned planned = plan(AGAIN);
    assertThat(planned.shape()).isEqualTo(THREE);
    assertThat(ends(planned)).containsExactly(at(1, 1), Position.START, at(1, 1));
  }

  @Test
  void nobodyKnowsWhatTheWholeBeganWithOnceItsFirstCheckpointIsGone() throws IOException {
    others(2);
    whole(at(BIRTH + 1, 3), 60, 4);
    assertThatThrownBy(() -> plan(MERGED))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }
}
