package io.uniserve.runtime.server.plan;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * An output in use. It is closed when it has been retired and the last task that reads it has
 * ended.
 *
 * @param <T> the output
 */
final class Holding<T> {
  private final T output;
  private final Runnable close;
  private final AtomicInteger users = new AtomicInteger(1);

  /**
   * @param close releases the output's resources, on a thread of its own choice
   */
  Holding(T output, Runnable close) {
    this.output = output;
    this.close = close;
  }

  /** Returns the output. The caller must have acquired it. */
  T output() {
    return output;
  }

  /**
   * Keeps the output from being closed; returns false if that is too late. {@link #release} must
   * follow.
   */
  boolean acquire() {
    int now = users.get();
    while (now > 0 && !users.compareAndSet(now, now + 1)) {
      now = users.get();
    }
    return now > 0;
  }

  void release() {
    if (users.decrementAndGet() == 0) {
      close.run();
    }
  }

  /** Lets no new users in. Called once. */
  void retire() {
    release();
  }
}
