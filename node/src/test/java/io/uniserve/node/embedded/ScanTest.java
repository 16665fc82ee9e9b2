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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scans of tables whose actors are split, merged and changed meanwhile. */
@Timeout(300)
class ScanTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String NOTES = "notes";
  private static final String ITEMS = "items";
  private static final int ROWS = 2_000;

  /** Pages so small that an actor has many, and a buffer of few of them. */
  private static final ScanOptions SMALL = ScanOptions.DEFAULT.withSizes(1_000, 8_000);

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

  @Test
  void aSearchTableIsGivenOnceWhileItsActorsAreSplitAndMerged() {
    create(notes(new Partitioner.Hash(2)), ROWS);
    List<String> ids = new ArrayList<>();
    try (Scan scan = client.scan(NOTES, ScanRequest.ALL, SMALL)) {
      take(scan, 200, ids);
      client.admin().split(NOTES, 0, Optional.empty(), TIMEOUT);
      take(scan, 200, ids);
      client.admin().merge(NOTES, 0, Optional.of(2), TIMEOUT);
      take(scan, 200, ids);
      client.admin().split(NOTES, 1, Optional.empty(), TIMEOUT);
      take(scan, Integer.MAX_VALUE, ids);
    }
    assertThat(ids).doesNotHaveDuplicates().hasSize(ROWS);
  }

  @Test
  void aMergedActorGivesWhatEachOfItsPartsHadLeft() {
    create(notes(new Partitioner.Range(List.of(PartitionKey.of("n1")))), ROWS);
    List<String> ids = new ArrayList<>();
    try (Scan scan = client.scan(NOTES, ScanRequest.ALL, SMALL.withSlots(1))) {
      take(scan, 150, ids);
      client.admin().merge(NOTES, 0, Optional.of(1), TIMEOUT);
      take(scan, 150, ids);
      client.admin().split(NOTES, 2, Optional.of(PartitionKey.of("n15")), TIMEOUT);
      take(scan, Integer.MAX_VALUE, ids);
    }
    assertThat(ids).doesNotHaveDuplicates().hasSize(ROWS);
  }

  @Test
  void aCursorGoesOnAfterWhatWasGiven() {
    create(notes(new Partitioner.Hash(3)), ROWS);
    List<String> ids = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    boolean more = true;
    while (more) {
      ScanOptions options = cursor.map(SMALL::withCursor).orElse(SMALL);
      try (Scan scan = client.scan(NOTES, ScanRequest.ALL, options)) {
        int pages = 0;
        var plan =
            client
                .planner(notes(new Partitioner.Hash(3)))
                .scan(notes(new Partitioner.Hash(3)), ScanRequest.ALL);
        Optional<List<java.nio.ByteBuffer>> blocks = scan.nextBlocks();
        while (blocks.isPresent() && pages++ < 7) {
          blocks
              .get()
              .forEach(block -> plan.reader().read(block, row -> ids.add((String) row.get("id"))));
          cursor = Optional.of(scan.cursor());
          blocks = pages < 7 ? scan.nextBlocks() : blocks;
        }
        more = blocks.isPresent();
      }
    }
    assertThat(ids).doesNotHaveDuplicates().hasSize(ROWS);
    ScanRequest other =
        new ScanRequest(
            Optional.empty(), Optional.of("n1"), Optional.empty(), Optional.empty(), List.of());
    String last = cursor.orElseThrow();
    assertThatThrownBy(() -> client.scan(NOTES, other, SMALL.withCursor(last)))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("the cursor is of another scan");
  }

  @Test
  void aConditionAndARangeChooseDocuments() {
    create(notes(new Partitioner.Hash(2)), ROWS);
    ScanRequest request =
        new ScanRequest(
            Optional.empty(),
            Optional.of("n1000"),
            Optional.of("n1010"),
            Optional.of("text:even"),
            List.of("text"));
    List<String> ids = new ArrayList<>();
    try (Scan scan = client.scan(NOTES, request, SMALL)) {
      take(scan, Integer.MAX_VALUE, ids);
    }
    assertThat(ids).containsExactlyInAnyOrder("n1000", "n1002", "n1004", "n1006", "n1008");
  }

  @Test
  void aSqlTableIsGivenOnceWhileItsActorsAreSplitAndMerged() {
    create(items(Consistency.SERIALIZABLE), ROWS);
    List<String> keys = new ArrayList<>();
    try (Scan scan = client.scan(ITEMS, ScanRequest.ALL, SMALL)) {
      take(scan, 200, keys);
      client.admin().split(ITEMS, 0, Optional.empty(), TIMEOUT);
      take(scan, 200, keys);
      client.admin().merge(ITEMS, 0, Optional.of(2), TIMEOUT);
      take(scan, Integer.MAX_VALUE, keys);
    }
    assertThat(keys).doesNotHaveDuplicates().hasSize(ROWS);
  }

  @Test
  void aScanOfOneVersionSeesNothingOfLaterUpdatesSplitsAndMerges() {
    create(items(Consistency.SNAPSHOT), ROWS);
    List<String> keys = new ArrayList<>();
    try (Scan scan = client.scan(ITEMS, ScanRequest.ALL, SMALL)) {
      take(scan, 100, keys);
      store(items(Consistency.SNAPSHOT), ROWS, ROWS + 100);
      client.admin().split(ITEMS, 1, Optional.empty(), TIMEOUT);
      store(items(Consistency.SNAPSHOT), ROWS + 100, ROWS + 200);
      take(scan, Integer.MAX_VALUE, keys);
    }
    assertThat(keys).doesNotHaveDuplicates().hasSize(ROWS);
    try (Scan scan = client.scan(ITEMS)) {
      keys.clear();
      take(scan, Integer.MAX_VALUE, keys);
    }
    assertThat(keys).doesNotHaveDuplicates().hasSize(ROWS + 200);
  }

  @Test
  void aCursorOfOneVersionGoesOnAfterASplitOfWhatWasBegun() {
    create(items(Consistency.SNAPSHOT), ROWS);
    List<String> keys = new ArrayList<>();
    String cursor;
    try (Scan scan = client.scan(ITEMS, ScanRequest.ALL, SMALL)) {
      keys.addAll(page(scan));
      cursor = scan.cursor();
    }
    client.admin().split(ITEMS, 0, Optional.empty(), TIMEOUT);
    client.admin().split(ITEMS, 1, Optional.empty(), TIMEOUT);
    try (Scan scan = client.scan(ITEMS, ScanRequest.ALL, SMALL.withCursor(cursor))) {
      take(scan, Integer.MAX_VALUE, keys);
    }
    assertThat(keys).doesNotHaveDuplicates().hasSize(ROWS);
  }

  /** Returns the keys of a page. */
  private List<String> page(Scan scan) {
    List<String> keys = new ArrayList<>();
    TableDefinition items = items(Consistency.SNAPSHOT);
    var plan = client.planner(items).scan(items, ScanRequest.ALL);
    scan.nextBlocks()
        .orElseThrow()
        .forEach(block -> plan.reader().read(block, row -> keys.add(row.get("item").toString())));
    return keys;
  }

  @Test
  void aWarehouseIsCutAtKeysAsPeopleWriteThem() {
    TableDefinition items = items(Consistency.SERIALIZABLE);
    PartitionKey half = client.planner(items).key(items, "1000");
    assertThat(half).isEqualTo(PartitionKey.of(1000L));
    assertThatThrownBy(() -> client.planner(items).key(items, "x"))
        .isInstanceOf(UniserveException.class)
        .hasMessage("warehouse 'items' has no key 'x'");
    create(items.withPartitioner(new Partitioner.Range(List.of(half))), ROWS);
    ScanRequest upper =
        new ScanRequest(
            Optional.empty(), Optional.of("1990"), Optional.empty(), Optional.empty(), List.of());
    List<String> keys = new ArrayList<>();
    try (Scan scan = client.scan(ITEMS, upper, SMALL)) {
      take(scan, Integer.MAX_VALUE, keys);
    }
    assertThat(keys).doesNotHaveDuplicates().hasSize(10);
  }

  @Test
  void aScanHoldsNoMoreThanItsBuffer() {
    create(notes(new Partitioner.Hash(4)), ROWS);
    try (Scan scan = client.scan(NOTES, ScanRequest.ALL, SMALL.withSlots(8))) {
      while (scan.hasNext()) {
        scan.next();
      }
      assertThat(scan.progress().bufferedBytesMost()).isBetween(1L, 10_000L);
      assertThat(scan.progress().records()).isEqualTo(ROWS);
      assertThat(scan.progress().share()).isEqualTo(1);
    }
  }

  private static void take(Scan scan, int most, List<String> keys) {
    int count = 0;
    while (count++ < most && scan.hasNext()) {
      Map<String, Object> row = scan.next();
      keys.add(String.valueOf(row.getOrDefault("id", row.get("item"))));
    }
  }

  private void create(TableDefinition table, int rows) {
    client.createTable(table, TIMEOUT);
    store(table, 0, rows);
  }

  private void store(TableDefinition table, int first, int end) {
    List<Map<String, Object>> rows =
        IntStream.range(first, end)
            .mapToObj(
                n ->
                    table.name().equals(NOTES)
                        ? Map.<String, Object>of(
                            "id", "n" + n, "text", n % 2 == 0 ? "an even note" : "an odd note")
                        : Map.<String, Object>of(
                            "item", (long) n, "part", "p" + n % 7, "name", "item " + n))
            .toList();
    TableRows.store(client, client.table(table.name()).orElseThrow().definition(), rows);
  }

  private static TableDefinition notes(Partitioner partitioner) {
    return new TableDefinition(
        NOTES,
        "search",
        partitioner,
        2,
        Durability.ASYNCHRONOUS,
        Consistency.ORDERED,
        Map.of("fields", Map.of("text", Map.of("type", "text")), "defaultField", "text"));
  }

  private static TableDefinition items(Consistency consistency) {
    return new TableDefinition(
        ITEMS,
        "warehouse",
        new Partitioner.Hash(2),
        2,
        Durability.ASYNCHRONOUS,
        consistency,
        Map.of(
            "columns",
            Map.of("item", "bigint not null", "part", "varchar not null", "name", "varchar"),
            "partitionBy",
            List.of("item"),
            "primaryKey",
            List.of("item", "part")));
  }
}
