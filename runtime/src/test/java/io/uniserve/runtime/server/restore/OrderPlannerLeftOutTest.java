package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Updates 1 and 2, at 10 and 20 ms, are of both actors. The store does not have 2 on actor 1 yet,
 * so nobody was told of it. On actor 0 an update on the short way came behind it, at 22 ms, which
 * may have been acknowledged.
 */
class OrderPlannerLeftOutTest extends OrderStoreFixture {
  private static final Partitioner SHAPE = new Partitioner.Hash(2);

  @BeforeEach
  void store() {
    Payload nothing = Payload.ofBytes(StillEngine.NAME, ByteBuffer.allocate(0));
    log(
        0,
        at(0, 0),
        entry(at(1, 1), 10, 1, 0, 0, 1),
        entry(at(1, 2), 20, 2, 1, 0, 1),
        new LogEntry.Update(
            at(1, 3), 22, UpdateKey.of("short"), nothing, nothing, Optional.empty()));
    log(1, at(0, 0), entry(at(1, 1), 10, 1, 0, 0, 1));
  }

  @Test
  void noMomentLeavesOutWhatTookTheShortWayByThen() {
    assertThatThrownBy(() -> plan(SHAPE, 22, true))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .hasMessageContaining("lacks update 2");
  }

  @Test
  void whatNobodyWasToldOfMayBeLeftOut() {
    OrderPlanner.Planned planned = plan(SHAPE, 21, true);
    assertThat(ends(planned)).containsExactly(at(1, 1), at(1, 1));
    assertThat(planned.leftOut().orElseThrow().number()).isEqualTo(2);
  }

  @Test
  void withoutAMomentItIsSaidWhatIsLeftOut() {
    OrderPlanner.Planned planned = plan(SHAPE);
    assertThat(ends(planned)).containsExactly(at(1, 1), at(1, 1));
    assertThat(planned.leftOut().orElseThrow().number()).isEqualTo(2);
  }
}
