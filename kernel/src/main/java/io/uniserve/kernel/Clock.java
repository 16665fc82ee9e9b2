package io.uniserve.kernel;

import java.time.Duration;
import java.time.Instant;

/** The time and timers of one process. */
public interface Clock {
  /**
   * Returns the nanoseconds since an arbitrary moment. The value never goes back. Only differences
   * have a meaning.
   */
  long nanos();

  /**
   * Returns the time of day, for people and for stored timestamps. It may jump, and it differs
   * between machines.
   */
  Instant now();

  /**
   * Runs a task once, after a delay, on a thread that all timers share. The task must not wait.
   *
   * @return the timer, which can cancel the task before it begins
   */
  Timer schedule(Duration delay, Runnable task);

  /** Suspends the calling thread. */
  void sleep(Duration duration) throws InterruptedException;

  /** A scheduled task. */
  @FunctionalInterface
  interface Timer {
    /** Keeps the task from running, unless it has begun. */
    void cancel();
  }
}
