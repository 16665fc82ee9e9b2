package io.uniserve.kernel.production;

import io.uniserve.kernel.Clock;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The machine's clock. Its timers share one daemon thread. Exceptions of a task go to the handler
 * and do not affect other tasks.
 */
public final class SystemClock implements Clock, AutoCloseable {
  private final ScheduledThreadPoolExecutor timers;
  private final UncaughtExceptionHandler failures;

  /** Makes a clock that logs exceptions of timers. */
  public SystemClock() {
    this(LoggedFailures.HANDLER);
  }

  /**
   * Makes a clock.
   *
   * @param failures receives exceptions of timers
   */
  public SystemClock(UncaughtExceptionHandler failures) {
    this.failures = failures;
    timers =
        new ScheduledThreadPoolExecutor(
            1,
            Thread.ofPlatform().daemon().name("timers").factory(),
            new ThreadPoolExecutor.DiscardPolicy());
    timers.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    ScheduledFuture<?> scheduled =
        timers.schedule(() -> run(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    Thread.sleep(duration);
  }

  /**
   * Ends the timers' thread. Tasks that have not begun will not run, and none that are given later:
   * whoever gives them may end at the same time.
   */
  @Override
  public void close() {
    timers.shutdownNow();
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      failures.uncaughtException(Thread.currentThread(), e);
    }
  }
}
