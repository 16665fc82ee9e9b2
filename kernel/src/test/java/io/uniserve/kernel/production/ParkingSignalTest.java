package io.uniserve.kernel.production;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Signal;
import java.lang.Thread.State;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ParkingSignalTest {
  private final SystemClock clock = new SystemClock();
  private final ProductionThreads threads = new ProductionThreads();

  private Deadline in(long millis) {
    return Deadline.after(clock, Duration.ofMillis(millis));
  }

  @Test
  void wakesAllWhoWait() throws Exception {
    Signal signal = threads.signal();
    LinkedBlockingQueue<Boolean> woken = new LinkedBlockingQueue<>();
    Runnable waiting = () -> woken.add(awaitUntil(signal, in(60_000)));
    List<Thread> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiters.add(threads.start("waiter", waiting));
      waiters.add(Thread.ofPlatform().start(waiting));
    }
    waiters.forEach(ParkingSignalTest::awaitParked);
    assertThat(signal.isSet()).isFalse();
    signal.set();
    signal.set();
    for (int i = 0; i < 10; i++) {
      assertThat(woken.poll(20, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(signal.isSet()).isTrue();
    assertThat(signal.await(in(-1))).isTrue();
  }

  @Test
  void givesUpAtTheDeadline() throws Exception {
    long before = clock.nanos();
    assertThat(threads.signal().await(in(20))).isFalse();
    assertThat(clock.nanos() - before).isGreaterThanOrEqualTo(20_000_000);
    assertThat(threads.signal().await(in(-1))).isFalse();
  }

  /** It stays awake first, which takes longer than it takes to see that the time is up. */
  @Test
  void staysAwakeForWhatIsExpectedSoon() throws Exception {
    assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    for (int i = 0; i < 20; i++) {
      long before = System.nanoTime();
      assertThat(threads.signal().await(in(-1), AdaptiveSpin.SOON_NANOS)).isFalse();
      assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(AdaptiveSpin.SOON_NANOS);
    }
  }

  /** The longest comes first, others are earlier than all before them, and two are at once. */
  @Test
  void wakesEachVirtualThreadAtItsOwnDeadline() throws Exception {
    LinkedBlockingQueue<Long> woken = new LinkedBlockingQueue<>();
    long start = clock.nanos();
    for (long millis : List.of(60_000L, 400L, 200L, 0L, 100L, 200L, 300L)) {
      Deadline deadline = new Deadline(start + millis * 1_000_000);
      threads.start(
          "waiter",
          () -> {
            assertThat(awaitUntil(threads.signal(), deadline)).isFalse();
            assertThat(deadline.expired(clock)).isTrue();
            woken.add(millis);
          });
    }
    List<Long> expired = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Long millis = woken.poll(50, TimeUnit.SECONDS);
      assertThat(millis).as("a wait beside %s", expired).isNotNull();
      expired.add(millis);
    }
    assertThat(expired).containsExactlyInAnyOrder(0L, 100L, 200L, 200L, 300L, 400L);
  }

  /** A timed wait of a virtual thread would be given to a thread of the JDK's, and taken back. */
  @Test
  void aVirtualThreadWaitsWithoutATimer() throws Exception {
    TimedWaits timedWaits = TimedWaits.start();
    Signal signal = new ParkingSignal(timedWaits);
    Thread waiter = threads.start("waiter", () -> awaitUntil(signal, in(60_000)));
    awaitParked(waiter);
    assertThat(waiter.getState()).isEqualTo(State.WAITING);
    assertThat(timedWaits.count()).isOne();
    signal.set();
    waiter.join();
    assertThat(timedWaits.count()).isZero();
  }

  @Test
  void aWaitWakesNobodyUnlessItIsTheEarliest() {
    TimedWaits timedWaits = TimedWaits.start();
    long start = clock.nanos();
    timedWaits.begin(start + 60_000_000_000L);
    awaitParked(timedWaits.thread());
    long before = pauses(timedWaits.thread());
    for (int i = 0; i < 1_000; i++) {
      timedWaits.begin(start + 70_000_000_000L + i).end();
    }
    assertThat(pauses(timedWaits.thread()) - before).isLessThan(10);
  }

  /** Returns the number of times that a platform thread has begun to wait. */
  private static long pauses(Thread thread) {
    return ManagementFactory.getThreadMXBean().getThreadInfo(thread.threadId()).getWaitedCount();
  }

  /** Deadlines that pass while others begin to wait, and signals that come at the deadline. */
  @Test
  void noWaitOutlastsItsDeadline() throws Exception {
    int waits = 20_000;
    Semaphore ended = new Semaphore(0);
    Random random = new Random(5);
    for (int i = 0; i < waits; i++) {
      Signal signal = threads.signal();
      long micros = random.nextInt(3_000);
      Deadline deadline = Deadline.after(clock, Duration.ofNanos(micros * 1_000));
      threads.start(
          "waiter",
          () -> {
            assertThat(awaitUntil(signal, deadline) || deadline.expired(clock)).isTrue();
            ended.release();
          });
      if (random.nextInt(3) == 0) {
        threads.start("setter", signal::set);
      }
    }
    assertThat(ended.tryAcquire(waits, 50, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void anInterruptedWaiterIsCancelledAndStaysInterrupted() throws Exception {
    Promise<String> promise = new Promise<>(threads);
    LinkedBlockingQueue<Object> outcome = new LinkedBlockingQueue<>();
    Thread waiter =
        threads.start(
            "waiter",
            () -> {
              try {
                outcome.add(promise.await(in(10_000), "a thing"));
              } catch (UniserveException e) {
                outcome.add(e.code() + " " + Thread.currentThread().isInterrupted());
              }
            });
    waiter.interrupt();
    assertThat(outcome.take()).isEqualTo(ErrorCode.CANCELLED + " true");
  }

  @Test
  void aPromiseKeepsItsFirstOutcome() {
    Promise<String> promise = new Promise<>(threads);
    assertThat(promise.complete("first")).isTrue();
    assertThat(promise.complete("second")).isFalse();
    assertThat(promise.fail(UniserveException.invalid("late"))).isFalse();
    assertThat(promise.await(in(10), "a thing")).isEqualTo("first");
    assertThatThrownBy(() -> new Promise<String>(threads).await(in(1), "a thing"))
        .hasMessageContaining("a thing")
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
  }

  private static void awaitParked(Thread thread) {
    while (thread.getState() != State.WAITING && thread.getState() != State.TIMED_WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }

  private static boolean awaitUntil(Signal signal, Deadline deadline) {
    try {
      return signal.await(deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
