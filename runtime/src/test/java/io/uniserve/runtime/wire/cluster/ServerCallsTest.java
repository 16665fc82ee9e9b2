package io.uniserve.runtime.wire.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillTransport;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.ServerMessage.AskStatus;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerDraining;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of calls when the life of their server is over. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerCallsTest {
  private static final Message REPLY = new Changed(0, 7);

  @TempDir Path directory;

  private final StillClock clock = new StillClock();
  private final StillTransport transport = new StillTransport();
  private final List<String> heard = new ArrayList<>();
  private ClusterState state = ClusterState.EMPTY;
  private ServerCalls calls;
  private StillTransport.Made made;

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
    calls = new ServerCalls(ProcessFixture.environment(clock, directory, transport), () -> state);
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

  /** Returns the call that was begun last, which is taken out once. */
  private StillTransport.Made made() throws InterruptedException {
    if (made == null) {
      made = transport.next();
    }
    return made;
  }

  @Test
  void bringsWhatTheServerAnswers() throws InterruptedException {
    call(() -> {});
    change(new ServerFailed("s2", 1, "the test"));
    change(new ServerDraining("s1", true, "the test"));
    made().replies().replied(REPLY);
    made().replies().replied(REPLY);
    made().replies().completed();
    change(new ServerFailed("s1", 1, "the test"));
    assertThat(heard).containsExactly("reply", "reply", "end");
    assertThat(made().cancelled()).hasValue(0);
  }

  @Test
  void failsOnceTheServerIsGivenUp() throws InterruptedException {
    call(() -> {});
    made().replies().replied(REPLY);
    change(new ServerFailed("s1", 1, "the test"));
    assertThat(heard).containsExactly("reply", "UNAVAILABLE");
    assertThat(made().cancelled()).hasValue(1);

    made().replies().replied(REPLY);
    made().replies().failed(new UniserveException(ErrorCode.CANCELLED, "too late"));
    assertThat(heard).as("nothing after the end").containsExactly("reply", "UNAVAILABLE");
  }

  @Test
  void failsOnceTheServerHasBegunAnew() throws InterruptedException {
    call(() -> {});
    change(new ServerJoined("s1", new Address("s1"), 2));
    assertThat(heard).containsExactly("UNAVAILABLE");
    call(() -> {});
    assertThat(heard).as("its new life").containsExactly("UNAVAILABLE");
  }

  @Test
  void failsAtOnceIfTheLifeIsOverAlready() throws InterruptedException {
    ServerState former = server("s1");
    change(new ServerFailed("s1", 1, "the test"));
    calls.begin(former, new AskStatus(), deadline(), new Hearing(() -> {}));
    assertThat(heard).containsExactly("UNAVAILABLE");
    assertThat(transport.idle()).isTrue();
  }

  @Test
  void isMadeToALifeThatThisProcessHasYetToHearOf() {
    begin("s1", 2);
    change(new ServerFailed("s1", 1, "the test"));
    change(new ServerJoined("s1", new Address("s1"), 2));
    assertThat(heard).isEmpty();
    change(new ServerFailed("s1", 2, "the test"));
    assertThat(heard).containsExactly("UNAVAILABLE");
  }

  @Test
  void isMadeToAServerThatThisProcessHasYetToHearOf() {
    begin("s3", 1);
    change(new ServerFailed("s2", 1, "the test"));
    change(new ServerJoined("s3", new Address("s3"), 1));
    assertThat(heard).isEmpty();
    change(new ServerFailed("s3", 1, "the test"));
    assertThat(heard).containsExactly("UNAVAILABLE");
  }

  private void begin(String name, long incarnation) {
    calls.begin(
        new ServerState(name, new Address(name), incarnation, true),
        new AskStatus(),
        deadline(),
        new Hearing(() -> {}));
  }

  @Test
  void endsOnceThoughItIsGivenUpWhileItIsTold() throws InterruptedException {
    call(() -> change(new ServerFailed("s1", 1, "the test")));
    made().replies().replied(REPLY);
    assertThat(heard).containsExactly("reply", "UNAVAILABLE");
  }

  @Test
  void endsOnceThoughItEndsWhileItIsTold() throws InterruptedException {
    call(
        () -> {
          change(new ServerFailed("s1", 1, "the test"));
          made.replies().completed();
        });
    made().replies().replied(REPLY);
    assertThat(heard).containsExactly("reply", "end");
  }

  @Test
  void isForgottenOnceNobodyWaits() throws InterruptedException {
    call(() -> {}).cancel();
    change(new ServerFailed("s1", 1, "the test"));
    assertThat(heard).isEmpty();
    assertThat(made().cancelled()).hasValue(1);
  }

  @Test
  void askingFailsAsTheCallDoes() throws InterruptedException {
    ServerState former = server("s1");
    change(new ServerFailed("s1", 1, "the test"));
    assertThatThrownBy(() -> calls.ask(former, new AskStatus(), Changed.class, deadline()))
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
              assertThat(e).hasMessage("server s1 has failed or was restarted");
            });
  }
}
