package io.uniserve.engines.warehouse;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Ends a statement whose query is over: DuckDB computes the first rows of some for minutes, and
 * asks nobody meanwhile.
 */
final class Watch implements AutoCloseable {
  private static final long PERIOD_MILLIS = 20;
  private static final System.Logger LOG = System.getLogger(Watch.class.getName());
  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private final ScheduledFuture<?> looks;

  /** Looks after a statement until closed. */
  Watch(Statement statement, BooleanSupplier over) {
    looks =
        CLOCK.scheduleAtFixedRate(
            () -> {
              if (over.getAsBoolean()) {
                cancel(statement);
              }
            },
            PERIOD_MILLIS,
            PERIOD_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** Ends a statement that another thread runs. */
  static void cancel(Statement statement) {
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
    looks.cancel(false);
  }
}
