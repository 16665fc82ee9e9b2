package io.uniserve.runtime.wire.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.internal.PlatformDependent;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.grpc.GrpcSettings;
import io.uniserve.runtime.wire.grpc.GrpcTransport;
import io.uniserve.testkit.fuzz.FuzzRun;
import io.uniserve.testkit.fuzz.Mutator;
import io.uniserve.testkit.fuzz.Resources;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A process goes on to answer sensible callers, whatever else arrives at its port. */
class ConnectionsFuzzTest {
  private static final java.util.logging.Logger NETWORK_LOG =
      java.util.logging.Logger.getLogger("io.grpc");
  private static final int CASES_PER_CHECK = 25;
  private static final int SILENCE_MILLIS = 15;

  private final SystemClock clock = new SystemClock();
  private final WireCodec codec = new WireCodec(new Engines(List.of()));
  private final ListAppender<ILoggingEvent> leaks = new ListAppender<>();
  private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
  private final GrpcTransport server = transport();
  private Address address;

  private GrpcTransport transport() {
    return new GrpcTransport(clock, new ProductionThreads(), codec, GrpcSettings.DEFAULT);
  }

  @BeforeEach
  void listen() {
    NETWORK_LOG.setLevel(Level.OFF);
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    Logger detector = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    leaks.start();
    detector.addAppender(leaks);
    address =
        server
            .listen(
                new Address("127.0.0.1:0"),
                (request, call) -> {
                  call.reply(request);
                  call.complete();
                })
            .address();
  }

  @AfterEach
  void close() {
    server.close();
    clock.close();
    ((Logger) LoggerFactory.getLogger(ResourceLeakDetector.class)).detachAppender(leaks);
    ResourceLeakDetector.setLevel(level);
  }

  @Test
  void whatMakesNoSenseEndsItsConnectionAlone() throws Exception {
    List<byte[]> real = Recording.of(codec, clock, messages());
    ask();
    Resources before = Resources.now();
    long directBefore = PlatformDependent.usedDirectMemory();
    long cases =
        new FuzzRun("connections", Duration.ofSeconds(8))
            .run(
                random -> {
                  byte[] bytes = real.get(random.nextInt(real.size()));
                  send(Mutator.mutate(bytes, real, random));
                  if (random.nextInt(CASES_PER_CHECK) == 0) {
                    ask();
                  }
                });
    ask();
    before.awaitAgain(8, 8, 32 << 20);
    assertThat(PlatformDependent.usedDirectMemory() - directBefore).isLessThan(64 << 20);
    assertThat(leaks.list).as("after %s cases", cases).isEmpty();
  }

  private static List<Message> messages() {
    List<Message> messages = new ArrayList<>();
    Random fixed = new Random(2);
    while (messages.size() < 20) {
      try {
        messages.add((Message) new RandomRecords(fixed).of(ControlMessage.class));
      } catch (UniserveException e) {
        // the message could not be made; another one is tried
      }
    }
    return messages;
  }

  /** Sends bytes and reads the answer until nothing more comes. */
  private void send(byte[] bytes) throws IOException {
    int port = Integer.parseInt(address.value().substring(address.value().indexOf(':') + 1));
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(SILENCE_MILLIS);
      socket.setTcpNoDelay(true);
      socket.getOutputStream().write(bytes);
      InputStream in = socket.getInputStream();
      byte[] answer = new byte[4096];
      while (in.read(answer) >= 0) {
        // until it ends or falls silent
      }
    } catch (SocketTimeoutException | SocketException e) {
      // the other side is silent, or has ended the connection
    }
  }

  /** Asserts that a sensible request is answered. */
  private void ask() throws Exception {
    CompletableFuture<Message> answer = new CompletableFuture<>();
    try (GrpcTransport client = transport()) {
      client.call(
          address,
          messages().getFirst(),
          Deadline.after(clock, Duration.ofSeconds(10)),
          new Transport.ReplyObserver() {
            @Override
            public void replied(Message reply) {
              answer.complete(reply);
            }

            @Override
            public void completed() {
              answer.completeExceptionally(new AssertionError("no reply"));
            }

            @Override
            public void failed(UniserveException failure) {
              answer.completeExceptionally(failure);
            }
          });
      assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(messages().getFirst());
    }
  }
}
