package io.uniserve.backends.duckdb;

import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.duckdb.DuckDBConnection;

/**
 * An in-memory database that all clients of this process share, since opening a database takes
 * longer than most stages. It has no tables. Each stage has its own connection with temporary
 * tables, which end with it.
 */
final class ClientDatabase {
  private static final ReentrantLock LOCK = new ReentrantLock();

  private static final ClientDatabase COMPUTING =
      new ClientDatabase(() -> Database.inMemory(MemoryBudget.ofThisProcess().clientMegabytes()));

  private static final ClientDatabase PLANNING = new ClientDatabase(Database::forPlanning);

  private final Supplier<Database> open;
  private Database database;

  private ClientDatabase(Supplier<Database> open) {
    this.open = open;
  }

  /** Connects to the database where stages run. */
  static DuckDBConnection connect() throws SQLException {
    return COMPUTING.newConnection();
  }

  /** Connects to the one that says what statements are, and runs none. */
  static DuckDBConnection connectToPlan() throws SQLException {
    return PLANNING.newConnection();
  }

  private DuckDBConnection newConnection() throws SQLException {
    LOCK.lock();
    try {
      if (database == null) {
        database = open.get();
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
      COMPUTING.discard();
      PLANNING.discard();
    }
    return failure;
  }

  /** Drops the database. DuckDB frees it after its last connection has closed. */
  private void discard() {
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
