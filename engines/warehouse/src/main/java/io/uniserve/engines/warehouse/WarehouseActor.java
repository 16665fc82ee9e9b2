package io.uniserve.engines.warehouse;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.UniserveException;
import io.uniserve.api.Usage;
import io.uniserve.sqlplanner.SqlTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;

/** One DuckDB database with this actor's rows of all tables of the warehouse. */
final class WarehouseActor implements Actor, RowSource {
  private static final String FILE = "warehouse.duckdb";
  private static final String LOG = FILE + ".wal";
  private static final int MEMORY_MEGABYTES = 1_024;

  private final ActorContext context;
  private final WarehouseSchema schema;
  private final Database database;
  private final DuckDBConnection writer;

  /** A transaction that begins while DuckDB commits another may see a part of that. */
  private final ReadWriteLock visibility = new ReentrantReadWriteLock();

  private WarehouseActor(ActorContext context) throws IOException {
    this.context = context;
    schema = WarehouseSchema.of(context.table());
    database = Database.inFile(context.directory().resolve(FILE), MEMORY_MEGABYTES);
    try {
      writer = database.connect();
      writer.setAutoCommit(false);
    } catch (SQLException e) {
      database.close();
      throw new IOException(where() + " cannot be opened: " + e.getMessage(), e);
    }
  }

  static WarehouseActor create(ActorContext context) throws IOException {
    WarehouseActor actor = new WarehouseActor(context);
    actor.prepare(
        change -> {
          for (SqlTable table : actor.schema.tables().values()) {
            execute(actor.writer, definition(table));
          }
        });
    actor.commit();
    return actor;
  }

  static WarehouseActor open(ActorContext context) throws IOException {
    Path file = context.directory().resolve(FILE);
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    return new WarehouseActor(context);
  }

  /** The statement that makes a table. */
  static String definition(SqlTable table) {
    return table.columns().stream()
        .map(
            column ->
                Change.quoted(column.name())
                    + " "
                    + column.type()
                    + (column.nullable() ? "" : " NOT NULL"))
        .collect(
            Collectors.joining(", ", "CREATE TABLE " + Change.quoted(table.name()) + " (", ")"));
  }

  /** Work on the database within a transaction. */
  interface Changing {
    void with(Change change) throws SQLException;
  }

  /**
   * Makes a change, which {@link #commit} makes visible.
   *
   * @throws UniserveException if it is refused; nothing has then happened
   */
  void prepare(Changing change) {
    try {
      change.with(new Change(schema, writer));
    } catch (SQLException e) {
      abort();
      throw Database.failure(where() + " cannot be changed", e);
    } catch (RuntimeException e) {
      abort();
      throw e;
    }
  }

  void commit() {
    visibility.writeLock().lock();
    try {
      writer.commit();
    } catch (SQLException e) {
      throw Database.failure(where() + " cannot be changed", e);
    } finally {
      visibility.writeLock().unlock();
    }
  }

  void abort() {
    try {
      writer.rollback();
    } catch (SQLException e) {
      throw Database.failure(where() + " cannot be changed back", e);
    }
  }

  @Override
  public void query(
      List<Shipped> inputs, String sql, OperatorContext request, Consumer<ByteBuffer> blocks) {
    try (DuckDBConnection connection = database.connect()) {
      begin(connection);
      Queries.run(connection, inputs, sql, request.remaining(), request::cancelled, blocks);
    } catch (SQLException e) {
      request.checkCancelled();
      throw Database.failure(where(), e);
    }
  }

  /** A transaction sees what was committed when it first read anything. */
  private void begin(DuckDBConnection connection) throws SQLException {
    connection.setAutoCommit(false);
    String any = schema.tables().keySet().iterator().next();
    visibility.readLock().lock();
    try {
      execute(connection, "SELECT 1 FROM " + Change.quoted(any) + " LIMIT 0");
    } finally {
      visibility.readLock().unlock();
    }
  }

  /** About how many rows each table has. */
  Map<String, Long> rowCounts() {
    Map<String, Long> sizes = new LinkedHashMap<>();
    try (DuckDBConnection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet tables =
            statement.executeQuery(
                "SELECT table_name, estimated_size FROM duckdb_tables() WHERE NOT temporary")) {
      while (tables.next()) {
        sizes.put(tables.getString(1), tables.getLong(2));
      }
      return sizes;
    } catch (SQLException e) {
      throw Database.failure(where(), e);
    }
  }

  private static void execute(DuckDBConnection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * No update runs meanwhile, so the file and what it lacks, in the log beside it, do not change.
   */
  @Override
  public void serialize(Path target) throws IOException {
    try (DuckDBConnection connection = database.connect()) {
      execute(connection, "CHECKPOINT");
    } catch (SQLException e) {
      throw new IOException(where() + " cannot be written: " + e.getMessage(), e);
    }
    Files.copy(context.directory().resolve(FILE), target.resolve(FILE));
    if (Files.exists(context.directory().resolve(LOG))) {
      Files.copy(context.directory().resolve(LOG), target.resolve(LOG));
    }
  }

  @Override
  public Usage usage() {
    return new Usage(0, size(FILE) + size(LOG));
  }

  private long size(String file) {
    return context.directory().resolve(file).toFile().length();
  }

  @Override
  public void close() {
    try (database) {
      writer.rollback();
      writer.close();
    } catch (SQLException e) {
      throw Database.failure(where() + " cannot be closed", e);
    }
  }

  private String where() {
    return "actor " + context.actor() + " of warehouse '" + context.table().name() + "'";
  }
}
