package io.uniserve.kernel.production;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.ManualClock;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.RecordedReplies;
import io.uniserve.kernel.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class InProcessNetworkTest {
  private static final Address CLIENT = new Address("client");
  private static final Address SERVER = new Address("server");

  private record Number(int value) implements Message {}

  private final ManualClock clock = new ManualClock();
  private final List<Throwable> reported = new ArrayList<>();
  private final InProcessNetwork network =
      new InProcessNetwork(clock, (thread, failure) -> reported.add(failure));
  private final Transport client = network.attach(CLIENT);
  private final Transport server = network.attach(SERVER);
  private final RecordedReplies replies = new RecordedReplies();
  private final AtomicReference<Transport.Incoming> incoming = new AtomicReference<>();

  private Deadline in(long millis) {
    return Deadline.after(clock, Duration.ofMillis(millis));
  }

  private Transport.Call call(int value, long millis) {
    return client.call(SERVER, new Number(value), in(millis), replies);
  }

  private Transport.Registration keepCalls() {
    return server.listen(SERVER, (request, call) -> incoming.set(call));
  }

  @Test
  void handsOverMessagesByReference() {
    server.listen(
        SERVER,
        (request, call) -> {
          call.reply(request);
          call.reply(new Number(2));
          call.complete();
        });
    Number request = new Number(1);
    client.call(SERVER, request, in(10), replies);
    assertThat(replies.replies()).hasSize(2);
    assertThat(replies.replies().getFirst()).isSameAs(request);
    assertThat(replies.end()).isEqualTo(RecordedReplies.COMPLETED);
    assertThat(network.open().count()).isZero();
  }

  @Test
  void nobodyListens() {
    call(1, 10);
    assertThat(replies.end()).isEqualTo("UNAVAILABLE");
    assertThat(replies.failure()).hasMessageContaining("server");
    assertThat(network.reaches(SERVER)).isFalse();
  }

  @Test
  void anAddressHasOneListener() {
    keepCalls();
    assertThatThrownBy(() -> client.listen(SERVER, (request, call) -> {}))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS))
        .hasMessageContaining("server");
  }

  @Test
  void whatTheHandlerThrowsEndsTheCall() {
    server.listen(
        SERVER,
        (request, call) -> {
          throw new IllegalStateException("broken handler");
        });
    call(1, 10);
    assertThat(replies.failure().code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(replies.failure()).hasMessageContaining("broken handler");
  }

  @Test
  void anErrorOfTheHandlerIsAlsoReported() {
    server.listen(
        SERVER,
        (request, call) -> {
          throw new StackOverflowError("deep");
        });
    call(1, 10);
    assertThat(replies.end()).isEqualTo("INTERNAL");
    assertThat(reported).singleElement().isInstanceOf(StackOverflowError.class);
  }

  @Test
  void cancellingReachesTheCallee() {
    keepCalls();
    Transport.Call call = call(1, 1000);
    List<String> ran = new ArrayList<>();
    incoming.get().onCancel(() -> ran.add("first"));
    incoming.get().onCancel(() -> ran.add("second"));
    assertThat(incoming.get().cancelled()).isFalse();

    call.cancel();
    call.cancel();
    incoming.get().onCancel(() -> ran.add("late"));

    assertThat(ran).containsExactly("first", "second", "late");
    assertThat(incoming.get().cancelled()).isTrue();
    assertThat(replies.end()).isEqualTo("CANCELLED");
    assertThatThrownBy(() -> incoming.get().reply(new Number(1)))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
    assertThat(replies.violations()).isEmpty();
  }

  @Test
  void nothingHappensAfterTheEnd() {
    keepCalls();
    Transport.Call call = call(1, 1000);
    List<String> ran = new ArrayList<>();
    incoming.get().onCancel(() -> ran.add("cancelled"));
    incoming.get().complete();
    incoming.get().reply(new Number(1));
    incoming.get().fail(UniserveException.invalid("late"));
    call.cancel();
    clock.advance(Duration.ofSeconds(2));
    assertThat(ran).isEmpty();
    assertThat(incoming.get().cancelled()).isFalse();
    assertThat(replies.replies()).isEmpty();
    assertThat(replies.end()).isEqualTo(RecordedReplies.COMPLETED);
    assertThat(replies.violations()).isEmpty();
  }

  @Test
  void theObserverIsToldOfAPassedDeadline() {
    keepCalls();
    call(1, 100);
    List<String> ran = new ArrayList<>();
    incoming.get().onCancel(() -> ran.add("cancelled"));
    clock.advance(Duration.ofMillis(99));
    assertThat(replies.end()).isNull();
    clock.advance(Duration.ofMillis(2));
    assertThat(replies.end()).isEqualTo("DEADLINE_EXCEEDED");
    assertThat(ran).containsExactly("cancelled");
  }

  @Test
  void aReplyAfterTheDeadlineIsRefused() {
    Transport.ReplyObserver observer = replies;
    keepCalls();
    client.call(SERVER, new Number(1), new Deadline(clock.nanos() + 1), observer);
    clock.sleep(Duration.ofNanos(1));
    assertThatThrownBy(() -> incoming.get().reply(new Number(1)))
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
    assertThat(replies.end()).isEqualTo("DEADLINE_EXCEEDED");
  }

  @Test
  void aPassedDeadlineNeverReachesTheHandler() {
    keepCalls();
    call(1, 0);
    assertThat(replies.end()).isEqualTo("DEADLINE_EXCEEDED");
    assertThat(incoming.get()).isNull();
  }

  @Test
  void manyCallsShareOneTimer() {
    server.listen(SERVER, (request, call) -> call.complete());
    for (int i = 0; i < 1000; i++) {
      call(i, 10_000);
    }
    assertThat(clock.scheduledTimers()).isEqualTo(1);
  }

  @Test
  void everyDeadlineIsMetWithinItsTolerance() {
    keepCalls();
    List<RecordedReplies> observers = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      RecordedReplies observer = new RecordedReplies();
      observers.add(observer);
      client.call(SERVER, new Number(i), in(1 + i * 37 % 300), observer);
    }
    for (int millis = 1; millis <= 306; millis++) {
      clock.advance(Duration.ofMillis(1));
      for (int i = 0; i < 300; i++) {
        int due = 1 + i * 37 % 300;
        boolean told = observers.get(i).end() != null;
        assertThat(told).isEqualTo(told ? millis >= due : millis >= due + 6);
      }
    }
    assertThat(clock.scheduledTimers()).isLessThan(500);
    assertThat(network.open().count()).isZero();
  }

  @Test
  void closingARegistrationFailsItsCallsAlone() {
    Transport.Registration closing = keepCalls();
    Address other = new Address("other");
    server.listen(other, (request, call) -> {});
    call(1, 1000);
    RecordedReplies untouched = new RecordedReplies();
    client.call(other, new Number(2), in(1000), untouched);

    closing.close();

    assertThat(replies.end()).isEqualTo("UNAVAILABLE");
    assertThat(incoming.get().cancelled()).isTrue();
    assertThat(untouched.end()).isNull();
    keepCalls();
    assertThat(network.reaches(SERVER)).isTrue();
  }

  @Test
  void aDetachedProcessIsCutOffBothWays() {
    keepCalls();
    AtomicReference<Transport.Incoming> atClient = new AtomicReference<>();
    client.listen(CLIENT, (request, call) -> atClient.set(call));
    call(1, 1000);
    RecordedReplies outgoing = new RecordedReplies();
    server.call(CLIENT, new Number(2), in(1000), outgoing);

    network.detach(SERVER);
    RecordedReplies later = new RecordedReplies();
    server.call(CLIENT, new Number(3), in(1000), later);

    assertThat(replies.end()).isEqualTo("UNAVAILABLE");
    assertThat(outgoing.end()).isEqualTo("UNAVAILABLE");
    assertThat(later.end()).isEqualTo("UNAVAILABLE");
    assertThat(atClient.get().cancelled()).isTrue();
    assertThatThrownBy(() -> server.listen(SERVER, (request, call) -> {}))
        .isInstanceOf(UniserveException.class);
    assertThat(network.reaches(SERVER)).isFalse();
    network.attach(SERVER).listen(SERVER, (request, call) -> call.complete());
    RecordedReplies revived = new RecordedReplies();
    client.call(SERVER, new Number(4), in(1000), revived);
    assertThat(revived.end()).isEqualTo(RecordedReplies.COMPLETED);
  }

  @Test
  void anObserverMayCancelFromWithin() {
    keepCalls();
    AtomicReference<Transport.Call> own = new AtomicReference<>();
    Transport.ReplyObserver cancelling =
        new Transport.ReplyObserver() {
          @Override
          public void replied(Message reply) {
            own.get().cancel();
            replies.replied(reply);
          }

          @Override
          public void completed() {
            replies.completed();
          }

          @Override
          public void failed(UniserveException failure) {
            replies.failed(failure);
          }
        };
    own.set(client.call(SERVER, new Number(1), in(1000), cancelling));
    assertThatThrownBy(() -> incoming.get().reply(new Number(7)))
        .isInstanceOf(UniserveException.class);
    assertThat(replies.replies()).containsExactly(new Number(7));
    assertThat(replies.end()).isEqualTo("CANCELLED");
    assertThat(replies.violations()).isEmpty();
  }

  @Test
  void anObserverThatThrowsEndsItsOwnCallOnly() {
    keepCalls();
    Transport.ReplyObserver broken =
        new Transport.ReplyObserver() {
          @Override
          public void replied(Message reply) {
            throw new IllegalStateException("broken observer");
          }

          @Override
          public void completed() {
            replies.completed();
          }

          @Override
          public void failed(UniserveException failure) {
            replies.failed(failure);
            throw new IllegalStateException("broken to the end");
          }
        };
    client.call(SERVER, new Number(1), in(1000), broken);
    assertThatThrownBy(() -> incoming.get().reply(new Number(7)))
        .hasMessageContaining("broken observer");
    assertThat(replies.end()).isEqualTo("INTERNAL");
    assertThat(reported).singleElement().asString().contains("broken to the end");
  }
}
