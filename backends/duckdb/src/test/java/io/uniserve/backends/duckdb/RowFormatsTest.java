package io.uniserve.backends.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.RowFormat;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.StringJoiner;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of rows that DuckDB and Arrow read, and DuckDB writes. */
class RowFormatsTest {
  private static final String ROWS =
      "select i as id, cast(i %% 100 as tinyint) as small, 'it''s ' || i as name, i / 4 as quarter,"
          + " cast(i as decimal(9,2)) / 4 as price, date '2024-02-28' + cast(i as int) as day,"
          + " timestamp '2024-02-29 12:34:56.000007' as at, i %% 2 = 0 as even,"
          + " case when i = 2 then null else i end as gap, 'nan'::double as nan"
          + " from range(%d) t(i)";

  @TempDir private Path directory;

  private static RowFormat format(String ending) {
    return ServiceLoader.load(RowFormat.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(format -> format.endings().contains(ending))
        .findFirst()
        .orElseThrow();
  }

  private Path parquet(int rows) throws Exception {
    Path file = directory.resolve("it's.parquet");
    try (DuckDBConnection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "COPY (%s) TO '%s' (ROW_GROUP_SIZE 5000)"
              .formatted(ROWS.formatted(rows), file.toString().replace("'", "''")));
    }
    return file;
  }

  private static DuckDBConnection connect() throws Exception {
    return new DuckDBDriver()
        .connect("jdbc:duckdb:", new Properties())
        .unwrap(DuckDBConnection.class);
  }

  private static List<Map<String, Object>> read(Path file, String ending) throws IOException {
    try (RowFormat.Rows rows = format(ending).open(file)) {
      List<Map<String, Object>> all = new ArrayList<>();
      Optional<Map<String, Object>> row = rows.next();
      double before = 0;
      while (row.isPresent()) {
        assertThat(rows.done()).isBetween(before, 1.0);
        before = rows.done();
        all.add(row.get());
        row = rows.next();
      }
      assertThat(rows.done()).isEqualTo(1.0);
      return all;
    }
  }

  private static void check(List<Map<String, Object>> rows) {
    Map<String, Object> third = new LinkedHashMap<>();
    third.put("id", 2L);
    third.put("small", 2L);
    third.put("name", "it's 2");
    third.put("quarter", 0.5);
    third.put("price", rows.get(2).get("price"));
    third.put("day", "2024-03-01");
    third.put("at", "2024-02-29T12:34:56.000007");
    third.put("even", true);
    third.put("gap", null);
    third.put("nan", "NaN");
    assertThat(rows.get(2)).isEqualTo(third);
    assertThat(String.valueOf(rows.get(2).get("price"))).startsWith("0.5");
    for (int i = 0; i < rows.size(); i++) {
      assertThat(rows.get(i).get("id")).isEqualTo((long) i);
    }
  }

  @Test
  void readsParquet() throws Exception {
    List<Map<String, Object>> rows = read(parquet(100), "parquet");
    assertThat(rows).hasSize(100);
    check(rows);
  }

  @Test
  void writesParquetWithTypes() throws Exception {
    Path lines = directory.resolve("it's lines");
    Files.writeString(
        lines,
        """
        {"n": 9007199254740993, "price": "1234567890123456.78", "day": "2024-02-29", "at": "2024-02-29T12:34:56.000007", "yes": true, "x": "NaN", "names": ["a", "ü"]}
        {"n": -1, "price": "-0.10", "at": "2004-07-10T00:00:00Z", "x": 0.25, "names": []}
        {"text": "two\\nlines, \\"quoted\\""}
        """);
    List<RowFormat.Column> columns =
        List.of(
            new RowFormat.Column("n", "bigint"),
            new RowFormat.Column("price", "decimal(18,2)"),
            new RowFormat.Column("day", "date"),
            new RowFormat.Column("at", "timestamp"),
            new RowFormat.Column("yes", "boolean"),
            new RowFormat.Column("x", "double"),
            new RowFormat.Column("names", "varchar[]"),
            new RowFormat.Column("text", "varchar"));
    Path file = directory.resolve("written.parquet");

    format("parquet").write(lines, columns, file);

    assertThat(described(file))
        .containsExactly(
            "n BIGINT",
            "price DECIMAL(18,2)",
            "day DATE",
            "at TIMESTAMP",
            "yes BOOLEAN",
            "x DOUBLE",
            "names VARCHAR[]",
            "text VARCHAR");
    assertThat(texts(file))
        .containsExactlyInAnyOrder(
            "9007199254740993|1234567890123456.78|2024-02-29|2024-02-29 12:34:56.000007|true|nan|[a, ü]|null",
            "-1|-0.10|null|2004-07-10 00:00:00|null|0.25|[]|null",
            "null|null|null|null|null|null|null|two\nlines, \"quoted\"");
  }

  @Test
  void writesAFileWithoutRowsAndRefusesWhatDoesNotFit() throws Exception {
    List<RowFormat.Column> columns = List.of(new RowFormat.Column("n", "bigint"));
    Path none = Files.createFile(directory.resolve("none"));
    Path file = directory.resolve("none.parquet");
    format("parquet").write(none, columns, file);
    assertThat(described(file)).containsExactly("n BIGINT");
    assertThat(texts(file)).isEmpty();

    Path wrong = Files.writeString(directory.resolve("wrong"), "{\"n\": \"many\"}\n");
    assertThatThrownBy(() -> format("parquet").write(wrong, columns, file))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("none.parquet cannot be written")
        .hasMessageContaining("many");
    assertThatThrownBy(() -> format("arrow").write(none, columns, file))
        .hasMessageContaining("are only read");
  }

  private static List<String> described(Path file) throws Exception {
    return query("select column_name || ' ' || column_type from (describe from '%s')", file);
  }

  private static List<String> texts(Path file) throws Exception {
    return query("select columns(*)::varchar from '%s'", file);
  }

  private static List<String> query(String sql, Path file) throws Exception {
    List<String> all = new ArrayList<>();
    try (DuckDBConnection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql.formatted(file))) {
      while (rows.next()) {
        StringJoiner values = new StringJoiner("|");
        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
          values.add(rows.getString(column));
        }
        all.add(values.toString());
      }
    }
    return all;
  }

  @Test
  void readsArrowAsFileAndAsStream() throws Exception {
    Path file = directory.resolve("rows.arrow");
    Path stream = directory.resolve("stream.arrow");
    try (DuckDBConnection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(ROWS.formatted(100))) {
      DuckRows.read(
          result,
          rows -> {
            if (rows.getRowCount() > 0) {
              write(rows, file, stream);
            }
          });
    }
    assertThat(read(file, "arrow")).hasSize(100);
    check(read(file, "arrow"));
    assertThat(read(stream, "arrow")).isEqualTo(read(file, "arrow"));
  }

  private static void write(VectorSchemaRoot rows, Path file, Path stream) {
    try (FileChannel out = open(file);
        ArrowFileWriter writer = new ArrowFileWriter(rows, null, out);
        FileChannel streamOut = open(stream);
        ArrowStreamWriter streamWriter = new ArrowStreamWriter(rows, null, streamOut)) {
      writer.writeBatch();
      writer.end();
      streamWriter.writeBatch();
      streamWriter.end();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  @Test
  void saysWhichFileIsDamaged() throws Exception {
    Path file = parquet(30_000);
    byte[] bytes = Files.readAllBytes(file);
    Path cut = directory.resolve("cut.parquet");
    Files.write(cut, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    for (String ending : List.of("parquet", "arrow")) {
      assertThatThrownBy(() -> read(cut, ending))
          .isInstanceOfSatisfying(
              UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
          .hasMessageContaining("cut.parquet cannot be read");
    }
  }

  @Test
  void namesAColumnOfATypeThatNoTableHas() throws Exception {
    Path file = directory.resolve("list.parquet");
    try (DuckDBConnection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("COPY (select [1, 2] as many) TO '" + file + "'");
    }
    assertThatThrownBy(() -> read(file, "parquet"))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("'many' has values of type");
  }

  @Test
  void aPatternIsNoFile() throws Exception {
    Path pattern = Files.copy(parquet(3), directory.resolve("*.parquet"));
    assertThatThrownBy(() -> read(pattern, "parquet")).hasMessageContaining("rename it");
  }
}
