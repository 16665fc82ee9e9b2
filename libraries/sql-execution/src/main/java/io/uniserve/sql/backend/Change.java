package io.uniserve.sql.backend;

import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The changes of one update to one database, within a transaction. */
public final class Change {
  /** The internal table of statements. */
  private static final String REWRITTEN = quoted(ActorDatabase.REWRITTEN);

  /** The most names of statements that are kept. */
  private static final int REWRITTEN_MAX = 1_000;

  private final WarehouseSchema schema;
  private final Session session;

  /**
   * Makes the changes.
   *
   * @param schema the present schema of the database
   * @param session the session of the transaction
   */
  public Change(WarehouseSchema schema, Session session) {
    this.schema = schema;
    this.session = session;
  }

  /**
   * Inserts rows in their order. Of rows with the same primary key the last one remains.
   *
   * @throws RejectedRowException naming the first row that does not fit its table; no row is then
   *     inserted
   */
  public void put(List<Row> rows) throws SQLException {
    Map<String, List<Row>> byTable = new LinkedHashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      check(i, rows.get(i));
      byTable.computeIfAbsent(rows.get(i).table(), name -> new ArrayList<>()).add(rows.get(i));
    }
    for (Map.Entry<String, List<Row>> some : byTable.entrySet()) {
      put(schema.stored(some.getKey()), some.getValue());
    }
  }

  /**
   * Changes the schema: drops the tables that the next one lacks, and creates those that are new.
   */
  public void become(WarehouseSchema next) throws SQLException {
    for (String name : schema.stored().keySet()) {
      if (!next.stored().containsKey(name)) {
        session.execute("DROP TABLE " + quoted(name));
      }
    }
    for (SqlTable table : next.stored().values()) {
      if (!schema.stored().containsKey(table.stored())) {
        session.create(table);
      }
    }
    StoredSchema.write(next, session);
  }

  /**
   * Inserts blocks of rows in their order. Of rows with the same primary key the last one remains.
   *
   * @throws UniserveException as {@link Session#put} does
   */
  public void putBlocks(List<RowBlock> blocks) throws SQLException {
    Map<String, List<ByteBuffer>> byTable = new LinkedHashMap<>();
    for (RowBlock block : blocks) {
      byTable.computeIfAbsent(block.table(), name -> new ArrayList<>()).add(block.rows());
    }
    for (Map.Entry<String, List<ByteBuffer>> some : byTable.entrySet()) {
      session.put(schema.stored(some.getKey()), some.getValue());
    }
  }

  /**
   * Runs a statement, and remembers its name for a while, so that two actors of which one has not
   * carried it out are not merged.
   *
   * @return the number of rows that it changed
   */
  public long rewrite(String name, String sql) throws SQLException {
    long rows = session.execute(sql);
    session.execute(remembering(name));
    session.execute(
        "DELETE FROM %s WHERE place <= (SELECT max(place) FROM %s) - %d"
            .formatted(REWRITTEN, REWRITTEN, REWRITTEN_MAX));
    return rows;
  }

  /** Returns a statement that stores the name of another one. */
  static String remembering(String name) {
    return "INSERT INTO %s SELECT coalesce(max(place), 0) + 1, %s, 0 FROM %s"
        .formatted(REWRITTEN, text(name), REWRITTEN);
  }

  /** Quotes a text for SQL. */
  static String text(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  private void check(int index, Row row) {
    SqlTable table = schema.stored(row.table());
    List<SqlColumn> columns = table.columns();
    if (row.values().size() != columns.size()) {
      throw new RejectedRowException(
          index,
          "table '"
              + table.name()
              + "' has "
              + columns.size()
              + " columns, the row "
              + row.values().size());
    }
    for (int i = 0; i < columns.size(); i++) {
      check(index, columns.get(i), row.values().get(i));
    }
  }

  private void check(int index, SqlColumn column, Object value) {
    if (value == null) {
      if (!column.nullable()) {
        throw new RejectedRowException(index, "column '" + column.name() + "' lacks a value");
      }
      return;
    }
    try {
      session.check(column, value);
    } catch (UniserveException e) {
      throw new RejectedRowException(index, "column '" + column.name() + "': " + e.getMessage());
    }
  }

  private void put(SqlTable table, List<Row> rows) throws SQLException {
    if (table.primaryKey().isEmpty()) {
      session.insert(table, rows);
      return;
    }
    Map<List<Object>, Row> last = new LinkedHashMap<>();
    for (Row row : rows) {
      last.put(
          table.primaryKey().stream().map(name -> row.values().get(table.indexOf(name))).toList(),
          row);
    }
    session.replace(table, last.values());
  }

  static String quoted(String name) {
    return '"' + name + '"';
  }
}
