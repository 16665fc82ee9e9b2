package io.uniserve.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.testkit.client.TableRows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans of tables whose records have no key, and may be equal. */
@Timeout(300)
class KeylessScanTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String SALES = "sales";
  private static final int ROWS = 600;
  private static final int PLACES = 40;
  private static final ScanOptions SMALL = ScanOptions.DEFAULT.withSizes(1_000, 10_000);

  @TempDir private Path directory;
  private EmbeddedCluster cluster;
  private UniserveClient client;

  @BeforeEach
  void start() {
    cluster =
        EmbeddedCluster.start(
            new EmbeddedSettings(directory, 3, Plugins.load().engines(), Optional.empty()));
    client = cluster.client();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static TableDefinition sales(String engine, Partitioner partitioner) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("place", "integer not null");
    columns.put("item", "varchar(40)");
    columns.put("price", "decimal(8,2)");
    return new TableDefinition(
        SALES,
        engine,
        partitioner,
        2,
        Durability.ASYNCHRONOUS,
        engine.equals("warehouse") ? Consistency.SERIALIZABLE : Consistency.EVENTUAL,
        Map.of(
            "columns",
            columns,
            "partitionBy",
            engine.equals("warehouse") ? List.of("place") : "place"));
  }

  private static Map<String, Object> sale(int n) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("place", (long) (n % PLACES));
    row.put("item", n % 3 == 0 ? null : "item number " + n % 4);
    row.put("price", n % 5 + ".50");
    return row;
  }

  private void fill(TableDefinition table) {
    client.createTable(table, TIMEOUT);
    TableRows.store(
        client, table, IntStream.range(0, ROWS).mapToObj(KeylessScanTest::sale).toList());
  }

  /** Returns how often each record is among some. */
  private static Map<String, Integer> counts(List<Map<String, Object>> rows) {
    Map<String, Integer> counts = new TreeMap<>();
    rows.forEach(row -> counts.merge(new TreeMap<>(row).toString(), 1, Integer::sum));
    return counts;
  }

  private static Map<String, Integer> expected() {
    return counts(IntStream.range(0, ROWS).mapToObj(KeylessScanTest::sale).toList());
  }

  private static void take(Scan scan, int most, List<Map<String, Object>> rows) {
    int count = 0;
    while (count++ < most && scan.hasNext()) {
      rows.add(scan.next());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sharedscan", "warehouse"})
  void equalRecordsAreGivenAsOftenAsTheyAreThereWhileActorsAreSplitAndMerged(String engine) {
    fill(sales(engine, new Partitioner.Hash(2)));
    List<Map<String, Object>> rows = new ArrayList<>();
    try (Scan scan = client.scan(SALES, ScanRequest.ALL, SMALL)) {
      take(scan, 150, rows);
      client.admin().split(SALES, 0, Optional.empty(), TIMEOUT);
      take(scan, 150, rows);
      client.admin().merge(SALES, 0, Optional.of(2), TIMEOUT);
      take(scan, Integer.MAX_VALUE, rows);
    }
    assertThat(counts(rows)).isEqualTo(expected());
  }

  @ParameterizedTest
  @ValueSource(strings = {"sharedscan", "warehouse"})
  void aConditionARangeAndFieldsChoose(String engine) {
    TableDefinition table = sales(engine, new Partitioner.Hash(2));
    PartitionKey half = client.planner(table).key(table, "20");
    assertThat(half).isEqualTo(PartitionKey.of(20L));
    fill(sales(engine, new Partitioner.Range(List.of(half))));
    ScanRequest request =
        new ScanRequest(
            Optional.empty(),
            Optional.of("19"),
            Optional.of("23"),
            Optional.of("item = 'item number 2' and price > 1"),
            List.of("item", "place"));
    List<Map<String, Object>> rows = new ArrayList<>();
    try (Scan scan = client.scan(SALES, request, SMALL)) {
      take(scan, Integer.MAX_VALUE, rows);
    }
    List<Map<String, Object>> all =
        IntStream.range(0, ROWS)
            .filter(n -> n % PLACES >= 19 && n % PLACES < 23)
            .filter(n -> n % 3 != 0 && n % 4 == 2 && n % 5 >= 1)
            .mapToObj(
                n -> Map.<String, Object>of("item", "item number 2", "place", (long) (n % PLACES)))
            .toList();
    assertThat(all).isNotEmpty();
    assertThat(counts(rows)).isEqualTo(counts(all));
  }

  @Test
  void whatASharedScanCannotDoIsRefusedByName() {
    TableDefinition table = sales("sharedscan", new Partitioner.Hash(2));
    assertRefused(table, request("x", null), "column 'place' is compared with no number: x");
    assertRefused(table, request(null, "price = 1 or price = 2"), "no OR");
    assertRefused(
        table, request(null, "price = 1) order by (place"), "not the end of the condition");
    assertRefused(table, request(null, "cost = 1"), "there is no column 'cost'");
  }

  private static ScanRequest request(String from, String where) {
    return new ScanRequest(
        Optional.empty(),
        Optional.ofNullable(from),
        Optional.empty(),
        Optional.ofNullable(where),
        List.of());
  }

  private void assertRefused(TableDefinition table, ScanRequest request, String why) {
    assertThatThrownBy(() -> client.planner(table).scan(table, request))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining(why);
  }
}
