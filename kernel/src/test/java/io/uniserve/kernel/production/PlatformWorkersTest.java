package io.uniserve.kernel.production;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.uniserve.kernel.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlatformWorkersTest {
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final ProductionThreads threads =
      new ProductionThreads((thread, failure) -> failures.add(failure));

  @Test
  void runTasksOnNamedPlatformDaemons() throws Exception {
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    CountDownLatch all = new CountDownLatch(3);
    try (Workers workers = threads.workers("engine", 3)) {
      assertThat(workers.count()).isEqualTo(3);
      for (int i = 0; i < 3; i++) {
        workers.submit(
            () -> {
              seen.add(Thread.currentThread());
              all.countDown();
              awaitQuietly(all);
            });
      }
      all.await();
    }
    assertThat(seen).hasSize(3).allMatch(Thread::isDaemon).noneMatch(Thread::isVirtual);
    assertThat(seen)
        .extracting(Thread::getName)
        .containsExactlyInAnyOrder("engine-0", "engine-1", "engine-2");
  }

  @Test
  void oneWorkerKeepsTheOrder() throws Exception {
    List<Integer> order = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(1000);
    try (Workers workers = threads.workers("engine", 1)) {
      for (int i = 0; i < 1000; i++) {
        int number = i;
        workers.submit(
            () -> {
              order.add(number);
              done.countDown();
            });
      }
      done.await();
    }
    assertThat(order).hasSize(1000).isSorted();
  }

  /**
   * Tasks come while threads look for one, give up looking, or fall asleep. Where one thread
   * submits them all, no later task wakes who has slept through an earlier one.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void noTaskStaysBehindWhereverItFindsTheThreads(int submitters) throws Exception {
    CountDownLatch ended = new CountDownLatch(submitters);
    try (Workers workers = threads.workers("engine", 2)) {
      for (int i = 0; i < submitters; i++) {
        Random random = new Random(i);
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  for (int task = 0; task < 24_000 / submitters; task++) {
                    CountDownLatch ran = new CountDownLatch(1);
                    workers.submit(ran::countDown);
                    awaitQuietly(ran);
                    spin(random.nextInt(1 << random.nextInt(18))); // up to 0.13 ms, mostly less
                  }
                  ended.countDown();
                });
      }
      assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** One thread finds the first task without being woken; the other must be. */
  @Test
  void allThreadsRunWhenThereIsEnoughToDo() throws Exception {
    int count = 3;
    try (Workers workers = threads.workers("engine", count)) {
      for (int round = 0; round < 1_000; round++) {
        CountDownLatch together = new CountDownLatch(count);
        CountDownLatch ran = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
          workers.submit(
              () -> {
                together.countDown();
                awaitQuietly(together);
                ran.countDown();
              });
        }
        assertThat(ran.await(60, TimeUnit.SECONDS)).as("round %d", round).isTrue();
      }
    }
  }

  @Test
  void aTaskThatThrowsOrIsInterruptedCostsNoThread() throws Exception {
    LinkedBlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
    try (Workers workers = threads.workers("engine", 1)) {
      workers.submit(
          () -> {
            throw new IllegalStateException("task");
          });
      workers.submit(() -> Thread.currentThread().interrupt());
      workers.submit(() -> {});
      workers.submit(() -> interrupted.add(Thread.currentThread().isInterrupted()));
      assertThat(interrupted.take()).isFalse();
    }
    assertThat(failures).singleElement().asString().contains("task");
  }

  @Test
  void aBriefTaskRunsOnItsCallersThreadUnlessTooManyDo() throws Exception {
    LinkedBlockingQueue<Thread> ran = new LinkedBlockingQueue<>();
    int places = Runtime.getRuntime().availableProcessors() - 1;
    try (Workers workers = threads.workers("engine", 1)) {
      assertThat(nested(workers, places, () -> ran.add(Thread.currentThread()))).isEqualTo(places);
      assertThat(ran).hasSize(places > 0 ? 1 : 0).allMatch(Thread.currentThread()::equals);
      assertThat(nested(workers, places + 1, () -> {})).as("one more").isEqualTo(places);
    }
  }

  /** Runs a task within as many others as there are places, and returns how many of them ran. */
  private static int nested(Workers workers, int depth, Runnable innermost) {
    AtomicInteger ran = new AtomicInteger();
    Runnable task = innermost;
    for (int i = 1; i < depth; i++) {
      Runnable inside = task;
      task =
          () -> {
            if (workers.tryHere(inside)) {
              ran.incrementAndGet();
            }
          };
    }
    if (depth > 0 && workers.tryHere(task)) {
      ran.incrementAndGet();
    }
    return ran.get();
  }

  @Test
  void aTaskThatThrowsOnItsCallersThreadIsReportedAndGivesItsPlaceBack() {
    assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    try (Workers workers = threads.workers("engine", 1)) {
      for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
        assertThat(
                workers.tryHere(
                    () -> {
                      throw new IllegalStateException("here");
                    }))
            .isTrue();
      }
    }
    assertThat(failures).hasSize(Runtime.getRuntime().availableProcessors());
  }

  @Test
  void closedWorkersRunNothingOnTheirCallersThread() {
    Workers workers = threads.workers("engine", 1);
    workers.close();
    assertThat(workers.tryHere(() -> {})).isFalse();
  }

  @Test
  void closingRunsWhatIsThereAndRefusesTheRest() throws Exception {
    CountDownLatch hold = new CountDownLatch(1);
    CountDownLatch ran = new CountDownLatch(2);
    Workers workers = threads.workers("engine", 1);
    workers.submit(
        () -> {
          awaitQuietly(hold);
          ran.countDown();
        });
    workers.submit(ran::countDown);
    workers.close();
    workers.close();
    assertThatThrownBy(() -> workers.submit(() -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("engine");
    hold.countDown();
    ran.await();
  }

  @Test
  void aTaskIsEitherRefusedOrRunWhenClosingRaces() throws Exception {
    for (int round = 0; round < 60; round++) {
      Workers workers = threads.workers("engine", 2);
      AtomicInteger accepted = new AtomicInteger();
      AtomicInteger ran = new AtomicInteger();
      Thread submitting =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      while (true) {
                        workers.submit(ran::incrementAndGet);
                        int submitted = accepted.incrementAndGet();
                        while (submitted - ran.get() > 10) {
                          Thread.onSpinWait();
                        }
                      }
                    } catch (IllegalStateException e) {
                      assertThat(e).hasMessageContaining("closed");
                    }
                  });
      while (ran.get() < 5) {
        Thread.onSpinWait();
      }
      workers.close();
      submitting.join();
      while (ran.get() < accepted.get()) {
        Thread.onSpinWait();
      }
      assertThat(ran.get()).isEqualTo(accepted.get());
    }
  }

  @Test
  void cpuTimeOfAPlatformThreadGrows() throws Exception {
    LinkedBlockingQueue<Long> used = new LinkedBlockingQueue<>();
    try (Workers workers = threads.workers("engine", 1)) {
      workers.submit(
          () -> {
            long started = System.nanoTime();
            long before = threads.cpuNanos();
            while (threads.cpuNanos() - before < 3_000_000
                && System.nanoTime() - started < 20_000_000_000L) {
              Thread.onSpinWait();
            }
            long cpu = threads.cpuNanos() - before;
            used.add(cpu <= System.nanoTime() - started + 1_000_000 ? cpu : -1);
          });
      assertThat(used.take()).as("no more than the time that passed").isGreaterThan(2_900_000);
    }
  }

  @Test
  void aVirtualThreadsFailureIsReported() throws Exception {
    Thread thread =
        threads.start(
            "waiter",
            () -> {
              throw new IllegalStateException("virtual");
            });
    thread.join();
    assertThat(thread.isVirtual()).isTrue();
    assertThat(thread.getName()).isEqualTo("waiter");
    assertThat(failures).singleElement().asString().contains("virtual");
  }

  private static void spin(long nanos) {
    long began = System.nanoTime();
    while (System.nanoTime() - began < nanos) {
      Thread.onSpinWait();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
