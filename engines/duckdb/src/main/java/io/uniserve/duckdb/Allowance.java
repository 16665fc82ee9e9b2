package io.uniserve.duckdb;

import java.time.Duration;

/** For how long a statement may compute, while nobody takes what it has given. */
final class Allowance {
  private final Duration timeout;
  private volatile long sinceNanos = System.nanoTime();
  private volatile boolean waiting;

  /** Begins now. */
  Allowance(Duration timeout) {
    this.timeout = timeout;
  }

  boolean isOver() {
    return !waiting && System.nanoTime() - sinceNanos > timeout.toNanos();
  }

  /** Lets somebody take rows, however long that takes, and begins anew. */
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
