package io.uniserve.backends.duckdb;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Usage;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.ActorDatabase;
import io.uniserve.sql.backend.Session;
import io.uniserve.sql.backend.StoredSchema;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.syntax.SqlTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;

/** A DuckDB database in a file of the actor's directory. */
final class DuckDatabase implements ActorDatabase {
  private static final String FILE = "warehouse.duckdb";
  private static final String LOG = FILE + ".wal";
  private static final int MEGABYTES_TO_OPEN = 64;
  private static final String NOT_NOW = "Cannot CHECKPOINT: there are other";

  private final Path directory;
  private final Database database;
  private final MemoryBudget.Member memory;

  private DuckDatabase(ActorContext context) throws IOException {
    directory = context.directory();
    database = Database.inFile(directory.resolve(FILE), MEGABYTES_TO_OPEN);
    memory = MemoryBudget.ofThisProcess().open(database::limit);
  }

  static DuckDatabase create(ActorContext context, WarehouseSchema schema) throws IOException {
    return new DuckDatabase(context)
        .with(
            session -> {
              for (SqlTable table : schema.stored().values()) {
                session.execute(definition(table));
              }
              makeOwnTables(session);
            });
  }

  private DuckDatabase with(Session.Work work) throws IOException {
    try (Session session = connect()) {
      work.in(session);
      session.commit(Session.Work.NONE);
      return this;
    } catch (SQLException e) {
      close();
      throw new IOException(directory + " cannot be opened: " + e.getMessage(), e);
    }
  }

  /** Opens the database, and adds the internal tables that one from before schema changes lacks. */
  static DuckDatabase open(ActorContext context) throws IOException {
    Path file = context.directory().resolve(FILE);
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    return new DuckDatabase(context).with(DuckDatabase::makeOwnTables);
  }

  private static void makeOwnTables(Session session) throws SQLException {
    session.execute(StoredSchema.TABLE);
    session.execute(REWRITTEN_DEFINITION);
  }

  /** Returns the statement that creates a table. */
  static String definition(SqlTable table) {
    return definition(table, table.stored());
  }

  /** Returns the statement that creates a table under another name. */
  static String definition(SqlTable table, String name) {
    return table.columns().stream()
        .map(
            column ->
                DuckRows.quoted(column.name())
                    + " "
                    + column.type()
                    + (column.nullable() ? "" : " NOT NULL"))
        .collect(Collectors.joining(", ", "CREATE TABLE " + DuckRows.quoted(name) + " (", ")"));
  }

  @Override
  public Session connect() throws SQLException {
    DuckDBConnection connection = database.connect();
    connection.setAutoCommit(false);
    return new DuckSession(connection, memory);
  }

  /**
   * Copies the database's files. No update runs meanwhile, so the file and the log beside it do not
   * change. The log is first moved into the file, unless open transactions still read replaced
   * rows.
   */
  @Override
  public void write(Path target) throws IOException {
    try {
      shrink();
    } catch (SQLException e) {
      throw new IOException(directory + " cannot be written: " + e.getMessage(), e);
    }
    Files.copy(directory.resolve(FILE), target.resolve(FILE));
    if (Files.exists(directory.resolve(LOG))) {
      Files.copy(directory.resolve(LOG), target.resolve(LOG));
    }
  }

  @Override
  public void shrink() throws SQLException {
    try (DuckDBConnection connection = database.connect()) {
      new DuckSession(connection, memory).execute("CHECKPOINT");
    } catch (SQLException e) {
      if (!String.valueOf(e.getMessage()).contains(NOT_NOW)) {
        throw e;
      }
    }
  }

  @Override
  public boolean usable() {
    try (DuckDBConnection connection = database.connect()) {
      new DuckSession(connection, memory).execute("SELECT 1");
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public Usage usage() {
    return new Usage(0, size(FILE) + size(LOG));
  }

  private long size(String file) {
    return directory.resolve(file).toFile().length();
  }

  @Override
  public UniserveException failure(String what, SQLException e) {
    return Database.failure(what, e);
  }

  @Override
  public void close() {
    memory.close();
    database.close();
  }
}
