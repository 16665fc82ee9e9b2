package io.uniserve.bench.tpch;

import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import io.uniserve.bench.base.BenchException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The data of one scale factor as Parquet files, one for each table, from which every system loads.
 * They are made once and kept.
 *
 * @param folder the folder of the files
 */
public record TpchFiles(Path folder) {
  private static final String SEPARATOR = "|";

  /** Makes the files that do not exist yet. */
  public static TpchFiles of(double scale, Path parent, PrintStream progress) {
    TpchFiles files = new TpchFiles(parent.resolve("tpch-sf" + scale));
    TpchTables tables = TpchTables.with(ColumnTypes.DECIMAL);
    try {
      Files.createDirectories(files.folder);
      for (String table : tables.names()) {
        if (!Files.exists(files.file(table))) {
          progress.println("making " + table + " at scale factor " + scale);
          files.make(table, scale, tables.columns(table));
        }
      }
      return files;
    } catch (IOException | SQLException e) {
      throw new BenchException(
          "The data cannot be made in " + files.folder + ": " + e.getMessage(), e);
    }
  }

  /** Returns the file of a table's rows. */
  Path file(String table) {
    return folder.resolve(table + ".parquet");
  }

  private void make(String table, double scale, Map<String, String> columns)
      throws IOException, SQLException {
    Path lines = folder.resolve(table + ".tbl");
    Path made = folder.resolve(table + ".part");
    try (BufferedWriter out = Files.newBufferedWriter(lines)) {
      for (TpchEntity entity : TpchTable.getTable(table).createGenerator(scale, 1, 1)) {
        String line = entity.toLine();
        out.write(line, 0, line.endsWith(SEPARATOR) ? line.length() - 1 : line.length());
        out.write('\n');
      }
    }
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "COPY (FROM read_csv('%s', delim='|', header=false, quote='', escape='', columns=%s)) TO '%s' (FORMAT parquet)"
              .formatted(lines, types(columns), made));
    }
    Files.delete(lines);
    Files.move(made, file(table), StandardCopyOption.ATOMIC_MOVE);
  }

  private static String types(Map<String, String> columns) {
    return columns.entrySet().stream()
        .map(
            column ->
                "'%s': '%s'".formatted(column.getKey(), column.getValue().replace(" not null", "")))
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
