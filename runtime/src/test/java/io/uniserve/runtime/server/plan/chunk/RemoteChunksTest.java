package io.uniserve.runtime.server.plan.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillTimers;
import io.uniserve.runtime.still.StillTransport;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.PlanMessage.FetchChunks;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.plan.OutputId;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Chunks on a server that does not answer. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteChunksTest {
  @TempDir Path directory;

  private final StillClock clock = StillClock.ofWaits();
  private final StillTransport transport = new StillTransport();

  @Test
  void areGivenUpWithTheirServer() throws IOException, InterruptedException {
    ProductionEnvironment environment =
        ProcessFixture.environment(new StillTimers(clock), directory, transport);
    StateSubscription subscription =
        new StateSubscription(
            environment,
            new Controllers(environment, List.of(new Address("controller"))),
            (state, record) -> {});
    subscription.start();
    StillTransport.Made subscribed = transport.next();
    subscribed
        .replies()
        .replied(new StateChanges(0, List.of(new ServerJoined("s1", new Address("s1"), 1))));
    RemoteChunks chunks =
        new RemoteChunks(
            environment,
            subscription.calls(),
            subscription.state().servers().get("s1"),
            "run",
            new OutputId(0, 0, 1),
            0,
            Duration.ofSeconds(5));
    ChunkSupply.Asked asked = chunks.ask(0, 1_000);
    assertThat(transport.next().request()).isInstanceOf(FetchChunks.class);
    assertThat(asked.page().isDone()).isFalse();

    subscribed
        .replies()
        .replied(new StateChanges(1, List.of(new ServerFailed("s1", 1, "the test"))));
    assertThatThrownBy(() -> asked.page().await(Deadline.after(clock, Deadline.LONGEST), "a page"))
        .hasMessage("server s1 has failed or was restarted");
    subscription.close();
  }
}
