package io.uniserve.engines.sharedscan.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ScanFrom;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.engines.sharedscan.data.Cells;
import io.uniserve.engines.sharedscan.data.Segment;
import io.uniserve.engines.sharedscan.scan.Operation;
import io.uniserve.engines.sharedscan.scan.Scanner;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that pages give each record once, however many are equal. */
class PageSinkTest {
  private static final TableSchema NAMES = schema("name", "varchar not null");
  private static final TableSchema NUMBERS = schema("number", "bigint not null");

  private static TableSchema schema(String key, String type) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("note", "varchar(20)");
    columns.put(key, type);
    return TableSchema.of(Map.of("columns", columns, "partitionBy", key));
  }

  private static List<Object[]> rows(TableSchema schema, Random random, int count, int different) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long number = random.nextInt(different);
      Object key =
          schema == NAMES
              ? (Object) ("name " + number).getBytes(StandardCharsets.UTF_8)
              : (Object) (number - different / 2);
      int note = random.nextInt(3);
      rows.add(
          new Object[] {note == 0 ? null : ("note " + note).getBytes(StandardCharsets.UTF_8), key});
    }
    return rows;
  }

  private static List<String> texts(TableSchema schema, List<Object[]> rows) {
    Cells cells = new Cells(schema.columns());
    List<String> texts = new ArrayList<>();
    rows.forEach(row -> texts.add(cells.values(row).toString()));
    Collections.sort(texts);
    return texts;
  }

  /** Reads a page of a segment; returns the place of the next. */
  private static Optional<ByteBuffer> page(Segment segment, ScanFrom from, List<Object[]> into) {
    PageSink sink = new PageSink(segment.schema(), new int[] {0, 1}, from, () -> false);
    Scanner.read(segment, new Operation.Query(List.of(), sink));
    PageSink.Page page = sink.page(segment.records());
    Cells cells = new Cells(segment.schema().columns());
    ByteBuffer left = page.cells().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < page.count(); i++) {
      into.add(cells.take(left));
    }
    return page.next();
  }

  private static ScanFrom from(Optional<ByteBuffer> place, int bytes) {
    return new ScanFrom(place, bytes, Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 60, 1_000, 1 << 20})
  void pagesOfAnySizeGiveAllRecordsWhateverTheirOrderInMemory(int pageBytes) {
    for (TableSchema schema : List.of(NAMES, NUMBERS)) {
      for (int different : new int[] {1, 5, 300}) {
        Random random = new Random(different);
        List<Object[]> rows = rows(schema, random, pageBytes == 1 ? 90 : 3_000, different);
        List<Segment> copies = new ArrayList<>();
        for (int copy = 0; copy < 2; copy++) {
          Collections.shuffle(rows, random);
          copies.add(new Segment(schema));
          copies.getLast().addAll(rows);
        }
        List<Object[]> read = new ArrayList<>();
        Optional<ByteBuffer> place = Optional.empty();
        int pages = 0;
        do {
          place = page(copies.get(pages++ % 2), from(place, pageBytes), read);
        } while (place.isPresent());
        assertThat(texts(schema, read)).isEqualTo(texts(schema, rows));
        copies.forEach(Segment::close);
      }
    }
  }

  @Test
  void recordsThatAreThereThroughoutAreGivenOnceBesideOthersThatComeAndGo() {
    for (int seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      List<Object[]> staying = rows(NUMBERS, random, 500, 1_000);
      for (Object[] row : staying) {
        row[1] = 2 * (long) row[1];
      }
      List<Object[]> read = new ArrayList<>();
      Optional<ByteBuffer> place = Optional.empty();
      do {
        // Records with odd keys are others in each page.
        List<Object[]> all = new ArrayList<>(staying);
        for (Object[] row : rows(NUMBERS, random, 300, 1_000)) {
          all.add(new Object[] {row[0], 2 * (long) row[1] + 1});
        }
        Collections.shuffle(all, random);
        try (Segment segment = new Segment(NUMBERS)) {
          segment.addAll(all);
          place = page(segment, from(place, 700), read);
        }
      } while (place.isPresent());
      List<Object[]> stayed = read.stream().filter(row -> (long) row[1] % 2 == 0).toList();
      assertThat(texts(NUMBERS, stayed)).isEqualTo(texts(NUMBERS, staying));
    }
  }

  @Test
  void bothPartsOfASplitActorGoOnFromOnePlace() {
    Random random = new Random(1);
    List<Object[]> rows = rows(NAMES, random, 2_000, 40);
    Predicate<Object[]> first = row -> NAMES.key(row[1]).stableHash() % 2 == 0;
    List<Object[]> read = new ArrayList<>();
    try (Segment whole = new Segment(NAMES);
        Segment one = new Segment(NAMES);
        Segment other = new Segment(NAMES)) {
      whole.addAll(rows);
      one.addAll(rows.stream().filter(first).toList());
      other.addAll(rows.stream().filter(first.negate()).toList());
      Optional<ByteBuffer> place = page(whole, from(Optional.empty(), 5_000), read);
      for (Segment part : List.of(one, other)) {
        Optional<ByteBuffer> next = place;
        while (next.isPresent()) {
          next = page(part, from(next, 900), read);
        }
      }
    }
    assertThat(texts(NAMES, read)).isEqualTo(texts(NAMES, rows));
  }

  @Test
  void keysThatWereReadElsewhereAreLeftOut() {
    List<Object[]> rows = rows(NAMES, new Random(2), 500, 10);
    PartitionKey wanted = PartitionKey.of("name 3");
    List<Object[]> read = new ArrayList<>();
    try (Segment segment = new Segment(NAMES)) {
      segment.addAll(rows);
      ScanFrom some = new ScanFrom(Optional.empty(), 1 << 20, Optional.of(wanted::equals));
      assertThat(page(segment, some, read)).isEmpty();
    }
    List<Object[]> expected =
        rows.stream().filter(row -> NAMES.key(row[1]).equals(wanted)).toList();
    assertThat(texts(NAMES, read)).isEqualTo(texts(NAMES, expected));
  }

  @Test
  void anEmptySegmentHasOnePage() {
    List<Object[]> read = new ArrayList<>();
    try (Segment segment = new Segment(NAMES)) {
      assertThat(page(segment, from(Optional.empty(), 1), read)).isEmpty();
    }
    assertThat(read).isEmpty();
  }
}
