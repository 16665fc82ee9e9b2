package io.uniserve.bench.keyvalue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.sqlite.SQLiteConfig;

/**
 * Keys, their values, and how often each was put, in one SQLite file. One connection writes; others
 * read a point in time each. Nothing is forced to the disk, since the runtime's own log outlives a
 * process, and the database does not.
 *
 * <p>One thread at a time may write. Readers may be used by any thread.
 */
final class KeyValueDatabase implements AutoCloseable {
  private static final String PUT =
      """
      INSERT INTO entries (key, value, puts) VALUES (?, ?, 1)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, puts = puts + 1
      """;

  private final Path file;
  private final Connection writer;
  private final PreparedStatement begin;
  private final PreparedStatement put;
  private final PreparedStatement commit;
  private final PreparedStatement rollback;

  /** True if something was put in a transaction that is still to be ended. */
  private boolean begun;

  /** Connections that read nothing at the moment. */
  private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

  private KeyValueDatabase(Path file, Connection writer) throws SQLException {
    this.file = file;
    this.writer = writer;
    try (Statement statement = writer.createStatement()) {
      statement.execute(
          """
          CREATE TABLE IF NOT EXISTS entries
            (key TEXT PRIMARY KEY, value TEXT NOT NULL, puts INTEGER NOT NULL) WITHOUT ROWID
          """);
    }
    this.begin = writer.prepareStatement("BEGIN IMMEDIATE");
    this.put = writer.prepareStatement(PUT);
    this.commit = writer.prepareStatement("COMMIT");
    this.rollback = writer.prepareStatement("ROLLBACK");
  }

  /** Opens the database in a file, which is made if it does not exist. */
  static KeyValueDatabase open(Path file) {
    try {
      Connection writer = connect(file);
      try {
        return new KeyValueDatabase(file, writer);
      } catch (SQLException e) {
        writer.close();
        throw e;
      }
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private static Connection connect(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.OFF);
    return config.createConnection("jdbc:sqlite:" + file);
  }

  /** Puts entries, together with those before them in a transaction that is still to be ended. */
  void put(List<Entry> entries) {
    try {
      if (!begun) {
        begin.execute();
        begun = true;
      }
      for (Entry entry : entries) {
        put.setString(1, entry.key());
        put.setString(2, entry.value());
        put.executeUpdate();
      }
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** Makes what was put visible to readers that begin afterwards. */
  void commit() {
    try {
      begun = false;
      commit.execute();
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** Takes back what was put. */
  void abort() {
    try {
      begun = false;
      rollback.execute();
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** Begins to read the database as it is now. */
  Reader read() {
    try {
      Connection connection = idle.poll();
      return new Reader(connection == null ? connect(file) : connection);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** Writes everything committed into a new file. */
  void copyTo(Path target) throws IOException {
    try (Connection connection = connect(file);
        PreparedStatement copy = connection.prepareStatement("VACUUM INTO ?")) {
      copy.setString(1, target.toString());
      copy.execute();
    } catch (SQLException e) {
      throw new IOException("cannot copy " + file + ": " + e.getMessage(), e);
    }
  }

  /** Returns the size of the file in bytes. */
  long sizeBytes() {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0; // it was closed and deleted meanwhile
    }
  }

  @Override
  public void close() {
    try {
      for (Connection reader = idle.poll(); reader != null; reader = idle.poll()) {
        reader.close();
      }
      writer.close();
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /**
   * Returns the failure of an actor. It is no refusal: prepared statements do not outlive a
   * failure, so the runtime is to open the actor again.
   */
  private static IllegalStateException failure(SQLException e) {
    return new IllegalStateException("SQLite failed: " + e.getMessage(), e);
  }

  /** A reader of the database as it was when the reader began. */
  final class Reader implements AutoCloseable {
    private final Connection connection;

    private Reader(Connection connection) throws SQLException {
      this.connection = connection;
      connection.setAutoCommit(false);
      number("SELECT count(*) FROM (SELECT 1 FROM entries LIMIT 1)"); // begins the transaction
    }

    /** Returns how many entries were put so far, those that were replaced included. */
    long puts() {
      return number("SELECT coalesce(sum(puts), 0) FROM entries");
    }

    private long number(String query) {
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery(query)) {
        return result.getLong(1);
      } catch (SQLException e) {
        throw failure(e);
      }
    }

    @Override
    public void close() {
      try {
        connection.rollback();
        idle.add(connection);
      } catch (SQLException e) {
        throw failure(e);
      }
    }
  }
}
