package io.uniserve.runtime.wire.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillTimers;
import io.uniserve.runtime.still.StillTransport;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.ControlMessage.StateReload;
import io.uniserve.runtime.wire.ControlMessage.Subscribe;
import io.uniserve.runtime.wire.ServerMessage.AskStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.cluster.Replay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of a subscription, and its effect on calls. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StateSubscriptionTest {
  private static final Duration MOMENT = Duration.ofNanos(1);

  @TempDir Path directory;

  private final StillClock clock = StillClock.ofWaits();
  private final StillTimers timers = new StillTimers(clock);
  private final StillTransport transport = new StillTransport();
  private StateSubscription subscription;
  private StillTransport.Made subscribed;

  @BeforeEach
  void subscribe() throws IOException, InterruptedException {
    ProductionEnvironment environment = ProcessFixture.environment(timers, directory, transport);
    Controllers controllers =
        new Controllers(environment, List.of(new Address("a"), new Address("b")));
    subscription = new StateSubscription(environment, controllers, (state, record) -> {});
    subscription.start();
    subscribed = transport.next();
  }

  @AfterEach
  void close() {
    subscription.close();
  }

  private void told(ControlRecord... records) {
    subscribed
        .replies()
        .replied(new StateChanges(subscription.state().version(), List.of(records)));
  }

  @Test
  void anotherControllerIsAskedOnceOneHasBeenSilentForThreeSeconds() throws InterruptedException {
    told(new ServerJoined("s1", new Address("s1"), 1));
    timers.pass(Duration.ofSeconds(2));
    told();
    timers.pass(Duration.ofSeconds(1));
    timers.pass(Duration.ofSeconds(2).minus(MOMENT));
    assertThat(transport.idle()).as("heard of three seconds ago").isTrue();

    timers.pass(MOMENT);
    StillTransport.Made next = transport.next();
    assertThat(next.to()).isNotEqualTo(subscribed.to());
    assertThat(next.request()).isEqualTo(new Subscribe("", 1));
    assertThat(subscribed.cancelled()).hasValue(1);
  }

  @Test
  void whatArrivesGivesUpCallsToServersThatFailed() {
    told(new ServerJoined("s1", new Address("s1"), 1));
    List<ErrorCode> heard = call("s1");
    told(new ServerFailed("s1", 1, "the test"));
    assertThat(heard).containsExactly(ErrorCode.UNAVAILABLE);
  }

  @Test
  void soDoesAStateThatIsReloaded() {
    told(new ServerJoined("s1", new Address("s1"), 1));
    List<ErrorCode> heard = call("s1");
    ClusterState later = Replay.apply(subscription.state(), new ServerFailed("s1", 1, "the test"));
    subscribed.replies().replied(new StateReload(later.snapshot()));
    assertThat(heard).containsExactly(ErrorCode.UNAVAILABLE);
  }

  /** Begins a call; returns how it ends, if it does. */
  private List<ErrorCode> call(String server) {
    List<ErrorCode> heard = new ArrayList<>();
    subscription
        .calls()
        .begin(
            subscription.state().servers().get(server),
            new AskStatus(),
            Deadline.after(clock, Deadline.LONGEST),
            new ReplyObserver() {
              @Override
              public void replied(Message reply) {
                throw new AssertionError("nobody answers");
              }

              @Override
              public void completed() {
                throw new AssertionError("nobody answers");
              }

              @Override
              public void failed(UniserveException failure) {
                heard.add(failure.code());
              }
            });
    return heard;
  }
}
