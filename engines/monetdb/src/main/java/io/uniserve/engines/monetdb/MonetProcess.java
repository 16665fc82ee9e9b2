package io.uniserve.engines.monetdb;

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
 * The one MonetDB database that a process can have: in memory, since what outlives the process is
 * the runtime's log and checkpoints. It is made when first needed and ends with the process.
 */
final class MonetProcess {
  /** The library has 64, some of which it uses itself. */
  private static final int CLIENTS_MAX = 56;

  private static final long WAIT_SECONDS_MAX = 10;

  /** How often work is done anew that MonetDB took back. Alone, it should not even once. */
  private static final int AGAIN_MAX = 10;

  private static final ReentrantLock START = new ReentrantLock();
  private static final Semaphore CLIENTS = new Semaphore(CLIENTS_MAX, true);

  /** A change of any schema makes MonetDB take back transactions of all that write. */
  private static final ReentrantLock SCHEMAS = new ReentrantLock(true);

  private static final AtomicLong NAMES = new AtomicLong();
  private static boolean started;

  private MonetProcess() {}

  /** Work that may be taken back. */
  public interface Attempt {
    /** Does it; false if it was taken back. */
    boolean succeeds() throws SQLException;
  }

  /** A name for a schema that this process has not had. */
  static String newSchema() {
    return "actor_" + NAMES.incrementAndGet();
  }

  /**
   * A client of the database, to be given to {@link #disconnect}.
   *
   * @throws UniserveException with {@link ErrorCode#EXHAUSTED} if all stay in use
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

  /** Ends a client; what it has not committed is taken back. */
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
   * Does work while no schema changes, until it is not taken back.
   *
   * @throws SQLException if it always is
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
    throw new SQLException("taken back " + AGAIN_MAX + " times because of other transactions");
  }
}
