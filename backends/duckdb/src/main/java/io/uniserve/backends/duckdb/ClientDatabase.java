package io.uniserve.backends.duckdb;

import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.duckdb.DuckDBConnection;

/**
 * The one in-memory database that the stages of this process's clients share, since opening a
 * database takes longer than most stages. It has no tables. Each stage has its own connection with
 * temporary tables, which end with it.
 */
final class ClientDatabase {
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static Database database;

  private ClientDatabase() {}

  static DuckDBConnection connect() throws SQLException {
    LOCK.lock();
    try {
      if (database == null) {
        database = Database.inMemory(MemoryBudget.ofThisProcess().clientMegabytes());
      }
      return database.connect();
    } finally {
      LOCK.unlock();
    }
  }

  /** Reads an error of DuckDB. After a fatal error the next stage opens another database. */
  static DuckFailure failure(SQLException e) {
    DuckFailure failure = DuckFailure.of(e);
    if (failure.isFatal()) {
      discard();
    }
    return failure;
  }

  /** Drops the database. DuckDB frees it after its last connection has closed. */
  private static void discard() {
    LOCK.lock();
    try {
      if (database != null) {
        database.close();
        database = null;
      }
    } finally {
      LOCK.unlock();
    }
  }
}
