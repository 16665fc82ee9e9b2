package io.uniserve.duckdb;

import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.duckdb.DuckDBConnection;

/**
 * The one database in memory that the stages of this process's clients share, since to open one
 * takes longer than most stages do. It has no tables: each stage has a connection with temporary
 * tables of its own, which end with it.
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

  /** What DuckDB reports. After a fatal error the next stage has another database. */
  static DuckFailure failure(SQLException e) {
    DuckFailure failure = DuckFailure.of(e);
    if (failure.isFatal()) {
      discard();
    }
    return failure;
  }

  /** DuckDB frees it once nobody is connected any more. */
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
