package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.wire.BackupMessage.LeftOut;
import io.uniserve.runtime.wire.OrderedMessage.PlacedUpdates;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actors 0 and 1 of three became 3. The store has nothing of actor 2 yet. */
class OrderPlannerEndedTest extends OrderStoreFixture {
  private static final long MERGE_MILLIS = 50;
  private static final Partitioner THREE =
      new Partitioner.Range(List.of(PartitionKey.of("g"), PartitionKey.of("p")));
  private static final Partitioner MERGED = THREE.merge(0, 1, MERGE_MILLIS);
  private static final PlacedUpdates PLACED = new PlacedUpdates(3, List.of(1L, 2L, 3L, 0L));

  @BeforeEach
  void store() throws IOException {
    log(0, Position.START, entry(at(1, 1), 10, 1, 0, 0));
    made(3, at(9, 1), MERGE_MILLIS, new ReceivedOrder.Stored(2, Map.of(0, 1L, 1, 2L), Map.of()));
  }

  /** The logs of the two tell that 1 and 2 went to nobody else. */
  @Test
  void whatWentToTheTwoAloneIsNotLackingElsewhere() {
    log(1, Position.START, entry(at(1, 1), 20, 2, 0, 1));
    OrderPlanner.Planned planned = plan(MERGED, PLACED);
    assertThat(planned.shape()).isEqualTo(MERGED);
    assertThat(ends(planned))
        .containsExactly(Position.START, Position.START, Position.START, at(9, 1));
    assertThat(planned.leftOut()).contains(new LeftOut(3, Optional.empty(), 2));
  }

  @Test
  void whatComesBeforeTheMergeThatIsLeftOutIsRestored() {
    log(1, Position.START, entry(at(1, 1), 20, 2, 0, 1, 2));
    OrderPlanner.Planned planned = plan(MERGED, PLACED);
    assertThat(planned.shape()).isEqualTo(THREE);
    assertThat(ends(planned)).containsExactly(at(1, 1), Position.START, Position.START);
    assertThat(planned.leftOut()).contains(new LeftOut(2, Optional.of(20L), 2));
  }

  /** The store did not answer for a while, and a primary of actor 3 began its history anew. */
  @Test
  void theMergeIsLeftOutAlsoIfItsActorBeganAnew() throws IOException {
    log(1, Position.START, entry(at(1, 1), 20, 2, 0, 1, 2));
    made(3, at(12, 5), 90, new ReceivedOrder.Stored(9, Map.of(3, 9L), Map.of()));
    OrderPlanner.Planned planned = recover(MERGED, List.of(1L, 2L, 3L, 9L));
    assertThat(planned.shape()).isEqualTo(THREE);
    assertThat(ends(planned)).containsExactly(at(1, 1), Position.START, Position.START);
  }

  @Test
  void whatTheMergedActorLacksIsTold() {
    log(1, Position.START, entry(at(1, 1), 20, 2, 0, 1));
    OrderPlanner.Planned planned = plan(MERGED, new PlacedUpdates(3, List.of(1L, 2L, 0L, 3L)));
    assertThat(planned.shape()).isEqualTo(MERGED);
    assertThat(planned.leftOut()).contains(new LeftOut(3, Optional.empty(), 3));
  }
}
