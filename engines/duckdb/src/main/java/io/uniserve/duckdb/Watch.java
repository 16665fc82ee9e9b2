package io.uniserve.duckdb;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Ends a statement whose query is over, or that fills the process's memory: DuckDB computes the
 * first rows of some for minutes, and asks nobody meanwhile.
 */
final class Watch implements AutoCloseable {
  private static final long PERIOD_MILLIS = 20;
  private static final System.Logger LOG = System.getLogger(Watch.class.getName());
  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private final ReentrantLock turn = new ReentrantLock();
  private final ScheduledFuture<?> looks;
  private long bytesBefore;
  private volatile boolean tooMuch;
  private boolean closed;

  /** Looks after a statement until closed: it ends none that the same connection runs later. */
  Watch(Statement statement, BooleanSupplier over) {
    looks =
        CLOCK.scheduleAtFixedRate(
            () -> look(statement, over), PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look(Statement statement, BooleanSupplier over) {
    turn.lock();
    try {
      if (!closed) {
        bytesBefore = bytesBefore == 0 ? ResidentMemory.bytes() : bytesBefore;
        tooMuch |= ResidentMemory.isTooMuchSince(bytesBefore);
        if (tooMuch || over.getAsBoolean()) {
          cancel(statement);
        }
      }
    } finally {
      turn.unlock();
    }
  }

  /** The failure of the statement: if it was ended for want of memory, that is what it tells. */
  SQLException explained(SQLException failure) {
    return tooMuch && DuckFailure.of(failure).isInterrupt()
        ? DuckFailure.outOfMemory(ResidentMemory.bytesMax() >> 20, failure)
        : failure;
  }

  /** Ends a statement that another thread runs. */
  private static void cancel(Statement statement) {
    try {
      statement.cancel();
    } catch (SQLException e) {
      LOG.log(System.Logger.Level.DEBUG, "a statement has ended before it was cancelled", e);
    }
  }

  private static ScheduledThreadPoolExecutor clock() {
    ScheduledThreadPoolExecutor clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("warehouse-watch").factory());
    clock.setRemoveOnCancelPolicy(true);
    return clock;
  }

  @Override
  public void close() {
    turn.lock();
    try {
      closed = true;
    } finally {
      turn.unlock();
    }
    looks.cancel(false);
  }
}
