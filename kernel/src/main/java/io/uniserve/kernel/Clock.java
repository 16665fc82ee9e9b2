package io.uniserve.kernel;

import java.time.Duration;
import java.time.Instant;

/** Time and timers of one process. */
public interface Clock {
  /** Nanoseconds since an arbitrary moment; never goes back. Differences alone have a meaning. */
  long nanos();

  /**
   * The time of day, for people and for stored timestamps. May jump, and differs between machines.
   */
  Instant now();

  /**
   * Runs a task once, after a delay, on a thread that all timers share: the task must not wait.
   *
   * @return cancels the task if it has not begun
   */
  Timer schedule(Duration delay, Runnable task);

  /** Suspends the calling thread. */
  void sleep(Duration duration) throws InterruptedException;

  /** A scheduled task. */
  @FunctionalInterface
  interface Timer {
    /** Keeps the task from running, unless it already does. */
    void cancel();
  }
}
