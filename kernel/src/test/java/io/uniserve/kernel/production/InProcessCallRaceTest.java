package io.uniserve.kernel.production;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.RecordedReplies;
import io.uniserve.kernel.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests with all parties trying to end a call at the same time. */
class InProcessCallRaceTest {
  private static final int ROUNDS = 3000;
  private static final Address SERVER = new Address("server");

  private record Piece(int number) implements Message {}

  private final SystemClock clock = new SystemClock();
  private final InProcessNetwork network = new InProcessNetwork(clock);
  private final Transport client = network.attach(new Address("client"));
  private final Transport server = network.attach(SERVER);

  private final CyclicBarrier barrier = new CyclicBarrier(4);
  private final AtomicReference<Transport.Incoming> incoming = new AtomicReference<>();
  private volatile Transport.Call call;

  @Test
  void repliesAreSerialAndTheEndIsOne() throws Exception {
    Map<String, Integer> ends = new LinkedHashMap<>();
    AtomicInteger cancelTasks = new AtomicInteger();
    int cancelled = 0;
    List<Thread> racers = List.of(racer(this::replyMany), racer(this::endWell), racer(this::abort));
    for (int round = 0; round < ROUNDS; round++) {
      RecordedReplies replies = new RecordedReplies();
      Transport.Registration registration =
          server.listen(SERVER, (request, arrived) -> incoming.set(arrived));
      Deadline deadline =
          Deadline.after(clock, round % 3 == 0 ? Duration.ofNanos(20_000) : Duration.ofSeconds(9));
      incoming.set(null);
      call = client.call(SERVER, new Piece(round), deadline, replies);
      if (incoming.get() != null) {
        incoming.get().onCancel(cancelTasks::incrementAndGet);
      }
      barrier.await();
      if (round % 5 == 0) {
        registration.close();
      }
      barrier.await();
      registration.close();
      replies.awaitEnd();
      assertThat(replies.violations()).isEmpty();
      assertThat(replies.replies()).isEqualTo(pieces(replies.replies().size()));
      ends.merge(replies.end(), 1, Integer::sum);
      if (incoming.get() != null && !replies.end().equals(RecordedReplies.COMPLETED)) {
        cancelled++;
      }
    }
    racers.forEach(Thread::interrupt);
    assertThat(cancelTasks.get()).isEqualTo(cancelled);
    assertThat(network.open().count()).isZero();
    assertThat(ends).containsKeys(RecordedReplies.COMPLETED, "CANCELLED");
  }

  private static List<Message> pieces(int count) {
    List<Message> pieces = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pieces.add(new Piece(i));
    }
    return pieces;
  }

  private Thread racer(Runnable part) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                while (true) {
                  barrier.await();
                  part.run();
                  barrier.await();
                }
              } catch (Exception e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private void replyMany() {
    Transport.Incoming arrived = incoming.get();
    try {
      for (int i = 0; arrived != null && i < 20; i++) {
        arrived.reply(new Piece(i));
      }
    } catch (UniserveException e) {
      assertThat(arrived.cancelled()).isTrue();
    }
  }

  private void endWell() {
    Transport.Incoming arrived = incoming.get();
    for (int i = 0; i < 30; i++) {
      Thread.onSpinWait();
    }
    if (arrived != null) {
      arrived.complete();
    }
  }

  private void abort() {
    for (int i = 0; i < 25; i++) {
      Thread.onSpinWait();
    }
    call.cancel();
  }
}
