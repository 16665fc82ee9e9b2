package io.uniserve.runtime.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillTransport;
import io.uniserve.runtime.wire.PlanMessage.OpenRun;
import io.uniserve.runtime.wire.PlanMessage.RunOpened;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.Replay;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs on servers that reach nobody until they are given up. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunHoldsTest {
  private static final ClusterState ALIVE = after(ClusterState.EMPTY, 1);
  private static final ClusterState ANOTHER_LIFE = after(ALIVE, 2);

  private final StillTransport transport = new StillTransport();
  private RunHolds holds;

  private static ClusterState after(ClusterState state, long incarnation) {
    return Replay.apply(
        state, new ControlRecord.ServerJoined("s1", new Address("s1"), incarnation));
  }

  @BeforeEach
  void begin(@TempDir Path directory) throws IOException {
    StillClock clock = new StillClock();
    Environment environment = ProcessFixture.environment(clock, directory, transport);
    Controllers controllers = new Controllers(environment, List.of(new Address("controller")));
    StillCluster cluster =
        new StillCluster(
            environment,
            ALIVE,
            new StateSubscription(environment, controllers, (now, record) -> {}).calls(),
            (actor, avoided) -> Optional.empty(),
            new PlanCluster.Limits(4, Duration.ofMillis(10), Duration.ofHours(1), 1000, 3));
    holds = new RunHolds(cluster, "run", Deadline.after(clock, Duration.ofHours(1)));
  }

  @AfterEach
  void close() {
    holds.close();
  }

  private static void assertGivenUp(Runnable await) {
    assertThatThrownBy(await::run)
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
              assertThat(e.retryable()).isTrue();
            });
  }

  /** The call itself would end at the deadline of the query. */
  @Test
  void aRunThatIsNotOpenedIsNotAwaitedOnceItsServerIsGivenUp() throws Exception {
    RunHolds.Hold hold = holds.begin(ALIVE.servers().get("s1"));
    StillTransport.Made call = transport.next();
    assertThat(call.request()).isInstanceOf(OpenRun.class);
    assertThat(holds.endLost(ALIVE)).isEmpty();
    assertThat(holds.endLost(ANOTHER_LIFE)).contains("s1");
    assertGivenUp(() -> holds.await(hold));
    assertThat(call.cancelled().get()).isPositive();
  }

  @Test
  void aRunThatWasOpenIsLostWithItsServer() throws Exception {
    RunHolds.Hold hold = holds.begin(ALIVE.servers().get("s1"));
    transport.next().replies().replied(new RunOpened());
    holds.await(hold);
    assertThat(holds.endLost(ANOTHER_LIFE)).contains("s1");
    assertGivenUp(() -> holds.await(hold));
    assertThat(holds.endLost(ANOTHER_LIFE)).as("what is known already").isEmpty();
  }
}
