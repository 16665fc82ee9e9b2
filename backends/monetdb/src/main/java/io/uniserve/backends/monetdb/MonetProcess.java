package io.uniserve.backends.monetdb;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import nl.cwi.monetdb.embedded.env.MonetDBEmbeddedConnection;
import nl.cwi.monetdb.embedded.env.MonetDBEmbeddedDatabase;

/**
 * The one MonetDB database that a process can have. It is in memory, since the runtime's log and
 * checkpoints outlive the process. It is made when first needed and ends with the process.
 */
final class MonetProcess {
  /** The most clients. The library has 64 and uses some of them itself. */
  private static final int CLIENTS_MAX = 56;

  private static final long WAIT_SECONDS_MAX = 10;

  /**
   * The most attempts of a transaction that MonetDB rolls back. A transaction that runs alone
   * should not need a second.
   */
  private static final int AGAIN_MAX = 10;

  private static final ReentrantLock START = new ReentrantLock();
  private static final Semaphore CLIENTS = new Semaphore(CLIENTS_MAX, true);

  /**
   * The lock of schema changes. A change of any schema makes MonetDB roll back all writing
   * transactions.
   */
  private static final ReentrantLock SCHEMAS = new ReentrantLock(true);

  private static final AtomicLong NAMES = new AtomicLong();
  private static boolean started;

  private MonetProcess() {}

  /** Work that MonetDB may roll back. */
  public interface Attempt {
    /** Does the work; returns false if it was rolled back. */
    boolean succeeds() throws SQLException;
  }

  /** Returns a new name for a schema. */
  static String newSchema() {
    return "actor_" + NAMES.incrementAndGet();
  }

  /**
   * Opens a client of the database, which must be given to {@link #disconnect}.
   *
   * @throws UniserveException with {@link ErrorCode#EXHAUSTED} if all clients stay in use
   */
  static MonetDBEmbeddedConnection connect() throws SQLException {
    start();
    try {
      if (!CLIENTS.tryAcquire(WAIT_SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new UniserveException(
            ErrorCode.EXHAUSTED,
            "MonetDB: " + CLIENTS_MAX + " statements and open changes in this process already");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "MonetDB: interrupted", e);
    }
    try {
      return MonetDBEmbeddedDatabase.createConnection();
    } catch (SQLException e) {
      CLIENTS.release();
      throw e;
    }
  }

  /** Ends a client and rolls back its open transaction. */
  static void disconnect(MonetDBEmbeddedConnection client) {
    client.close();
    CLIENTS.release();
  }

  private static void start() throws SQLException {
    START.lock();
    try {
      if (!started) {
        MonetDBEmbeddedDatabase.startDatabase(null, true, true);
        started = true;
      }
    } finally {
      START.unlock();
    }
  }

  /**
   * Repeats work, while no schema changes, until it is not rolled back.
   *
   * @throws SQLException if it is rolled back every time
   */
  static void alone(Attempt attempt) throws SQLException {
    SCHEMAS.lock();
    try {
      for (int i = 0; i < AGAIN_MAX; i++) {
        if (attempt.succeeds()) {
          return;
        }
      }
    } finally {
      SCHEMAS.unlock();
    }
    throw new SQLException("rolled back " + AGAIN_MAX + " times because of other transactions");
  }
}
