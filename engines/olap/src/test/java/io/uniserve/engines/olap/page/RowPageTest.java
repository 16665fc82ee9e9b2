package io.uniserve.engines.olap.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.AppendRows;
import io.uniserve.engines.olap.OlapEngine;
import io.uniserve.engines.olap.OlapPlanner;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.storage.OlapActor;
import io.uniserve.testkit.local.Batch;
import io.uniserve.testkit.local.LocalContext;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of pages of stored rows: what they choose, and that each row is on one of them. */
class RowPageTest {
  private static final int ROWS = 900;

  private static final TableDefinition TABLE =
      new TableDefinition(
          "edits",
          OlapEngine.NAME,
          new Partitioner.Hash(1),
          1,
          Durability.NONE,
          Map.of(
              "timestampSpec",
              Map.of("column", "time", "format", "millis"),
              "dimensionsSpec",
              Map.of("dimensions", List.of("page", Map.of("type", "long", "name", "size"))),
              "metricsSpec",
              List.of(
                  Map.of("type", "count", "name", "edits"),
                  Map.of("type", "longSum", "name", "added", "fieldName", "added")),
              "granularitySpec",
              Map.of("queryGranularity", "hour", "rollup", true),
              "maxRowsInMemory",
              100L,
              "segmentsPerSize",
              3L));

  @TempDir private Path directory;
  private LocalTable<OlapActor> table;

  @BeforeEach
  void fill() throws IOException {
    table = LocalTable.create(new OlapEngine(), TABLE, directory);
    append(0, ROWS);
  }

  @AfterEach
  void close() {
    table.close();
  }

  private void append(int from, int to) {
    Random random = new Random(from);
    for (int first = from; first < to; first += 30) {
      List<Map<String, Object>> rows =
          IntStream.range(first, first + 30)
              .mapToObj(
                  n ->
                      Map.<String, Object>of(
                          "time",
                          1_442_016_000_000L + random.nextInt(5 * 3_600_000),
                          "page",
                          "page " + random.nextInt(90),
                          "size",
                          (long) random.nextInt(4),
                          "added",
                          1L))
              .toList();
      table.update(Batch.of(new AppendRows(), new OlapPlanner().records(TABLE, rows)));
    }
  }

  private static ScanRequest request(String from, String to, String where, String... fields) {
    return new ScanRequest(
        Optional.empty(),
        Optional.ofNullable(from),
        Optional.ofNullable(to),
        Optional.ofNullable(where),
        List.of(fields));
  }

  private List<Map<String, Object>> read(ScanRequest request, int pageBytes) {
    List<Map<String, Object>> rows = new ArrayList<>();
    Optional<ByteBuffer> place = Optional.empty();
    do {
      place = page(request, place, pageBytes, rows);
    } while (place.isPresent());
    return rows;
  }

  private Optional<ByteBuffer> page(
      ScanRequest request,
      Optional<ByteBuffer> place,
      int pageBytes,
      List<Map<String, Object>> rows) {
    ScanPlan plan = new OlapPlanner().scan(TABLE, request);
    ScanPage page =
        ((ReadRows) plan.operator())
            .page(
                table.actor(0),
                new ScanFrom(place, pageBytes, Optional.empty()),
                new LocalContext(0));
    page.blocks().forEach(block -> plan.reader().read(block, rows::add));
    return page.next();
  }

  private static long sum(List<Map<String, Object>> rows, String metric) {
    return rows.stream().mapToLong(row -> (Long) row.get(metric)).sum();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 500, 5_000, 1 << 20})
  void everyStoredRowIsOnOnePage(int pageBytes) {
    List<Map<String, Object>> rows = read(ScanRequest.ALL, pageBytes);
    assertThat(sum(rows, "added")).isEqualTo(ROWS);
    assertThat(sum(rows, "edits")).isEqualTo(ROWS);
    assertThat(rows).isEqualTo(read(ScanRequest.ALL, 1 << 24));
    assertThat(rows).isSortedAccordingTo((a, b) -> time(a).compareTo(time(b)));
    assertThat(rows.getFirst()).containsOnlyKeys("__time", "page", "size", "edits", "added");
  }

  private static String time(Map<String, Object> row) {
    return (String) row.get("__time");
  }

  @Test
  void rowsThatRollUpDuringTheScanAreCountedOnce() {
    List<Map<String, Object>> rows = new ArrayList<>();
    Optional<ByteBuffer> place = page(ScanRequest.ALL, Optional.empty(), 9_000, rows);
    long before = sum(rows, "added");
    assertThat(before).isBetween(1L, ROWS - 1L);
    table.update(Batch.ofAllActors(new io.uniserve.engines.olap.Compact()));
    while (place.isPresent()) {
      place = page(ScanRequest.ALL, place, 700, rows);
    }
    assertThat(sum(rows, "added")).isEqualTo(ROWS);
  }

  @Test
  void timesAConditionAndFieldsChoose() {
    List<Map<String, Object>> all = read(ScanRequest.ALL, 1 << 20);
    String from = "2015-09-12T01:00:00Z";
    String to = "2015-09-12T03:00:00Z";
    List<Map<String, Object>> some =
        read(request(from, to, "size > 1 && page != 'page 7'", "page", "added"), 2_000);
    List<Map<String, Object>> expected =
        all.stream()
            .filter(row -> time(row).compareTo("2015-09-12T01") >= 0)
            .filter(row -> time(row).compareTo("2015-09-12T03") < 0)
            .filter(row -> (Long) row.get("size") > 1 && !row.get("page").equals("page 7"))
            .toList();
    assertThat(some).hasSameSizeAs(expected).isNotEmpty();
    assertThat(sum(some, "added")).isEqualTo(sum(expected, "added"));
    assertThat(some.getFirst()).containsOnlyKeys("page", "added");
    String filter = "{\"type\":\"selector\",\"dimension\":\"page\",\"value\":\"page 7\"}";
    assertThat(read(request(null, null, filter), 2_000))
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row).containsEntry("page", "page 7"));
  }

  @Test
  void aTimeCutsATableIntoActors() {
    PartitionKey noon = new OlapPlanner().key(TABLE, "2015-09-12T12:00:00Z");
    long millis = 1_442_059_200_000L;
    assertThat(noon).isGreaterThan(OlapRow.key(millis - 1, Long.MAX_VALUE));
    assertThat(noon).isLessThan(OlapRow.key(millis, Long.MIN_VALUE));
  }

  @Test
  void whatCannotBeReadIsRefusedByName() {
    assertRefused(request("yesterday", null, null), "'yesterday' is no time");
    assertRefused(request(null, null, "size >"), "the condition 'size >'");
    assertRefused(request(null, null, "page ="), "column 6 is nothing that an expression has");
    assertRefused(request(null, null, "size > 1 # 2"), "the condition 'size > 1 # 2'");
    assertRefused(request(null, null, "{\"type\":\"none\"}"), "no filter of Druid");
    assertRefused(request(null, null, null, "cost"), "table 'edits' has no column 'cost'");
  }

  private static void assertRefused(ScanRequest request, String why) {
    assertThatThrownBy(() -> new OlapPlanner().scan(TABLE, request))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining(why);
  }
}
