package io.uniserve.simulation.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.schedule.SimulationFailure.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SchedulerTest {
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private final Scheduler scheduler = scheduler(1);
  private final Life life = scheduler.begin("process");
  private final SimulatedClock clock = new SimulatedClock(scheduler, life, new ClockError(0));

  private static Scheduler scheduler(long seed) {
    return new Scheduler(new Seed(seed).random("schedule"), 100_000);
  }

  @Test
  void theSameSeedGivesTheSameTrace() {
    Set<Long> traces = new HashSet<>();
    for (int seed = 0; seed < 200; seed++) {
      long first = traceOfSmallProgram(seed);
      assertThat(traceOfSmallProgram(seed)).as("seed %s", seed).isEqualTo(first);
      traces.add(first);
    }
    assertThat(traces).as("traces of different seeds").hasSize(200);
  }

  /** Runs producers and consumers that meet at a queue, a lock, timers and random pauses. */
  private static long traceOfSmallProgram(long seed) {
    Scheduler scheduler = scheduler(seed);
    Life life = scheduler.begin("small");
    SimulatedClock clock = new SimulatedClock(scheduler, life, new ClockError(0));
    var random = new Seed(seed).random("program");
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
    ReentrantLock lock = new ReentrantLock();
    List<Integer> taken = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int first = 10 * i;
      life.start(
          "producer",
          () -> {
            for (int j = 0; j < 5; j++) {
              clock.pass(Duration.ofNanos(random.nextInt(5)));
              put(queue, first + j);
            }
          });
      life.start(
          "consumer",
          () -> {
            for (int j = 0; j < 5; j++) {
              int number = take(queue);
              lock.lock();
              Thread.yield();
              taken.add(number);
              lock.unlock();
            }
          });
    }
    scheduler.run(() -> taken.size() == 15, MINUTE, "all taken");
    return scheduler.trace().hash();
  }

  private static void put(BlockingQueue<Integer> queue, int number) {
    try {
      queue.put(number);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int take(BlockingQueue<Integer> queue) {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void timeJumpsToTheNextEventWhenNothingCanRun() {
    List<Long> moments = new ArrayList<>();
    life.start(
        "sleeper",
        () -> {
          moments.add(clock.nanos());
          clock.pass(Duration.ofDays(1));
          moments.add(clock.nanos());
        });
    scheduler.runTo(Duration.ofDays(2).toNanos(), () -> {});
    assertThat(moments).containsExactly(0L, Duration.ofDays(1).toNanos());
    assertThat(scheduler.nanos()).isEqualTo(Duration.ofDays(2).toNanos());
  }

  @Test
  void anAwaitEndsAtItsDeadlineOrWhenTheSignalIsSet() {
    Signal signal = new SimulatedSignal(scheduler, life, clock);
    List<Boolean> results = new ArrayList<>();
    life.start("waiting", () -> results.add(await(signal, Duration.ofSeconds(1))));
    scheduler.runTo(Duration.ofMillis(999).toNanos(), () -> {});
    assertThat(results).isEmpty();
    scheduler.runTo(Duration.ofSeconds(2).toNanos(), () -> {});
    assertThat(results).containsExactly(false);

    life.start("waiting again", () -> results.add(await(signal, Duration.ofSeconds(10))));
    life.start("setter", signal::set);
    scheduler.runTo(Duration.ofSeconds(3).toNanos(), () -> {});
    assertThat(results).containsExactly(false, true);
  }

  private boolean await(Signal signal, Duration duration) {
    try {
      return signal.await(Deadline.after(clock, duration));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anInterruptEndsAnAwait() {
    Signal signal = new SimulatedSignal(scheduler, life, clock);
    List<String> ends = new ArrayList<>();
    Thread waiting =
        life.start(
            "waiting",
            () -> {
              try {
                signal.await(Deadline.after(clock, Duration.ofHours(1)));
              } catch (InterruptedException e) {
                ends.add("interrupted");
              }
            });
    life.start("interrupter", waiting::interrupt);
    scheduler.runTo(MINUTE, () -> {});
    assertThat(ends).containsExactly("interrupted");
  }

  @Test
  void aDeadlockIsFoundAndShowsWhereEachThreadWaits() {
    ReentrantLock one = new ReentrantLock();
    ReentrantLock other = new ReentrantLock();
    int[] holding = new int[1];
    life.start("first", () -> lockBoth(one, other, holding));
    life.start("second", () -> lockBoth(other, one, holding));
    assertThatFailure(() -> scheduler.run(() -> false, MINUTE, "the end"), Kind.DEADLOCK)
        .hasMessageContaining("the end")
        .hasMessageContaining("process/first")
        .hasMessageContaining("SchedulerTest.lockBoth");
  }

  private static void lockBoth(ReentrantLock first, ReentrantLock second, int[] holding) {
    first.lock();
    holding[0]++;
    while (holding[0] < 2) {
      Thread.yield();
    }
    second.lock();
  }

  @Test
  void aGoalThatIsNotReachedInTimeIsReported() {
    life.start(
        "ticker",
        () -> {
          while (true) {
            clock.pass(Duration.ofSeconds(1));
          }
        });
    assertThatFailure(() -> scheduler.run(() -> false, MINUTE, "peace"), Kind.NO_PROGRESS)
        .hasMessageContaining("peace is not reached");
  }

  @Test
  void aCircleExhaustsTheBudgetOfSteps() {
    life.start(
        "spinner",
        () -> {
          while (true) {
            Thread.yield();
          }
        });
    assertThatFailure(() -> scheduler.run(() -> false, MINUTE, "peace"), Kind.STEP_BUDGET);
  }

  @Test
  void aWakeUpByAnotherThreadIsFound() {
    Thread parked = life.start("parked", LockSupport::park);
    Runnable wake =
        () -> {
          Thread foreign = Thread.ofPlatform().start(() -> LockSupport.unpark(parked));
          while (foreign.isAlive()) {
            Thread.onSpinWait();
          }
        };
    scheduler.at(1, () -> life.start("caller", wake));
    assertThatFailure(() -> scheduler.runTo(MINUTE, () -> {}), Kind.FOREIGN_WAKE_UP)
        .hasMessageContaining("process/parked");
  }

  @Test
  void aSleepOnTheWallClockIsFound() {
    life.start(
        "sleeper",
        () -> {
          try {
            Thread.sleep(60_000);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    assertThatFailure(() -> scheduler.runTo(MINUTE, () -> {}), Kind.UNSEEN_WAIT)
        .hasMessageContaining("process/sleeper waits on the wall clock");
  }

  @Test
  void aWaitForAMonitorIsFound() {
    Object monitor = new Object();
    for (int i = 0; i < 2; i++) {
      life.start(
          "owner-" + i,
          () -> {
            synchronized (monitor) {
              clock.pass(Duration.ofSeconds(1));
            }
          });
    }
    assertThatFailure(() -> scheduler.runTo(MINUTE, () -> {}), Kind.UNSEEN_WAIT)
        .hasMessageContaining("waits for a monitor");
  }

  @Test
  void aMonitorThatSomebodyElseHoldsForMomentsChangesNothing() throws InterruptedException {
    Object monitor = new Object();
    long alone = traceOfEntering(monitor);
    AtomicBoolean ended = new AtomicBoolean();
    CountDownLatch held = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!ended.get()) {
                    synchronized (monitor) {
                      held.countDown();
                      Thread.yield();
                    }
                  }
                });
    held.await();
    try {
      assertThat(traceOfEntering(monitor)).isEqualTo(alone);
    } finally {
      ended.set(true);
      other.join();
    }
  }

  private static long traceOfEntering(Object monitor) {
    Scheduler scheduler = scheduler(1);
    Life life = scheduler.begin("entering");
    SimulatedClock clock = new SimulatedClock(scheduler, life, new ClockError(0));
    AtomicInteger entered = new AtomicInteger();
    for (int i = 0; i < 4; i++) {
      life.start(
          "thread-" + i,
          () -> {
            for (int j = 0; j < 5_000; j++) {
              clock.pass(Duration.ofNanos(1));
              synchronized (monitor) {
                entered.incrementAndGet();
              }
            }
          });
    }
    scheduler.runTo(MINUTE, () -> {});
    assertThat(entered).hasValue(20_000);
    return scheduler.trace().hash();
  }

  @Test
  void anUnexpectedExceptionOfAThreadEndsTheRun() {
    life.start(
        "broken",
        () -> {
          throw new IllegalStateException("a defect");
        });
    assertThatFailure(() -> scheduler.runTo(MINUTE, () -> {}), Kind.UNCAUGHT)
        .hasMessageContaining("process/broken")
        .hasMessageContaining("a defect")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void aKilledProcessRunsNothingMoreNotEvenFinallyBlocks() {
    List<String> ran = new ArrayList<>();
    ReentrantLock lock = new ReentrantLock();
    life.start(
        "holder",
        () -> {
          lock.lock();
          try {
            clock.pass(Duration.ofSeconds(10));
            ran.add("holder");
          } finally {
            ran.add("finally");
            lock.unlock();
          }
        });
    life.start("waiting", lock::lock);
    clock.schedule(Duration.ofSeconds(10), () -> ran.add("timer"));
    scheduler.at(Duration.ofSeconds(5).toNanos(), life::kill);
    scheduler.runTo(MINUTE, () -> {});
    assertThat(ran).isEmpty();
    assertThat(life.alive()).isFalse();

    life.start("late", () -> ran.add("late"));
    scheduler.runTo(2 * MINUTE, () -> {});
    assertThat(ran).isEmpty();
  }

  @Test
  void aThreadThatKillsItsOwnProcessStopsThere() {
    List<String> ran = new ArrayList<>();
    life.start(
        "suicidal",
        () -> {
          life.kill();
          ran.add("after");
        });
    scheduler.runTo(MINUTE, () -> {});
    assertThat(ran).isEmpty();
  }

  @Test
  void aPausedProcessGoesOnWhereItWas() {
    List<Long> moments = new ArrayList<>();
    life.start(
        "ticker",
        () -> {
          for (int i = 0; i < 3; i++) {
            clock.pass(Duration.ofSeconds(1));
            moments.add(clock.nanos() / 1_000_000_000);
          }
        });
    scheduler.at(1_500_000_000L, life::pause);
    scheduler.at(9_000_000_000L, life::resume);
    scheduler.runTo(MINUTE, () -> {});
    assertThat(moments).containsExactly(1L, 9L, 10L);
  }

  private static AbstractThrowableAssert<?, ?> assertThatFailure(
      ThrowingCallable code, Kind expected) {
    var thrown = assertThatThrownBy(code).isInstanceOf(SimulationFailure.class);
    thrown
        .asInstanceOf(type(SimulationFailure.class))
        .extracting(SimulationFailure::kind)
        .isEqualTo(expected);
    return thrown;
  }
}
