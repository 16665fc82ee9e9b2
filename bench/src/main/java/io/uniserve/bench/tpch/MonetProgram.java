package io.uniserve.bench.tpch;

import io.uniserve.engines.monetdb.MonetRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import nl.cwi.monetdb.embedded.env.MonetDBEmbeddedConnection;
import nl.cwi.monetdb.embedded.env.MonetDBEmbeddedDatabase;
import nl.cwi.monetdb.embedded.resultset.QueryResultSet;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The program of the process with MonetDBLite, the papers' engine (DPA §6): one database in memory,
 * asked directly.
 */
public final class MonetProgram {
  private MonetProgram() {}

  /**
   * @param arguments those of {@link SqlProgram.Task}
   */
  public static void main(String[] arguments) throws SQLException, IOException {
    SqlProgram program = new SqlProgram();
    SqlProgram.Task task = SqlProgram.Task.of(arguments);
    Files.createDirectories(task.directory());
    MonetDBEmbeddedDatabase.startDatabase(null, true, false);
    MonetDBEmbeddedConnection connection = MonetDBEmbeddedDatabase.createConnection();
    program.run(() -> load(task, connection), sql -> rows(connection, sql));
  }

  /** It reads no Parquet, so DuckDB writes lines for it. */
  private static long load(SqlProgram.Task task, MonetDBEmbeddedConnection connection)
      throws SQLException, IOException {
    long rows = 0;
    for (String table : task.tables().names()) {
      Path lines = task.directory().resolve(table + ".tbl");
      connection.executeUpdate(task.tables().definition(table));
      rows += write(task, table, lines);
      connection.executeUpdate(
          "COPY INTO %s FROM '%s' USING DELIMITERS '|', '\\n'".formatted(table, lines));
      Files.delete(lines);
    }
    return rows;
  }

  private static long write(SqlProgram.Task task, String table, Path lines) throws SQLException {
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      return statement.executeUpdate(
          "COPY (%s) TO '%s' (FORMAT csv, DELIMITER '|', HEADER false, QUOTE '', ESCAPE '')"
              .formatted(task.tables().reading(table, task.files().file(table)), lines));
    }
  }

  private static List<List<String>> rows(MonetDBEmbeddedConnection connection, String sql)
      throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    try (QueryResultSet result = connection.executeQuery(sql + ";")) {
      MonetRows.read(result, some -> add(some, rows));
    }
    return rows;
  }

  private static void add(VectorSchemaRoot some, List<List<String>> rows) {
    for (int row = 0; row < some.getRowCount(); row++) {
      List<String> values = new ArrayList<>();
      for (FieldVector column : some.getFieldVectors()) {
        boolean day = column instanceof DateDayVector && !column.isNull(row);
        Object value = column.getObject(row);
        values.add(SqlProgram.text(day ? LocalDate.ofEpochDay((Integer) value) : value));
      }
      rows.add(values);
    }
  }
}
