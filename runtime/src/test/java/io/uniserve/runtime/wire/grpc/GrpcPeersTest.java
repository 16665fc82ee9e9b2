package io.uniserve.runtime.wire.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.wire.grpc.TestMessage.Blob;
import io.uniserve.runtime.wire.grpc.TestMessage.Text;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The transport against peers that do not behave as it does itself. */
class GrpcPeersTest {
  /**
   * A reference that keeps the logger, since loggers are forgotten. The failures provoked here
   * would be logged at length.
   */
  private static final Logger NETWORK_LOG = Logger.getLogger("io.grpc");

  private static final Address ANY = new Address("127.0.0.1:0");

  private final SystemClock clock = new SystemClock();
  private final ProductionThreads threads = new ProductionThreads();
  private final GrpcTransport transport =
      new GrpcTransport(clock, threads, TestMessage.CODEC, GrpcSettings.DEFAULT);
  private final LinkedBlockingQueue<Object> events = new LinkedBlockingQueue<>();
  private ManagedChannel channel;

  @BeforeAll
  static void beQuiet() {
    NETWORK_LOG.setLevel(Level.OFF);
  }

  @AfterEach
  void close() {
    if (channel != null) {
      channel.shutdownNow();
    }
    transport.close();
    clock.close();
  }

  /** Begins a call whose replies come only when requested. */
  private ClientCall<Bytes, Bytes> rawCall(Address to, Metadata headers, ByteBuffer... requests) {
    HostPort target = HostPort.of(to);
    channel =
        NettyChannelBuilder.forAddress(target.host(), target.port())
            .usePlaintext()
            .directExecutor()
            .build();
    ClientCall<Bytes, Bytes> call =
        channel.newCall(Protocol.CALL, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(Bytes message) {
            events.add(message);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            events.add(
                status.isOk()
                    ? "OK"
                    : ErrorTrailer.failureOf(status, trailers, false, "the server"));
          }
        },
        headers);
    for (ByteBuffer request : requests) {
      call.sendMessage(new Bytes(request));
    }
    call.halfClose();
    return call;
  }

  private Object next() throws InterruptedException {
    Object event = events.poll(20, TimeUnit.SECONDS);
    assertThat(event).as("something within 20 s").isNotNull();
    return event;
  }

  private static ByteBuffer text(String text) {
    return TestMessage.CODEC.encode(new Text(text));
  }

  @Test
  void aSlowReaderHoldsTheSenderBack() throws Exception {
    int pieces = 400;
    AtomicInteger sent = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(1);
    Address address =
        transport
            .listen(
                ANY,
                (request, call) ->
                    threads.start(
                        "stream",
                        () -> {
                          for (int i = 0; i < pieces; i++) {
                            call.reply(new Blob(ByteBuffer.allocate(64 << 10)));
                            sent.incrementAndGet();
                          }
                          call.complete();
                          done.countDown();
                        }))
            .address();
    ClientCall<Bytes, Bytes> call = rawCall(address, Protocol.headers(), text("go"));
    call.request(1);
    assertThat(next()).isInstanceOf(Bytes.class);
    int settled = settled(sent);
    assertThat(settled).as("pieces of 64 KiB that nobody has asked for").isLessThan(100);
    assertThat(done.getCount()).isEqualTo(1);
    call.request(pieces);
    for (int i = 1; i < pieces; i++) {
      assertThat(next()).isInstanceOf(Bytes.class);
    }
    assertThat(next()).isEqualTo("OK");
    assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
  }

  /** Returns the number once it has not changed for 200 ms. */
  private int settled(AtomicInteger number) throws InterruptedException {
    int before = -1;
    while (before != number.get()) {
      before = number.get();
      clock.sleep(Duration.ofMillis(200));
    }
    return before;
  }

  @Test
  void aSenderThatWaitsIsWokenByTheCancellation() throws Exception {
    Address address =
        transport
            .listen(
                ANY,
                (request, call) ->
                    threads.start(
                        "stream",
                        () -> {
                          try {
                            while (true) {
                              call.reply(new Blob(ByteBuffer.allocate(64 << 10)));
                            }
                          } catch (UniserveException e) {
                            events.add(e.code());
                          }
                        }))
            .address();
    ClientCall<Bytes, Bytes> call = rawCall(address, Protocol.headers(), text("go"));
    call.request(1);
    assertThat(next()).isInstanceOf(Bytes.class);
    call.cancel("enough", null);
    assertThat(java.util.List.of(next(), next()))
        .anySatisfy(event -> assertThat(event).isEqualTo(ErrorCode.CANCELLED));
  }

  @Test
  void anotherVersionIsRefusedWithBothVersionsNamed() throws Exception {
    Address address = transport.listen(ANY, (request, call) -> call.complete()).address();
    Metadata headers = new Metadata();
    headers.put(Protocol.VERSION_HEADER, "999");
    rawCall(address, headers, text("x")).request(1);
    assertThat(next())
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED);
              assertThat(e)
                  .hasMessageContaining("version " + Protocol.VERSION)
                  .hasMessageContaining("version 999");
            });
    channel.shutdownNow();
    rawCall(address, new Metadata(), text("x")).request(1);
    assertThat(next()).asString().contains("no version of it");
  }

  @Test
  void bytesThatAreNoMessageAreCorrupt() throws Exception {
    Address address = transport.listen(ANY, (request, call) -> call.complete()).address();
    rawCall(address, Protocol.headers(), ByteBuffer.wrap(new byte[] {5, 1, 2})).request(1);
    assertThat(next())
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT));
  }

  @Test
  void aCallHasOneRequest() throws Exception {
    Address address = transport.listen(ANY, (request, call) -> call.complete()).address();
    rawCall(address, Protocol.headers()).request(1);
    assertThat(next()).asString().contains("one request, not 0");
    channel.shutdownNow();
    rawCall(address, Protocol.headers(), text("a"), text("b")).request(1);
    assertThat(next()).isInstanceOf(UniserveException.class);
  }

  private Object callRawServer(io.grpc.ServerCallHandler<Bytes, Bytes> handler) throws Exception {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder(Protocol.SERVICE)
                    .addMethod(Protocol.CALL, handler)
                    .build())
            .build()
            .start();
    try {
      Replies replies = new Replies();
      transport.call(
          new Address("127.0.0.1:" + server.getPort()),
          new Text("x"),
          Deadline.after(clock, Duration.ofSeconds(20)),
          replies);
      return replies.failure();
    } finally {
      server.shutdownNow();
    }
  }

  private static ServerCall.Listener<Bytes> answer(
      ServerCall<Bytes, Bytes> call, Metadata headers, ByteBuffer message) {
    call.sendHeaders(headers);
    call.sendMessage(new Bytes(message));
    call.close(Status.OK, new Metadata());
    return new ServerCall.Listener<>() {};
  }

  @Test
  void aServerOfAnotherVersionIsUnsupported() throws Exception {
    Metadata other = new Metadata();
    other.put(Protocol.VERSION_HEADER, "2" + "0".repeat(100));
    assertThat(callRawServer((call, headers) -> answer(call, other, text("x"))))
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED);
              assertThat(e.getMessage()).contains("127.0.0.1").hasSizeLessThan(200);
            });
  }

  @Test
  void aReplyThatIsNoMessageIsCorrupt() throws Exception {
    ByteBuffer garbage = ByteBuffer.wrap(new byte[] {1, 2, 3, 4});
    assertThat(callRawServer((call, headers) -> answer(call, Protocol.headers(), garbage)))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT));
  }

  @Test
  void anErrorTrailerThatCannotBeReadIsCorrupt() throws Exception {
    Metadata trailers = new Metadata();
    trailers.put(
        Metadata.Key.of("uniserve-error-bin", Metadata.BINARY_BYTE_MARSHALLER),
        new byte[] {(byte) 200, 1});
    Object failure =
        callRawServer(
            (call, headers) -> {
              call.close(Status.INTERNAL, trailers);
              return new ServerCall.Listener<>() {};
            });
    assertThat(failure)
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT));
  }

  @Test
  void anotherGrpcServiceIsUnsupported() throws Exception {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0)).build().start();
    Replies replies = new Replies();
    transport.call(
        new Address("127.0.0.1:" + server.getPort()),
        new Text("x"),
        Deadline.after(clock, Duration.ofSeconds(20)),
        replies);
    assertThat(replies.failure())
        .hasMessageContaining("no Uniserve process")
        .extracting(UniserveException::code)
        .isEqualTo(ErrorCode.UNSUPPORTED);
    server.shutdownNow();
  }
}
