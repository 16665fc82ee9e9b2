package io.uniserve.runtime.wire.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.wire.grpc.TestMessage.Blob;
import io.uniserve.runtime.wire.grpc.TestMessage.Text;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Over real sockets. */
class GrpcTransportTest {
  /**
   * Kept, since loggers are forgotten; the failures that are provoked here are logged at length.
   */
  private static final Logger NETWORK_LOG = Logger.getLogger("io.grpc");

  private static final Address ANY = new Address("127.0.0.1:0");
  private static final Address NOBODY = new Address("127.0.0.1:1");

  private final SystemClock clock = new SystemClock();
  private final ProductionThreads threads = new ProductionThreads();
  private final GrpcTransport server = transport(GrpcSettings.DEFAULT);
  private final GrpcTransport client = transport(GrpcSettings.DEFAULT);
  private final Replies replies = new Replies();

  private GrpcTransport transport(GrpcSettings settings) {
    return new GrpcTransport(clock, threads, TestMessage.CODEC, settings);
  }

  @BeforeAll
  static void beQuiet() {
    NETWORK_LOG.setLevel(Level.OFF);
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
    clock.close();
  }

  private Deadline in(long millis) {
    return Deadline.after(clock, Duration.ofMillis(millis));
  }

  private Transport.Call call(Address to, Message request) {
    return client.call(to, request, in(20_000), replies);
  }

  private static void echo(Message request, Transport.Incoming call) {
    call.reply(request);
    call.complete();
  }

  @Test
  void carriesOneReply() throws Exception {
    Address address = server.listen(ANY, GrpcTransportTest::echo).address();
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

  @ParameterizedTest
  @EnumSource
  void everyErrorKeepsCodeAndMessage(ErrorCode code) throws Exception {
    Address address =
        server
            .listen(
                ANY,
                (request, call) -> {
                  call.reply(request);
                  call.fail(new UniserveException(code, "no “movies” here\nline two"));
                })
            .address();
    call(address, new Text("x"));
    assertThat(replies.next()).isEqualTo(new Text("x"));
    UniserveException failure = replies.failure();
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure).hasMessage("no “movies” here\nline two");
  }

  @Test
  void aLongErrorMessageIsCut() throws Exception {
    String text = "漢😀".repeat(20_000);
    Address address =
        server.listen(ANY, (request, call) -> call.fail(UniserveException.invalid(text))).address();
    call(address, new Text("x"));
    UniserveException failure = replies.failure();
    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(failure.getMessage()).startsWith("漢😀漢").endsWith("…").hasSizeBetween(500, 1501);
  }

  @Test
  void whatAHandlerThrowsIsToldToTheCaller() throws Exception {
    Address address =
        server
            .listen(
                ANY,
                (request, call) -> {
                  throw new IllegalStateException("broken handler");
                })
            .address();
    call(address, new Text("x"));
    assertThat(replies.failure())
        .hasMessageContaining("broken handler")
        .extracting(UniserveException::code)
        .isEqualTo(ErrorCode.INTERNAL);
  }

  @Test
  void nobodyListens() throws Exception {
    call(NOBODY, new Text("x"));
    UniserveException failure = replies.failure();
    assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(failure).hasMessageContaining(NOBODY.value());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nohost", "host:", ":80", "host:99999", "a b:80", "http://host:80", "[::1]"})
  void anAddressIsHostAndPort(String text) throws Exception {
    call(new Address(text), new Text("x"));
    assertThat(replies.failure())
        .hasMessageContaining("'" + text + "'")
        .extracting(UniserveException::code)
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void anUnknownHostIsUnavailable() throws Exception {
    call(new Address("no-such-host.invalid:80"), new Text("x"));
    assertThat(replies.failure().code()).isEqualTo(ErrorCode.UNAVAILABLE);
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
                  remaining.complete(call.deadline().remaining(clock));
                  call.onCancel(() -> cancelled.complete(true));
                })
            .address();
    client.call(address, new Text("x"), in(400), replies);
    assertThat(remaining.get(20, TimeUnit.SECONDS))
        .isBetween(Duration.ZERO, Duration.ofMillis(400));
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

    server.listen(address, GrpcTransportTest::echo);
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
  void aPortHasOneListener() {
    Address address = server.listen(ANY, GrpcTransportTest::echo).address();
    assertThatThrownBy(() -> server.listen(address, GrpcTransportTest::echo))
        .hasMessageContaining(address.value())
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS));
    assertThatThrownBy(() -> server.listen(new Address("192.0.2.1:0"), GrpcTransportTest::echo))
        .hasMessageContaining("192.0.2.1:0")
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }

  @Test
  void tooLargeMessagesAreRefusedAtEitherEnd() throws Exception {
    Blob large = new Blob(ByteBuffer.allocate(4000));
    try (GrpcTransport small = transport(GrpcSettings.DEFAULT.withMessageBytesMax(2048))) {
      Address generous = server.listen(ANY, (request, call) -> call.reply(large)).address();
      Address strict = small.listen(ANY, GrpcTransportTest::echo).address();
      Replies[] all = {new Replies(), new Replies(), new Replies()};
      small.call(generous, large, in(20_000), all[0]);
      client.call(strict, large, in(20_000), all[1]);
      small.call(generous, new Text("x"), in(20_000), all[2]);
      for (Replies each : all) {
        assertThat(each.failure())
            .hasMessageContaining("messageBytesMax")
            .hasMessageContaining("2048")
            .extracting(UniserveException::code)
            .isEqualTo(ErrorCode.TOO_LARGE);
      }
      call(strict, new Text("still serving"));
      assertThat(replies.next()).isEqualTo(new Text("still serving"));
    }
  }

  @Test
  void aReplyThatIsTooLargeIsTheRepliersError() throws Exception {
    try (GrpcTransport small = transport(GrpcSettings.DEFAULT.withMessageBytesMax(2048))) {
      Address address =
          small
              .listen(ANY, (request, call) -> call.reply(new Blob(ByteBuffer.allocate(4000))))
              .address();
      call(address, new Text("x"));
      assertThat(replies.failure())
          .hasMessageContaining("Blob")
          .extracting(UniserveException::code)
          .isEqualTo(ErrorCode.TOO_LARGE);
    }
  }

  @Test
  void aMessageOfManyMegabytesFits() throws Exception {
    byte[] bytes = new byte[20 << 20];
    java.util.Arrays.fill(bytes, (byte) 7);
    call(server.listen(ANY, GrpcTransportTest::echo).address(), new Blob(ByteBuffer.wrap(bytes)));
    assertThat(replies.next()).isEqualTo(new Blob(ByteBuffer.wrap(bytes)));
  }

  @Test
  void anObserverThatThrowsEndsItsCall() throws Exception {
    Address address = server.listen(ANY, GrpcTransportTest::echo).address();
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
          }
        };
    client.call(address, new Text("x"), in(20_000), broken);
    assertThat(replies.failure())
        .hasMessageContaining("broken observer")
        .extracting(UniserveException::code)
        .isEqualTo(ErrorCode.INTERNAL);
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nthis is no frame, this is no frame",
        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"
      })
  void garbageOnThePortHarmsNobody(String garbage) throws Exception {
    Address address = server.listen(ANY, GrpcTransportTest::echo).address();
    int port = HostPort.of(address).port();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(garbage.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      socket.shutdownOutput();
      readToTheEnd(socket);
    }
    call(address, new Text("still serving"));
    assertThat(replies.next()).isEqualTo(new Text("still serving"));
  }

  private static void readToTheEnd(Socket socket) {
    try {
      socket.getInputStream().readAllBytes();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }

  @Test
  void aPeerThatSpeaksGarbageIsUnavailable() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      threads.start(
          "garbage",
          () -> {
            try (Socket socket = listening.accept()) {
              socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nhello".getBytes());
              socket.getOutputStream().flush();
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          });
      call(new Address("127.0.0.1:" + listening.getLocalPort()), new Text("x"));
      assertThat(replies.failure().code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }
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
