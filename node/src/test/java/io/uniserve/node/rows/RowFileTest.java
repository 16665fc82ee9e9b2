package io.uniserve.node.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class RowFileTest {
  private static final String LINES = "{\"a\":1}\n\n  \r\n{\"a\":2}\r\n{\"a\":3}";

  @Test
  void readsJsonLines() throws IOException {
    assertThat(read("x.jsonl", bytes(LINES)))
        .containsExactly(
            "x.jsonl, line 1 {\"a\":1}", "x.jsonl, line 4 {\"a\":2}", "x.jsonl, line 5 {\"a\":3}");
  }

  /**
   * A gibibyte of blank lines is a compressed file of a mebibyte; each line once took memory for a
   * record.
   */
  @Test
  @Timeout(60)
  void passesOverManyBlankLines() throws IOException {
    long lines = 1L << 27;
    byte[] block = " \n".repeat(1 << 15).getBytes(StandardCharsets.UTF_8);
    InputStream blank =
        new SequenceInputStream(
            new InputStream() {
              private long left = lines * 2;

              @Override
              public int read() {
                throw new UnsupportedOperationException("byte by byte");
              }

              @Override
              public int read(byte[] target, int offset, int length) {
                int count = (int) Math.min(left, Math.min(length, block.length) & ~1);
                System.arraycopy(block, 0, target, offset, count);
                left -= count;
                return count == 0 ? -1 : count;
              }
            },
            new ByteArrayInputStream(bytes("  {\"a\":1}\n\n")));
    try (RowReader rows = RowFile.open("x.jsonl", blank, count -> {})) {
      Item.Row row = (Item.Row) rows.next().orElseThrow();
      assertThat(row.place().number()).isEqualTo(lines + 1);
      assertThat(new String(row.json(), StandardCharsets.UTF_8)).isEqualTo("  {\"a\":1}");
      assertThat(rows.next()).isEmpty();
    }
  }

  @Test
  void readsAnArrayAcrossLines() throws IOException {
    assertThat(read("x.json", bytes("\ufeff\n [ {\"a\":[1,\n2.5]},\n{}, 7, {\"b\":null} ]\n")))
        .containsExactly(
            "x.json, line 2 {\"a\":[1,2.5]}",
            "x.json, line 4 {}",
            "x.json, line 4 BAD an element of the array is no object",
            "x.json, line 4 {\"b\":null}");
  }

  @Test
  void readsSeparatedValues() throws IOException {
    assertThat(read("x.csv", bytes("id,text\n1,\"a \"\"b\"\"\nc\"\n2\n3,\n")))
        .containsExactly(
            "x.csv, line 2 {\"id\":\"1\",\"text\":\"a \\\"b\\\"\\nc\"}",
            "x.csv, line 4 BAD has 1 values, but the header names 2",
            "x.csv, line 5 {\"id\":\"3\"}");
    assertThat(read("x.tsv", bytes("id\ttext\n1\ta,b\n")))
        .containsExactly("x.tsv, line 2 {\"id\":\"1\",\"text\":\"a,b\"}");
  }

  @Test
  void takesCompressionOffWhateverTheName() throws IOException {
    List<String> plain = read("x.jsonl", bytes(LINES));
    assertThat(read("x.jsonl", gzip(bytes(LINES)))).isEqualTo(plain);
    assertThat(read("x.jsonl", xz(bytes(LINES)))).isEqualTo(plain);
  }

  @Test
  void readsEveryFileOfAnArchive() throws IOException {
    byte[] archive =
        xz(
            tar(
                "one.jsonl",
                bytes("{\"a\":1}"),
                "two.csv",
                bytes("a\n2\n"),
                "three.json",
                bytes("[{\"a\":3}]")));
    assertThat(read("x.tar.xz", archive))
        .containsExactly(
            "x.tar.xz!one.jsonl, line 1 {\"a\":1}",
            "x.tar.xz!two.csv, line 2 {\"a\":\"2\"}",
            "x.tar.xz!three.json, line 1 {\"a\":3}");
  }

  @Test
  void tellsThatAnArchiveIsCutOff() throws IOException {
    byte[] lines =
        bytes(
            "{\"text\":\"some text that does not compress to nothing 0123456789\"}\n".repeat(2000));
    for (byte[] whole : List.of(gzip(lines), xz(lines), xz(tar("one.jsonl", lines)))) {
      byte[] cut = Arrays.copyOf(whole, whole.length - whole.length / 3);
      assertThatThrownBy(() -> read("x.jsonl.gz", cut))
          .isInstanceOfSatisfying(
              UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
          .hasMessageContaining("x.jsonl.gz is cut off");
    }
    byte[] tar = tar("one.jsonl", lines);
    assertThatThrownBy(() -> read("x.tar", Arrays.copyOf(tar, tar.length / 2)))
        .hasMessageContaining("x.tar is cut off");
  }

  @Test
  void tellsThatAnArchiveIsDamaged() throws IOException {
    byte[] damaged = xz(bytes(LINES.repeat(100)));
    damaged[damaged.length / 2] ^= 0x55;
    assertThatThrownBy(() -> read("x.jsonl.xz", damaged))
        .hasMessageStartingWith("x.jsonl.xz is damaged");
    assertThatThrownBy(() -> read("x.jsonl.gz", bytes(LINES)))
        .hasMessage("x.jsonl.gz does not hold what its ending .gz says");
  }

  @Test
  void tellsWhereAnArrayOrAQuoteHasNoEnd() {
    assertThatThrownBy(() -> read("x.json", bytes("[{\"a\":1},\n{\"a\":")))
        .hasMessageContaining("x.json, line 2")
        .hasMessageContaining("cut off");
    assertThatThrownBy(() -> read("x.json", bytes("[{\"a\":1},\n{\"a\" 1}]")))
        .hasMessageContaining("x.json: not JSON")
        .hasMessageContaining("line 2");
    assertThatThrownBy(() -> read("x.csv", bytes("id\n\"open\n")))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("x.csv, line 2");
  }

  @Test
  void boundsOneRecord() {
    String endless = "x".repeat(RowReader.ROW_BYTES_MAX + (2 << 20));
    assertThatThrownBy(() -> read("x.csv", bytes("id\n\"" + endless)))
        .hasMessageContaining("x.csv: a record is longer than");
    assertThatThrownBy(() -> read("x.json", bytes("[{\"a\":\"" + endless + "\"}]")))
        .isInstanceOf(UniserveException.class);
    assertThat(readable("x.jsonl", bytes(endless + "\n{\"a\":1}")))
        .containsExactly(
            "x.jsonl, line 1 BAD the line is longer than 16777216 bytes",
            "x.jsonl, line 2 {\"a\":1}");
  }

  @Test
  void refusesWhatIsNoFileOfRows() {
    assertThatThrownBy(() -> read("x.txt", bytes("hello")))
        .hasMessageStartingWith("x.txt: neither JSON lines nor a JSON array");
    assertThatThrownBy(() -> read("x.csv", new byte[] {'a', '\n', (byte) 0xff, (byte) 0xfe, '\n'}))
        .hasMessageContaining("not UTF-8");
    assertThatThrownBy(() -> read("x.csv", bytes("a,a\n1,2\n")))
        .hasMessageContaining("the header is unusable");
    assertThatThrownBy(() -> RowFile.open(Path.of("/no/such.jsonl"), read -> {}))
        .hasMessage("there is no file /no/such.jsonl");
  }

  /**
   * A file that is not UTF-8 is not loaded with replacements; its line is exact, however far it is.
   */
  @Test
  void refusesOtherCharsetsWithTheirLine() {
    String values = "id,name\n" + "1,plain\n".repeat(30_000) + "2,caf\u00e9\n3,plain\n";
    assertThat(readable("x.csv", bytes(values))).last().asString().contains("line 30003");
    assertThat(readable("x.csv", bytes("\ufeff" + values))).hasSize(30_002);
    assertThatThrownBy(() -> read("x.csv", values.getBytes(StandardCharsets.ISO_8859_1)))
        .isInstanceOf(UniserveException.class)
        .hasMessage("x.csv, line 30002: not UTF-8");
    assertThatThrownBy(() -> read("x.tsv", "a\tb\n".getBytes(StandardCharsets.UTF_16)))
        .hasMessage("x.tsv, line 1: not UTF-8");
    String array = "[{\"id\":1},\n{\"id\":\"\u00e9\"}]";
    assertThat(readable("x.json", bytes("\ufeff" + array))).hasSize(2);
    assertThatThrownBy(() -> read("x.json", array.getBytes(StandardCharsets.ISO_8859_1)))
        .hasMessage("x.json, line 2: not UTF-8");
    String lines = "{\"id\":1}\n{\"id\":\"\u00e9\"}\n{\"id\":3}\n";
    assertThat(readable("x.jsonl", bytes("\ufeff" + lines))).hasSize(3);
    assertThat(readable("x.jsonl", lines.getBytes(StandardCharsets.ISO_8859_1)))
        .containsExactly(
            "x.jsonl, line 1 {\"id\":1}",
            "x.jsonl, line 2 BAD not UTF-8",
            "x.jsonl, line 3 {\"id\":3}");
  }

  /** The reader agrees with a decoder, for every sequence of up to four bytes at the limits. */
  @Test
  void knowsUtf8AsADecoderDoes() throws IOException {
    int[] limits = {0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xe1};
    int[] more = {0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff};
    int[] bytes = IntStream.concat(Arrays.stream(limits), Arrays.stream(more)).toArray();
    for (int number = 0; number < bytes.length * bytes.length * bytes.length; number++) {
      for (int tail : new int[] {0x41, 0x80}) {
        byte[] text = new byte[4];
        int rest = number;
        for (int i = 0; i < 3; i++) {
          text[i] = (byte) bytes[rest % bytes.length];
          rest /= bytes.length;
        }
        text[3] = (byte) tail;
        assertThat(passes(text)).as(Arrays.toString(text)).isEqualTo(decodes(text));
      }
    }
  }

  private static boolean passes(byte[] text) throws IOException {
    try (InputStream in = new Utf8Input("x", new ByteArrayInputStream(text))) {
      in.readAllBytes();
      return true;
    } catch (UniserveException e) {
      return false;
    }
  }

  private static boolean decodes(byte[] text) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  @Test
  void tellsProgressInBytesOfTheFile() throws IOException {
    byte[] file = gzip(bytes(LINES.repeat(1000)));
    AtomicLong seen = new AtomicLong();
    try (RowReader rows =
        RowFile.open("x.jsonl.gz", new ByteArrayInputStream(file), seen::addAndGet)) {
      while (rows.next().isPresent()) {
        assertThat(seen.get()).isLessThanOrEqualTo(file.length);
      }
    }
    assertThat(seen.get()).isEqualTo(file.length);
  }

  private static List<String> readable(String name, byte[] contents) {
    try {
      return read(name, contents);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> read(String name, byte[] contents) throws IOException {
    List<String> items = new ArrayList<>();
    InputStream in = new ByteArrayInputStream(contents);
    try (RowReader rows = RowFile.open(name, in, read -> {})) {
      for (Optional<Item> item = rows.next(); item.isPresent(); item = rows.next()) {
        items.add(
            switch (item.get()) {
              case Item.Row row ->
                  row.place() + " " + new String(row.json(), StandardCharsets.UTF_8).strip();
              case Item.Bad bad -> bad.place() + " BAD " + bad.why();
            });
      }
    }
    return items;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(byte[] contents) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(contents);
    }
    return out.toByteArray();
  }

  private static byte[] xz(byte[] contents) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream xz = new XZOutputStream(out, new LZMA2Options(1))) {
      xz.write(contents);
    }
    return out.toByteArray();
  }

  private static byte[] tar(Object... namesAndContents) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(out)) {
      for (int i = 0; i < namesAndContents.length; i += 2) {
        byte[] contents = (byte[]) namesAndContents[i + 1];
        TarArchiveEntry entry = new TarArchiveEntry((String) namesAndContents[i]);
        entry.setSize(contents.length);
        tar.putArchiveEntry(entry);
        tar.write(contents);
        tar.closeArchiveEntry();
      }
    }
    return out.toByteArray();
  }
}
