package io.uniserve.backends.duckdb;

import java.time.Duration;

/** The time that a statement may compute. The time in which its rows are taken does not count. */
final class Allowance {
  private final Duration timeout;
  private volatile long sinceNanos = System.nanoTime();
  private volatile boolean waiting;

  /** Begins the time now. */
  Allowance(Duration timeout) {
    this.timeout = timeout;
  }

  boolean isOver() {
    return !waiting && System.nanoTime() - sinceNanos > timeout.toNanos();
  }

  /** Lets the receiver take rows, however long that takes, and begins the time anew. */
  void whileTaken(Runnable taking) {
    waiting = true;
    taking.run();
    sinceNanos = System.nanoTime();
    waiting = false;
  }

  Duration timeout() {
    return timeout;
  }
}
