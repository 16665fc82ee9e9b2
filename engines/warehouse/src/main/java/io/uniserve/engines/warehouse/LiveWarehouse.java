package io.uniserve.engines.warehouse;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.UniserveException;
import io.uniserve.api.Usage;
import io.uniserve.sqlplanner.SqlTable;
import io.uniserve.sqlplanner.TableSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.duckdb.DuckDBConnection;

/** One DuckDB database with this actor's rows of all tables of the warehouse. */
final class LiveWarehouse implements WarehouseActor {
  private static final String FILE = "warehouse.duckdb";
  private static final String LOG = FILE + ".wal";
  private static final int MEMORY_MEGABYTES = 1_024;
  private static final String NOT_NOW = "Cannot CHECKPOINT: there are other";

  private final ActorContext context;
  private final WarehouseSchema schema;
  private final Database database;
  private final DuckDBConnection writer;

  /** A transaction that begins while DuckDB commits another may see a part of that. */
  private final ReadWriteLock visibility = new ReentrantReadWriteLock();

  /** How many commits this life has seen; changes under the lock. */
  private long version;

  private volatile Counted counted = new Counted(-1, Map.of());

  private record Counted(long version, Map<String, TableSize> sizes) {}

  private LiveWarehouse(ActorContext context) throws IOException {
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

  static LiveWarehouse create(ActorContext context) throws IOException {
    LiveWarehouse actor = new LiveWarehouse(context);
    actor.prepare(
        change -> {
          for (SqlTable table : actor.schema.tables().values()) {
            execute(actor.writer, definition(table));
          }
        });
    actor.commit();
    return actor;
  }

  static LiveWarehouse open(ActorContext context) throws IOException {
    Path file = context.directory().resolve(FILE);
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    return new LiveWarehouse(context);
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
      version++;
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
  public long query(
      List<Shipped> inputs, String sql, OperatorContext request, Consumer<VectorSchemaRoot> rows) {
    try (DuckDBConnection connection = begin(Long.MAX_VALUE).orElseThrow()) {
      return Queries.run(connection, inputs, sql, request.remaining(), request::cancelled, rows);
    } catch (SQLException e) {
      request.checkCancelled();
      throw Database.failure(where(), e);
    }
  }

  /**
   * A connection with a transaction, which sees what was committed when it first read anything.
   *
   * @param newest empty if there has been a later commit than this
   */
  Optional<DuckDBConnection> begin(long newest) throws SQLException {
    DuckDBConnection connection = database.connect();
    visibility.readLock().lock();
    try {
      if (version > newest) {
        connection.close();
        return Optional.empty();
      }
      connection.setAutoCommit(false);
      String any = schema.tables().keySet().iterator().next();
      execute(connection, "SELECT 1 FROM " + Change.quoted(any) + " LIMIT 0");
      return Optional.of(connection);
    } catch (SQLException e) {
      connection.close();
      throw e;
    } finally {
      visibility.readLock().unlock();
    }
  }

  @Override
  public Optional<Actor> snapshot() {
    visibility.readLock().lock();
    try {
      return Optional.of(new WarehouseSnapshot(this, version, begin(version).orElseThrow()));
    } catch (SQLException e) {
      throw Database.failure(where() + " gives no snapshot", e);
    } finally {
      visibility.readLock().unlock();
    }
  }

  /** Counted once after each commit, when they are asked for. */
  @Override
  public Map<String, TableSize> sizes() {
    visibility.readLock().lock();
    try (DuckDBConnection connection = begin(Long.MAX_VALUE).orElseThrow()) {
      if (counted.version != version) {
        counted = new Counted(version, Sizes.of(schema, connection));
      }
      return counted.sizes;
    } catch (SQLException e) {
      throw Database.failure(where(), e);
    } finally {
      visibility.readLock().unlock();
    }
  }

  private static void execute(DuckDBConnection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * No update runs meanwhile, so the file and what it lacks, in the log beside it, do not change.
   * The log is emptied first, unless transactions are still open that read what was replaced.
   */
  @Override
  public void serialize(Path target) throws IOException {
    try (DuckDBConnection connection = database.connect()) {
      execute(connection, "CHECKPOINT");
    } catch (SQLException e) {
      if (!String.valueOf(e.getMessage()).contains(NOT_NOW)) {
        throw new IOException(where() + " cannot be written: " + e.getMessage(), e);
      }
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

  String where() {
    return "actor " + context.actor() + " of warehouse '" + context.table().name() + "'";
  }
}
