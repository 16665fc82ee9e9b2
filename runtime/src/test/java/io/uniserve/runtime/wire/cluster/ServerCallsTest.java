package io.uniserve.runtime.wire.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.ServerMessage.AskStatus;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerDraining;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of calls when the life of their server is over. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerCallsTest {
  private static final Message REPLY = new Changed(0, 7);

  @TempDir Path directory;

  private final StillClock clock = new StillClock();
  private final Silent transport = new Silent();
  private final List<String> heard = new ArrayList<>();
  private ClusterState state = ClusterState.EMPTY;
  private ServerCalls calls;

  /** Nobody answers by itself. */
  private static final class Silent implements Transport {
    private final List<ReplyObserver> called = new ArrayList<>();
    private final AtomicInteger cancelled = new AtomicInteger();

    @Override
    public Registration listen(Address self, Handler handler) {
      throw new UnsupportedOperationException("nobody listens");
    }

    @Override
    public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
      called.add(replies);
      return cancelled::incrementAndGet;
    }
  }

  private final class Hearing implements Transport.ReplyObserver {
    private final Runnable whenReplied;

    Hearing(Runnable whenReplied) {
      this.whenReplied = whenReplied;
    }

    @Override
    public void replied(Message reply) {
      heard.add("reply");
      whenReplied.run();
    }

    @Override
    public void completed() {
      heard.add("end");
    }

    @Override
    public void failed(UniserveException failure) {
      heard.add(failure.code().name());
    }
  }

  @BeforeEach
  void begin() throws IOException {
    calls =
        new ServerCalls(
            new ProductionEnvironment(
                clock,
                new ProductionThreads(),
                new FileStorage(directory),
                ProductionEnvironment.unseeded(),
                transport),
            () -> state);
    change(new ServerJoined("s1", new Address("s1"), 1));
    change(new ServerJoined("s2", new Address("s2"), 1));
  }

  private void change(ControlRecord record) {
    state = Replay.apply(state, record);
    calls.changed();
  }

  private ServerState server(String name) {
    return state.servers().get(name);
  }

  private Transport.Call call(Runnable whenReplied) {
    return calls.begin(server("s1"), new AskStatus(), deadline(), new Hearing(whenReplied));
  }

  private Deadline deadline() {
    return Deadline.after(clock, Deadline.LONGEST);
  }

  private Transport.ReplyObserver transported() {
    return transport.called.getLast();
  }

  @Test
  void bringsWhatTheServerAnswers() {
    call(() -> {});
    change(new ServerFailed("s2", 1, "the test"));
    change(new ServerDraining("s1", true, "the test"));
    transported().replied(REPLY);
    transported().replied(REPLY);
    transported().completed();
    change(new ServerFailed("s1", 1, "the test"));
    assertThat(heard).containsExactly("reply", "reply", "end");
    assertThat(transport.cancelled).hasValue(0);
  }

  @Test
  void failsOnceTheServerIsGivenUp() {
    call(() -> {});
    transported().replied(REPLY);
    change(new ServerFailed("s1", 1, "the test"));
    assertThat(heard).containsExactly("reply", "UNAVAILABLE");
    assertThat(transport.cancelled).hasValue(1);

    transported().replied(REPLY);
    transported().failed(new UniserveException(ErrorCode.CANCELLED, "too late"));
    assertThat(heard).as("nothing after the end").containsExactly("reply", "UNAVAILABLE");
  }

  @Test
  void failsOnceTheServerHasBegunAnew() {
    call(() -> {});
    change(new ServerJoined("s1", new Address("s1"), 2));
    assertThat(heard).containsExactly("UNAVAILABLE");
    call(() -> {});
    assertThat(heard).as("its new life").containsExactly("UNAVAILABLE");
  }

  @Test
  void failsAtOnceIfTheLifeIsOverAlready() {
    ServerState former = server("s1");
    change(new ServerFailed("s1", 1, "the test"));
    calls.begin(former, new AskStatus(), deadline(), new Hearing(() -> {}));
    assertThat(heard).containsExactly("UNAVAILABLE");
    assertThat(transport.called).isEmpty();
  }

  @Test
  void isMadeToALifeThatThisProcessHasYetToHearOf() {
    calls.begin(
        new ServerState("s1", new Address("s1"), 2, true),
        new AskStatus(),
        deadline(),
        new Hearing(() -> {}));
    change(new ServerFailed("s1", 1, "the test"));
    change(new ServerJoined("s1", new Address("s1"), 2));
    assertThat(heard).isEmpty();
    change(new ServerFailed("s1", 2, "the test"));
    assertThat(heard).containsExactly("UNAVAILABLE");
  }

  @Test
  void endsOnceThoughItIsGivenUpWhileItIsTold() {
    call(() -> change(new ServerFailed("s1", 1, "the test")));
    transported().replied(REPLY);
    assertThat(heard).containsExactly("reply", "UNAVAILABLE");
  }

  @Test
  void endsOnceThoughItEndsWhileItIsTold() {
    call(
        () -> {
          change(new ServerFailed("s1", 1, "the test"));
          transported().completed();
        });
    transported().replied(REPLY);
    assertThat(heard).containsExactly("reply", "end");
  }

  @Test
  void isForgottenOnceNobodyWaits() {
    call(() -> {}).cancel();
    change(new ServerFailed("s1", 1, "the test"));
    assertThat(heard).isEmpty();
    assertThat(transport.cancelled).hasValue(1);
  }

  @Test
  void askingFailsAsTheCallDoes() {
    ServerState former = server("s1");
    change(new ServerFailed("s1", 1, "the test"));
    assertThatThrownBy(() -> calls.ask(former, new AskStatus(), Changed.class, deadline()))
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
              assertThat(e).hasMessage("server s1 has failed, or began anew");
            });
  }
}
