package io.uniserve.backends.duckdb;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A watch that ends a statement whose query is over, or that fills the process's memory. DuckDB may
 * compute the first rows of a statement for minutes without checking for cancellation.
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

  /** Watches a statement until closed. It does not end later statements of the same connection. */
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

  /** Returns the failure of the statement: lack of memory, if the watch ended it for that. */
  SQLException explained(SQLException failure) {
    if (!tooMuch || !DuckFailure.of(failure).isInterrupt()) {
      return DuckFailure.ofQuery(failure);
    }
    SQLException told =
        DuckFailure.outOfMemory(
            "the statement was ended: with it the process had more than "
                + (ResidentMemory.bytesMax() >> 20)
                + " MiB");
    told.initCause(failure);
    return told;
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
