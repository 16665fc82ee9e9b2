package io.uniserve.runtime.wire.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.wire.grpc.TestMessage.Text;
import io.uniserve.runtime.wire.tls.SharedSecret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unanswered messages. */
class TellingTest extends GrpcFixture {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final BlockingQueue<Message> heard = new LinkedBlockingQueue<>();

  private void hear(Message message, Transport.Incoming call) {
    heard.add(message);
    call.reply(new Text("to nobody"));
    call.complete();
  }

  private void tell(Address to, String text) {
    client.tell(to, new Text(text), in(PATIENCE.toMillis()));
  }

  private Message next() throws InterruptedException {
    return heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /**
   * Sends a message repeatedly, as senders that expect losses do; returns the other messages that
   * came before.
   */
  private List<Message> tellUntilHeard(Address to, String text) throws InterruptedException {
    List<Message> before = new ArrayList<>();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      tell(to, text);
      Message message = heard.poll(50, TimeUnit.MILLISECONDS);
      if (new Text(text).equals(message)) {
        heard.clear();
        return before;
      }
      if (message != null) {
        before.add(message);
      }
    }
    return fail("\"%s\" was not heard within %s, but %s", text, PATIENCE, before);
  }

  @Test
  void arriveInOrder() throws Exception {
    Address address = server.listen(ANY, this::hear).address();
    for (int i = 0; i < 5_000; i++) {
      tell(address, "message " + i);
    }
    for (int i = 0; i < 5_000; i++) {
      assertThat(next()).isEqualTo(new Text("message " + i));
    }
  }

  @Test
  void arriveInTheOrderOfEachOfThoseWhoTell() throws Exception {
    Address address = server.listen(ANY, this::hear).address();
    List<Thread> tellers = new ArrayList<>();
    for (int teller = 0; teller < 4; teller++) {
      String name = teller + " ";
      tellers.add(
          Thread.ofPlatform()
              .start(() -> IntStream.range(0, 1_000).forEach(i -> tell(address, name + i))));
    }
    int[] heardOf = new int[4];
    for (int i = 0; i < 4_000; i++) {
      String text = ((Text) next()).text();
      int teller = text.charAt(0) - '0';
      assertThat(text).isEqualTo(teller + " " + heardOf[teller]++);
    }
    for (Thread teller : tellers) {
      teller.join();
    }
  }

  @Test
  void oneThatIsTooLargeIsNotSentAndEndsNothing() throws Exception {
    Address address = server.listen(ANY, this::hear).address();
    try (GrpcTransport small = transport(GrpcSettings.DEFAULT.withMessageBytesMax(2_000))) {
      for (int i = 0; i < 100; i++) {
        small.tell(address, new Text("x".repeat(3_000)), in(PATIENCE.toMillis()));
        small.tell(address, new Text("small " + i), in(PATIENCE.toMillis()));
      }
      for (int i = 0; i < 100; i++) {
        assertThat(next()).isEqualTo(new Text("small " + i));
      }
    }
  }

  @Test
  void oneThatTheReceiverFindsTooLargeCostsNoLaterOne() throws Exception {
    try (GrpcTransport small = transport(GrpcSettings.DEFAULT.withMessageBytesMax(2_000))) {
      Address address = small.listen(ANY, this::hear).address();
      tellUntilHeard(address, "before");
      tell(address, "x".repeat(3_000));
      tellUntilHeard(address, "after");
    }
  }

  /**
   * Messages sent while nobody listens may be lost, or arrive late if they had not been sent yet.
   */
  @Test
  void arriveOnceSomebodyListensAgain() throws Exception {
    GrpcListener first = server.listen(ANY, this::hear);
    Address address = first.address();
    tellUntilHeard(address, "first");
    first.close();
    tell(address, "lost");
    tell(NOBODY, "lost");
    server.listen(address, this::hear);
    assertThat(tellUntilHeard(address, "second")).isSubsetOf(new Text("first"), new Text("lost"));
  }

  @Test
  void oneThatCannotBeHandledCostsNoLaterOne() throws Exception {
    Address address =
        server
            .listen(
                ANY,
                (message, call) -> {
                  if (message.equals(new Text("bad"))) {
                    throw UniserveException.invalid("bad");
                  }
                  hear(message, call);
                })
            .address();
    tell(address, "bad");
    tellUntilHeard(address, "good");
  }

  @Test
  void areNotSentAfterTheirDeadline() throws Exception {
    Address address = server.listen(ANY, this::hear).address();
    client.tell(address, new Text("late"), in(-1));
    tell(address, "in time");
    assertThat(next()).isEqualTo(new Text("in time"));
  }

  @Test
  void ofStrangersAreNotHeard(@TempDir Path directory) throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "s".repeat(40));
    GrpcSecurity secured = GrpcSecurity.secret(new SharedSecret(secret));
    try (GrpcTransport guarded =
        new GrpcTransport(clock, threads, TestMessage.CODEC, GrpcSettings.DEFAULT, secured)) {
      Address address = guarded.listen(ANY, this::hear).address();
      for (int i = 0; i < 100; i++) {
        tell(address, "stranger");
      }
      guarded.tell(address, new Text("member"), in(PATIENCE.toMillis()));
      assertThat(next()).isEqualTo(new Text("member"));
      assertThat(heard).isEmpty();
    }
  }

  @Test
  void doNotPileUpBeforeAReceiverThatIsBehind() throws Exception {
    assertThat(heardOf(100, "x".repeat(1 << 20))).isBetween(8, 40);
  }

  /** Small messages take memory, too. */
  @Test
  void norDoSmallOnes() throws Exception {
    assertThat(heardOf(300_000, "x")).isBetween(5_000, 100_000);
  }

  /**
   * Returns how many messages arrive in the end, of those sent while the receiver does not listen.
   */
  private int heardOf(int told, String text) throws InterruptedException {
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger count = new AtomicInteger();
    Address address =
        server
            .listen(
                ANY,
                (message, call) -> {
                  if (message.equals(new Text("last"))) {
                    hear(message, call);
                  } else if (count.getAndIncrement() == 0) {
                    await(goOn);
                  }
                })
            .address();
    for (int i = 0; i < told; i++) {
      tell(address, text);
    }
    goOn.countDown();
    tellUntilHeard(address, "last");
    return count.get();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
