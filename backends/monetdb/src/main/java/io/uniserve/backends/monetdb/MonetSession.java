package io.uniserve.backends.monetdb;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.backend.ActorDatabase;
import io.uniserve.sql.backend.Broadcast;
import io.uniserve.sql.backend.Row;
import io.uniserve.sql.backend.Session;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import nl.cwi.monetdb.embedded.env.MonetDBEmbeddedConnection;
import nl.cwi.monetdb.embedded.resultset.QueryResultSet;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Transactions in a schema of MonetDB; a client of the database is held only while one is open.
 * Rows are loaded as text by {@code COPY}, because the driver's own appending of columns reads
 * beyond its arrays when it checks whether they are sorted.
 */
final class MonetSession implements Session {
  private static final String STAGED = "staged_";
  private static final String FORM = " USING DELIMITERS '|','\\n','\"' NULL AS '\\\\N'";
  private static final String CONFLICT = "concurrency conflicts";

  private final MonetDatabase database;
  private final String schema;
  private MonetDBEmbeddedConnection client;

  /**
   * Makes a session.
   *
   * @param database the database to tell of changes; null for changes of schemas
   * @param schema the schema of its tables; null for none
   */
  MonetSession(MonetDatabase database, String schema) {
    this.database = database;
    this.schema = schema;
  }

  private MonetDBEmbeddedConnection client() throws SQLException {
    if (client == null) {
      client = MonetProcess.connect();
      if (schema != null) {
        client.executeUpdate("SET SCHEMA " + quoted(schema));
      }
      client.startTransaction();
    }
    return client;
  }

  private void release() {
    if (client != null) {
      MonetProcess.disconnect(client);
      client = null;
    }
  }

  @Override
  public void begin() throws SQLException {
    count(ActorDatabase.REWRITTEN);
  }

  @Override
  public long query(
      List<Broadcast> inputs,
      String sql,
      Duration timeout,
      BooleanSupplier over,
      Consumer<VectorSchemaRoot> rows)
      throws SQLException {
    for (Broadcast input : inputs) {
      load(input);
    }
    requireWanted(over);
    try (QueryResultSet result = client().executeQuery(sent(sql))) {
      requireWanted(over);
      return MonetRows.read(result, rows);
    }
  }

  private static void requireWanted(BooleanSupplier over) {
    if (over.getAsBoolean()) {
      throw new UniserveException(ErrorCode.CANCELLED, "SQL: nobody waits for it any more");
    }
  }

  private void load(Broadcast input) throws SQLException {
    Path file = newFile();
    try {
      long count = 0;
      try (Writer out = Files.newBufferedWriter(file)) {
        for (ByteBuffer block : input.blocks()) {
          count += Blocks.read(block, rows -> MonetText.write(rows, out));
        }
      }
      execute(
          "CREATE LOCAL TEMPORARY TABLE %s (%s) ON COMMIT PRESERVE ROWS"
              .formatted(quoted(input.name()), MonetText.columns(input.blocks())));
      copyFrom(file, input.name(), count);
    } catch (IOException e) {
      throw UniserveException.of(e);
    } finally {
      delete(file);
    }
  }

  private Path newFile() {
    try {
      return Files.createTempFile(database.directory(), "rows", ".copy");
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }

  @Override
  public void forget(List<Broadcast> inputs) throws SQLException {
    for (Broadcast input : inputs) {
      execute("DROP TABLE " + quoted(input.name()));
    }
  }

  @Override
  public long execute(String sql) throws SQLException {
    return client().executeUpdate(sent(sql));
  }

  /** Returns the statement to send. Refuses texts that the driver encodes wrongly. */
  private static String sent(String sql) {
    if (sql.chars().anyMatch(MonetText::isForeign)) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "SQL: MonetDB's driver has no characters beyond 16 bits");
    }
    return sql;
  }

  long count(String table) throws SQLException {
    try (QueryResultSet result = client().executeQuery("SELECT count(*) FROM " + quoted(table))) {
      return result.getLongByColumnIndexAndRow(1, 1);
    }
  }

  @Override
  public void check(SqlColumn column, Object value) {
    MonetText.check(column.type(), value);
  }

  @Override
  public void insert(SqlTable table, Collection<Row> rows) throws SQLException {
    append(table, table.name(), rows);
  }

  private void append(SqlTable table, String name, Collection<Row> rows) throws SQLException {
    Path file = newFile();
    try {
      try (Writer out = Files.newBufferedWriter(file)) {
        MonetText.write(table, rows, out);
      }
      copyFrom(file, name, rows.size());
    } catch (IOException e) {
      throw UniserveException.of(e);
    } finally {
      delete(file);
    }
  }

  @Override
  public void replace(SqlTable table, Collection<Row> rows) throws SQLException {
    String name = quoted(table.name());
    List<String> same =
        table.primaryKey().stream()
            .map(key -> "%s.%s = %s.%2$s".formatted(STAGED, quoted(key), name))
            .toList();
    execute(
        "CREATE LOCAL TEMPORARY TABLE %s (%s) ON COMMIT PRESERVE ROWS"
            .formatted(STAGED, MonetDatabase.columns(table)));
    append(table, STAGED, rows);
    execute(
        "DELETE FROM %s WHERE EXISTS (SELECT 1 FROM %s WHERE %s)"
            .formatted(name, STAGED, allOf(same)));
    execute("INSERT INTO %s SELECT * FROM %s".formatted(name, STAGED));
    execute("DROP TABLE " + STAGED);
  }

  /**
   * Returns a condition for all equations. MonetDB misses rows that match in two columns or more,
   * unless it filters.
   */
  private static String allOf(List<String> equations) {
    return equations.getFirst()
        + equations.stream()
            .skip(1)
            .map(" AND CASE WHEN %s THEN TRUE ELSE FALSE END"::formatted)
            .collect(Collectors.joining());
  }

  private void copyFrom(Path file, String table, long count) throws SQLException {
    long copied = count == 0 ? 0 : copyFrom(file, table);
    if (copied != count) {
      throw new SQLException(copied + " rows copied of " + count);
    }
  }

  /** Adds the rows of a file; returns their number. */
  long copyFrom(Path file, String table) throws SQLException {
    return execute("COPY INTO %s FROM %s%s".formatted(quoted(table), path(file), FORM));
  }

  /** Writes all rows of a table into a new file. */
  void copyTo(Path file, String table) throws SQLException {
    execute("COPY SELECT * FROM %s INTO %s%s".formatted(quoted(table), path(file), FORM));
  }

  /** Quotes a name for SQL. */
  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private static String path(Path file) {
    return "'" + file.toAbsolutePath().toString().replace("\\", "\\\\").replace("'", "''") + "'";
  }

  /** Returns no counts of distinct values, since MonetDB keeps none. */
  @Override
  public Map<String, TableSize> sizes(WarehouseSchema of) throws SQLException {
    Map<String, TableSize> sizes = new LinkedHashMap<>();
    for (String table : of.tables().keySet()) {
      sizes.put(table, new TableSize(count(table), Map.of()));
    }
    return sizes;
  }

  @Override
  public void commit(Work again) throws SQLException {
    if (!tryCommit()) {
      MonetProcess.alone(
          () -> {
            again.in(this);
            return tryCommit();
          });
    }
    database.changed();
  }

  /** Commits; returns false if the transaction was rolled back instead. */
  boolean tryCommit() throws SQLException {
    if (client == null) {
      return true;
    }
    try {
      client.commit();
      return true;
    } catch (SQLException e) {
      if (!String.valueOf(e.getMessage()).contains(CONFLICT)) {
        throw e;
      }
      return false;
    } finally {
      release();
    }
  }

  /** Ends the client, which rolls back its transaction. */
  @Override
  public void rollback() {
    release();
  }

  @Override
  public void close() {
    release();
  }
}
