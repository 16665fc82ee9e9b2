package io.uniserve.runtime.wire.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.runtime.wire.grpc.TestMessage.Text;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Calls, as they should go. */
class GrpcTransportTest extends GrpcFixture {
  @Test
  void carriesOneReply() throws Exception {
    Address address = server.listen(ANY, GrpcFixture::echo).address();
    assertThat(address.value()).matches("127\\.0\\.0\\.1:\\d{4,5}");
    call(address, new Text("straße"));
    assertThat(replies.next()).isEqualTo(new Text("straße"));
    assertThat(replies.completedNext()).isTrue();
  }

  @Test
  void carriesManyRepliesInOrder() throws Exception {
    GrpcListener listener =
        server.listen(
            ANY,
            (request, call) ->
                threads.start(
                    "stream",
                    () -> {
                      for (int i = 0; i < 5000; i++) {
                        call.reply(new Text("reply " + i));
                      }
                      call.complete();
                    }));
    call(listener.address(), new Text("many"));
    for (int i = 0; i < 5000; i++) {
      assertThat(replies.next()).isEqualTo(new Text("reply " + i));
    }
    assertThat(replies.completedNext()).isTrue();
  }

  @Test
  void noReplyAtAllIsACompletedCall() throws Exception {
    call(server.listen(ANY, (request, call) -> call.complete()).address(), new Text("x"));
    assertThat(replies.completedNext()).isTrue();
  }

  @Test
  void cancellingReachesTheHandlerAndEndsTheCall() throws Exception {
    CompletableFuture<Transport.Incoming> arrived = new CompletableFuture<>();
    CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
    Address address =
        server
            .listen(
                ANY,
                (request, call) -> {
                  call.onCancel(() -> cancelled.complete(call.cancelled()));
                  arrived.complete(call);
                })
            .address();
    Transport.Call call = call(address, new Text("x"));
    Transport.Incoming incoming = arrived.get(20, TimeUnit.SECONDS);
    assertThat(incoming.cancelled()).isFalse();
    call.cancel();
    assertThat(cancelled.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(replies.failure().code()).isEqualTo(ErrorCode.CANCELLED);
    call.cancel();
    assertThatThrownBy(() -> incoming.reply(new Text("late")))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
    incoming.complete();
    incoming.fail(UniserveException.invalid("late"));
  }

  @Test
  void aCallerThatDiesCancels() throws Exception {
    CompletableFuture<Boolean> arrived = new CompletableFuture<>();
    CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
    Address address =
        server
            .listen(
                ANY,
                (request, call) -> {
                  call.onCancel(() -> cancelled.complete(true));
                  arrived.complete(true);
                })
            .address();
    call(address, new Text("x"));
    arrived.get(20, TimeUnit.SECONDS);
    client.close();
    assertThat(cancelled.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(replies.failure().code()).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void theDeadlineTravels() throws Exception {
    CompletableFuture<Duration> remaining = new CompletableFuture<>();
    CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
    Address address =
        server
            .listen(
                ANY,
                (request, call) -> {
                  if (request.equals(new Text("connect"))) {
                    call.complete();
                    return;
                  }
                  remaining.complete(call.deadline().remaining(clock));
                  call.onCancel(() -> cancelled.complete(true));
                })
            .address();
    call(address, new Text("connect"));
    assertThat(replies.completedNext()).isTrue();
    client.call(address, new Text("x"), in(1000), replies);
    assertThat(remaining.get(20, TimeUnit.SECONDS))
        .isBetween(Duration.ZERO, Duration.ofMillis(1000));
    assertThat(replies.failure())
        .hasMessageContaining(address.value())
        .extracting(UniserveException::code)
        .isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    assertThat(cancelled.get(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aPassedDeadlineIsToldWithoutACall() throws Exception {
    Address address =
        server
            .listen(ANY, (request, call) -> call.fail(UniserveException.invalid("seen")))
            .address();
    client.call(address, new Text("x"), in(-1), replies);
    assertThat(replies.failure().code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
  }

  @Test
  void aServerThatDiesFailsItsCallsAndIsFoundAgain() throws Exception {
    CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
    GrpcListener listener =
        server.listen(
            ANY,
            (request, call) -> {
              call.onCancel(() -> cancelled.complete(true));
              call.reply(request);
            });
    Address address = listener.address();
    call(address, new Text("first"));
    assertThat(replies.next()).isEqualTo(new Text("first"));
    listener.close();
    assertThat(replies.failure().code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(cancelled.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(attempt(address)).isEqualTo(ErrorCode.UNAVAILABLE);

    server.listen(address, GrpcFixture::echo);
    Deadline patience = in(5000);
    Object outcome = attempt(address);
    while (outcome == ErrorCode.UNAVAILABLE && !patience.expired(clock)) {
      clock.sleep(Duration.ofMillis(20));
      outcome = attempt(address);
    }
    assertThat(outcome).isEqualTo(new Text("again"));
  }

  private Object attempt(Address address) throws InterruptedException {
    Replies attempt = new Replies();
    client.call(address, new Text("again"), in(5000), attempt);
    Object event = attempt.next();
    return event instanceof UniserveException failure ? failure.code() : event;
  }

  @Test
  void aCallBegunInAHandlerOutlivesIt() throws Exception {
    AtomicReference<Transport.Incoming> inner = new AtomicReference<>();
    CompletableFuture<Boolean> arrived = new CompletableFuture<>();
    Address second =
        server
            .listen(
                ANY,
                (request, call) -> {
                  inner.set(call);
                  arrived.complete(true);
                })
            .address();
    Replies ofInner = new Replies();
    Address first =
        server
            .listen(
                ANY,
                (request, call) -> {
                  server.call(second, new Text("inner"), in(20_000), ofInner);
                  echo(request, call);
                })
            .address();
    call(first, new Text("outer"));
    assertThat(replies.next()).isEqualTo(new Text("outer"));
    assertThat(replies.completedNext()).isTrue();
    arrived.get(20, TimeUnit.SECONDS);
    inner.get().reply(new Text("inner reply"));
    inner.get().complete();
    assertThat(ofInner.next()).isEqualTo(new Text("inner reply"));
    assertThat(ofInner.completedNext()).isTrue();
  }

  @Test
  void whatIsHereIsCalledDirectly() throws Exception {
    InProcessNetwork inside = new InProcessNetwork(clock);
    RoutingTransport routing = new RoutingTransport(inside.attach(new Address("process")), server);
    AtomicReference<Message> seen = new AtomicReference<>();
    RoutingTransport.Listening listening =
        routing.listen(
            ANY,
            (request, call) -> {
              seen.set(request);
              echo(request, call);
            });
    Text request = new Text("x");
    routing.call(listening.address(), request, in(1000), replies);
    assertThat(seen.get()).isSameAs(request);
    assertThat(replies.next()).isSameAs(request);
    assertThat(replies.completedNext()).isTrue();

    call(listening.address(), request);
    assertThat(replies.next()).isEqualTo(request).isNotSameAs(request);
    assertThat(replies.completedNext()).isTrue();

    listening.close();
    routing.call(listening.address(), request, in(1000), replies);
    assertThat(replies.failure().code()).isEqualTo(ErrorCode.UNAVAILABLE);
  }
}
