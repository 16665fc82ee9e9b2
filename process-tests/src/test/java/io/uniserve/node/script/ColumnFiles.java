package io.uniserve.node.script;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.duckdb.DuckDBDriver;

/** Files of one film each, in columnar formats. */
final class ColumnFiles {
  private ColumnFiles() {}

  static Path parquet(Path directory, String id) throws Exception {
    Path file = directory.resolve("film.parquet");
    try (Connection connection = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "COPY (SELECT '%s' AS id, 'Nosferatu' AS title, 1922 AS year) TO '%s'"
              .formatted(id, file.toString().replace("'", "''")));
    }
    return file;
  }

  static Path arrow(Path directory, String id) throws Exception {
    Path file = directory.resolve("film.arrow");
    try (RootAllocator memory = new RootAllocator();
        VarCharVector ids = new VarCharVector("id", memory);
        BigIntVector years = new BigIntVector("year", memory)) {
      ids.allocateNew();
      years.allocateNew();
      ids.setSafe(0, id.getBytes(StandardCharsets.UTF_8));
      years.setSafe(0, 1924);
      ids.setValueCount(1);
      years.setValueCount(1);
      try (VectorSchemaRoot rows = new VectorSchemaRoot(List.of(ids, years));
          ArrowStreamWriter writer =
              new ArrowStreamWriter(rows, null, Files.newOutputStream(file))) {
        rows.setRowCount(1);
        writer.writeBatch();
        writer.end();
      }
    }
    return file;
  }
}
