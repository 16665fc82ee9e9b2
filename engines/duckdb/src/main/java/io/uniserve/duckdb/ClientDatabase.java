package io.uniserve.duckdb;

import io.uniserve.api.UniserveException;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.duckdb.DuckDBConnection;

/**
 * The one database in memory that the stages of this process's clients share, since to open one
 * takes longer than most stages do. It has no tables: each stage has a connection with temporary
 * tables of its own, which end with it.
 */
final class ClientDatabase {
  /** Of all stages together. */
  static final int MEMORY_MEGABYTES = 2_048;

  private static final ReentrantLock LOCK = new ReentrantLock();
  private static Database database;

  private ClientDatabase() {}

  static DuckDBConnection connect() throws SQLException {
    LOCK.lock();
    try {
      if (database == null) {
        database = Database.inMemory(MEMORY_MEGABYTES);
      }
      return database.connect();
    } finally {
      LOCK.unlock();
    }
  }

  /** What DuckDB reports, as our error. After a fatal one the next stage has another database. */
  static UniserveException failure(SQLException e) {
    if (String.valueOf(e.getMessage()).contains("FATAL Error")) {
      discard();
    }
    return Database.failure("SQL", e);
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
