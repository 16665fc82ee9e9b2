package io.uniserve.engines.sharedscan.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import io.uniserve.testkit.forms.GoldenForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the file of a segment, whose bytes are pinned. */
class SegmentFileTest {
  private static final Path GOLDEN =
      Path.of("src/test/resources/io/uniserve/engines/sharedscan/forms/records-1.golden");
  private static final int LINE = 64;

  private final TableSchema schema = schema();
  @TempDir private Path directory;

  private static TableSchema schema() {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("rloc", "varchar(6) not null");
    columns.put("tiny", "tinyint");
    columns.put("small", "smallint");
    columns.put("number", "integer");
    columns.put("large", "bigint");
    columns.put("fare", "decimal(10,2)");
    columns.put("day", "date");
    columns.put("hour", "time");
    columns.put("created", "timestamp");
    columns.put("flag", "boolean");
    columns.put("kind", "enum('x','y')");
    columns.put("code", "varchar(2)");
    columns.put("name", "varchar(40)");
    columns.put("note", "varchar");
    return TableSchema.of(Map.of("columns", columns, "partitionBy", "rloc"));
  }

  private static List<List<Object>> rows() {
    return List.of(
        List.of(
            "AB12CD",
            -1L,
            -2L,
            70_000L,
            5_000_000_000L,
            "912.50",
            "2026-12-01",
            "12:30:00",
            "2026-11-28 12:30:00.500",
            true,
            "y",
            "Zx",
            "Lovelace",
            "a note that is longer than eight bytes"),
        Arrays.asList(
            "EF34GH", null, null, null, null, null, null, null, null, null, null, null, null, null),
        Arrays.asList(
            "",
            127L,
            32_767L,
            0L,
            -1L,
            "-0.01",
            "1969-12-31",
            "00:00:00",
            "1970-01-01 00:00:00",
            false,
            "x",
            "",
            "",
            "Zürich"));
  }

  private Segment segment() {
    Segment segment = new Segment(schema);
    List<Object[]> stored = new ArrayList<>();
    for (List<Object> row : rows()) {
      Object[] values = new Object[schema.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = schema.column(i).stored(row.get(i));
      }
      stored.add(values);
    }
    segment.addAll(stored);
    return segment;
  }

  private byte[] written() throws IOException {
    try (Segment segment = segment()) {
      SegmentFile.write(segment, directory);
    }
    return Files.readAllBytes(directory.resolve("records"));
  }

  private void put(byte[] bytes) throws IOException {
    Files.write(directory.resolve("records"), bytes);
  }

  private List<List<Object>> read() throws IOException {
    Cells cells = new Cells(schema.columns());
    try (Segment segment = SegmentFile.read(schema, directory)) {
      return Segment.rows(segment.chunk(0)).stream().map(cells::values).toList();
    }
  }

  @Test
  void aFileHasItsBytes() throws IOException {
    String hex = HexFormat.of().formatHex(written());
    if (Boolean.getBoolean(GoldenForm.WRITE)) {
      Files.writeString(GOLDEN, hex.replaceAll(".{" + LINE + "}", "$0\n") + "\n");
    }
    assertThat(hex)
        .as("the bytes of files of records, which others have on their disks")
        .isEqualTo(golden());
  }

  private static String golden() throws IOException {
    return String.join("", Files.readAllLines(GOLDEN));
  }

  @Test
  void theRecordsOfAPinnedFileAreRead() throws IOException {
    put(HexFormat.of().parseHex(golden()));
    assertThat(read()).isEqualTo(rows());
  }

  @Test
  void manyRecordsWithGapsAreReadAsTheyWere() throws IOException {
    List<List<Object>> before;
    Cells cells = new Cells(schema.columns());
    try (Segment segment = segment()) {
      for (int i = 0; i < Chunk.SLOTS / 2; i++) {
        segment.addAll(Segment.rows(segment.chunk(0)).subList(0, 3));
      }
      for (int slot = 1; slot < Chunk.SLOTS; slot += 5) {
        segment.delete(0, slot);
      }
      SegmentFile.write(segment, directory);
      before = rows(segment, cells);
    }
    try (Segment segment = SegmentFile.read(schema, directory)) {
      assertThat(segment.records()).isEqualTo(before.size());
      assertThat(rows(segment, cells)).isEqualTo(before);
    }
  }

  private static List<List<Object>> rows(Segment segment, Cells cells) {
    return IntStream.range(0, segment.size())
        .boxed()
        .flatMap(chunk -> Segment.rows(segment.chunk(chunk)).stream())
        .map(cells::values)
        .toList();
  }

  @Test
  void anUnknownVersionIsRefusedByName() throws IOException {
    byte[] bytes = written();
    bytes[4] = 2;
    put(bytes);
    assertThatThrownBy(this::read)
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
        .hasMessage(
            "the form of shared scans' records has version 2; this program knows version 1");
  }

  @Test
  void aFileThatIsNoneIsDamaged() throws IOException {
    byte[] bytes = written();
    bytes[0] ^= 1;
    put(bytes);
    assertThatThrownBy(this::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not begin as a file of records");
  }

  @Test
  void aChangedByteIsNoticed() throws IOException {
    byte[] bytes = written();
    bytes[bytes.length - 3] ^= 4;
    put(bytes);
    assertThatThrownBy(this::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a checksum is wrong");
  }

  @Test
  void aLostEndIsNoticed() throws IOException {
    byte[] bytes = written();
    put(Arrays.copyOf(bytes, bytes.length - 1));
    assertThatThrownBy(this::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ends too early");
  }
}
