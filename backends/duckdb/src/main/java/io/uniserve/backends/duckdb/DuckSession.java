package io.uniserve.backends.duckdb;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.arrow.SpreadRows;
import io.uniserve.sql.backend.ArrowTable;
import io.uniserve.sql.backend.Broadcast;
import io.uniserve.sql.backend.Row;
import io.uniserve.sql.backend.Session;
import io.uniserve.sql.backend.StoredSchema;
import io.uniserve.sql.backend.Value;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * A connection to DuckDB. It keeps the prepared statements of recent queries, so that they start
 * sooner.
 */
final class DuckSession implements Session {
  private static final int STATEMENTS_MAX = 16;
  private static final String STAGED = "staged_";

  /** The suffix of an internal table; no table of a schema has it. */
  private static final String REST = "#rest";

  /** The longest time for reading a table that is split or merged. */
  private static final Duration READING_MAX = Duration.ofHours(1);

  private final DuckDBConnection connection;
  private final MemoryBudget.Member memory;
  private final Map<String, PreparedStatement> statements = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Makes a session.
   *
   * @param connection a connection without automatic commits
   * @param memory the memory budget of its database
   */
  DuckSession(DuckDBConnection connection, MemoryBudget.Member memory) {
    this.connection = connection;
    this.memory = memory;
  }

  /** Begins a transaction. Planning a statement that reads any table begins it. */
  @Override
  public void begin() throws SQLException {
    connection.prepareStatement("FROM " + DuckRows.quoted(StoredSchema.NAME)).close();
  }

  @Override
  public long query(
      List<Broadcast> inputs,
      String sql,
      Duration timeout,
      BooleanSupplier over,
      Consumer<VectorSchemaRoot> rows)
      throws SQLException {
    try (MemoryBudget.Use _ = memory.forQuery()) {
      return query(connection, inputs, sql, timeout, over, rows);
    }
  }

  /**
   * Runs a query with a kept prepared statement. This is right only while the session sees one
   * state: DuckDB plans with bounds of the stored values and does not notice when these change.
   */
  @Override
  public long read(
      String sql, Duration timeout, BooleanSupplier over, Consumer<VectorSchemaRoot> rows)
      throws SQLException {
    try (MemoryBudget.Use _ = memory.forQuery()) {
      return run(prepared(sql), timeout, over, rows);
    }
  }

  private PreparedStatement prepared(String sql) throws SQLException {
    PreparedStatement known = statements.get(sql);
    if (known != null) {
      return known;
    }
    PreparedStatement statement = ValueRoom.prepare(connection, sql);
    statements.put(sql, statement);
    if (statements.size() > STATEMENTS_MAX) {
      statements.remove(statements.keySet().iterator().next()).close();
    }
    return statement;
  }

  /** Runs a query as {@link Session#query} does, on any connection. */
  static long query(
      DuckDBConnection connection,
      List<Broadcast> inputs,
      String sql,
      Duration timeout,
      BooleanSupplier over,
      Consumer<VectorSchemaRoot> rows)
      throws SQLException {
    for (Broadcast input : inputs) {
      DuckRows.load(connection, input.name(), input.blocks());
    }
    try (PreparedStatement statement = ValueRoom.prepare(connection, sql)) {
      return run(statement, timeout, over, rows);
    }
  }

  private static long run(
      PreparedStatement statement,
      Duration timeout,
      BooleanSupplier over,
      Consumer<VectorSchemaRoot> rows)
      throws SQLException {
    statement.setQueryTimeout(Math.clamp(timeout.toSeconds() + 1, 1, Integer.MAX_VALUE));
    try (Watch watch = new Watch(statement, over)) {
      try (ResultSet result = statement.executeQuery()) {
        return DuckRows.read(result, rows);
      } catch (SQLException e) {
        throw watch.explained(e);
      }
    }
  }

  @Override
  public void forget(List<Broadcast> inputs) throws SQLException {
    for (Broadcast input : inputs) {
      execute("DROP TABLE temp." + DuckRows.quoted(input.name()));
    }
  }

  @Override
  public long execute(String sql) throws SQLException {
    try (MemoryBudget.Use _ = memory.forChange();
        Statement statement = connection.createStatement()) {
      return ValueRoom.whileChanging(() -> statement.execute(sql) ? 0 : statement.getUpdateCount());
    }
  }

  @Override
  public void create(SqlTable table) throws SQLException {
    execute(DuckDatabase.definition(table));
  }

  /** Accepts all values that {@link Value} has. */
  @Override
  public void check(SqlColumn column, Object value) {}

  @Override
  public void insert(SqlTable table, Collection<Row> rows) throws SQLException {
    append(table, null, table.stored(), rows);
  }

  @Override
  public void replace(SqlTable table, Collection<Row> rows) throws SQLException {
    stage(table);
    append(table, "temp", STAGED, rows);
    replaceByStaged(table);
  }

  @Override
  public void put(SqlTable table, List<ByteBuffer> blocks) throws SQLException {
    try (MemoryBudget.Use _ = memory.forChange()) {
      putInTurn(table, blocks);
    }
  }

  private void putInTurn(SqlTable table, List<ByteBuffer> blocks) throws SQLException {
    Consumer<VectorSchemaRoot> check = rows -> ArrowTable.requireColumns(table, rows);
    if (table.primaryKey().isEmpty()) {
      DuckRows.insert(connection, table.stored(), blocks, check);
      return;
    }
    stage(table);
    DuckRows.insert(connection, STAGED, blocks, check);
    String key =
        table.primaryKey().stream().map(DuckRows::quoted).collect(Collectors.joining(", "));
    execute(
        "DELETE FROM %s WHERE rowid NOT IN (SELECT max(rowid) FROM %s GROUP BY %s)"
            .formatted(STAGED, STAGED, key));
    replaceByStaged(table);
  }

  private void stage(SqlTable table) throws SQLException {
    execute(
        "CREATE TEMP TABLE " + STAGED + " AS FROM " + DuckRows.quoted(table.stored()) + " LIMIT 0");
  }

  private void replaceByStaged(SqlTable table) throws SQLException {
    String same =
        table.primaryKey().stream()
            .map(name -> "old." + DuckRows.quoted(name) + " = new." + DuckRows.quoted(name))
            .collect(Collectors.joining(" AND "));
    String name = DuckRows.quoted(table.stored());
    execute("DELETE FROM " + name + " old USING " + STAGED + " new WHERE " + same);
    execute("INSERT INTO " + name + " FROM " + STAGED);
    execute("DROP TABLE " + STAGED);
  }

  /**
   * Appends rows. It begins a transaction first, since rows appended outside of one would be
   * committed at once.
   */
  private void append(SqlTable table, String database, String name, Iterable<Row> rows)
      throws SQLException {
    begin();
    try (MemoryBudget.Use _ = memory.forChange();
        DuckDBAppender appender = connection.createAppender(database, "main", name)) {
      for (Row row : rows) {
        appender.beginRow();
        for (int i = 0; i < table.columns().size(); i++) {
          DuckValue.append(table.columns().get(i).type(), row.values().get(i), appender);
        }
        appender.endRow();
      }
    }
  }

  /**
   * Keeps some rows. They are written anew, so that the file can shrink. Nothing is written if all
   * rows stay.
   */
  @Override
  public void retain(SqlTable table, Predicate<PartitionKey> kept) throws SQLException {
    List<Integer> columns = table.partitionBy().stream().map(table::indexOf).toList();
    try (DuckDBConnection reading = connection.duplicate()) {
      if (holdsOnly(reading, table, kept)) {
        return;
      }
      String rest = table.stored() + REST;
      execute(DuckDatabase.definition(table, rest));
      try (SpreadRows some =
          new SpreadRows(
              key -> kept.test(key) ? 0 : SpreadRows.NOWHERE,
              columns,
              (place, block) -> insert(rest, block))) {
        read(reading, "FROM " + DuckRows.quoted(table.stored()), some);
        some.flush();
      }
      execute("DROP TABLE " + DuckRows.quoted(table.stored()));
      execute(
          "ALTER TABLE " + DuckRows.quoted(rest) + " RENAME TO " + DuckRows.quoted(table.stored()));
    }
  }

  private static boolean holdsOnly(
      DuckDBConnection reading, SqlTable table, Predicate<PartitionKey> kept) throws SQLException {
    List<Integer> columns = IntStream.range(0, table.partitionBy().size()).boxed().toList();
    AtomicBoolean others = new AtomicBoolean();
    read(
        reading,
        "SELECT "
            + table.partitionBy().stream().map(DuckRows::quoted).collect(Collectors.joining(", "))
            + " FROM "
            + DuckRows.quoted(table.stored()),
        rows -> {
          for (int row = 0; row < rows.getRowCount() && !others.get(); row++) {
            others.set(!kept.test(SpreadRows.key(rows, row, columns)));
          }
        });
    return !others.get();
  }

  @Override
  public void absorb(SqlTable table, Session other) throws SQLException {
    read(
        ((DuckSession) other).connection,
        "FROM " + DuckRows.quoted(table.stored()),
        rows -> {
          if (rows.getRowCount() > 0) {
            insert(table.stored(), Blocks.of(rows));
          }
        });
  }

  private static void read(DuckDBConnection connection, String sql, Consumer<VectorSchemaRoot> rows)
      throws SQLException {
    query(connection, List.of(), sql, READING_MAX, () -> false, rows);
  }

  private void insert(String table, ByteBuffer block) {
    try {
      DuckRows.insert(connection, table, List.of(block), columns -> {});
    } catch (SQLException e) {
      throw Database.failure("a row cannot be moved", e);
    }
  }

  @Override
  public Map<String, TableSize> sizes(WarehouseSchema schema) throws SQLException {
    return Sizes.of(schema, connection);
  }

  @Override
  public void commit(Work again) throws SQLException {
    connection.commit();
  }

  @Override
  public void rollback() throws SQLException {
    connection.rollback();
  }

  @Override
  public void close() throws SQLException {
    try (connection) {
      for (PreparedStatement statement : statements.values()) {
        statement.close();
      }
    }
  }
}
