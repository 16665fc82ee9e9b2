package io.uniserve.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.search.ExportPlanner;
import io.uniserve.engines.search.SortedDocument;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.SortedScan;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.testkit.client.TableRows;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.schema.SortKey;
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

/** Scans in an order over all actors, which are split and merged meanwhile. */
@Timeout(300)
class SortedScanTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String NOTES = "notes";
  private static final int ROWS = 3_000;

  /** So few documents a page that an actor has many pages. */
  private static final int BATCH = 40;

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
  void theOrderStaysWhileActorsAreSplitAndMerged() {
    create(Consistency.ORDERED, new Partitioner.Hash(3));
    List<Long> marks = new ArrayList<>();
    try (SortedScan<SortedDocument> scan = scan("*:*")) {
      assertThat(scan.found()).isEqualTo(ROWS);
      take(scan, 300, marks);
      client.admin().split(NOTES, 0, Optional.empty(), TIMEOUT);
      take(scan, 500, marks);
      client.admin().merge(NOTES, 0, Optional.of(3), TIMEOUT);
      take(scan, 500, marks);
      client.admin().split(NOTES, 1, Optional.empty(), TIMEOUT);
      take(scan, Integer.MAX_VALUE, marks);
    }
    assertThat(marks).isEqualTo(all());
  }

  @Test
  void anActorThatComesLastInTheOrderIsReadInTime() {
    create(Consistency.ORDERED, new Partitioner.Range(List.of(PartitionKey.of("n2"))));
    List<Long> marks = new ArrayList<>();
    try (SortedScan<SortedDocument> scan = scan("*:*")) {
      take(scan, 100, marks);
      client.admin().merge(NOTES, 0, Optional.of(1), TIMEOUT);
      take(scan, Integer.MAX_VALUE, marks);
    }
    assertThat(marks).isEqualTo(all());
  }

  @Test
  void aScanOfOneVersionSeesNothingLater() {
    create(Consistency.SNAPSHOT, new Partitioner.Hash(2));
    List<Long> marks = new ArrayList<>();
    try (SortedScan<SortedDocument> scan = scan("*:*")) {
      take(scan, 100, marks);
      store(ROWS, ROWS + 500);
      take(scan, Integer.MAX_VALUE, marks);
    }
    assertThat(marks).isEqualTo(all());
  }

  @Test
  void aTableWithoutMatchesEndsAtOnceAndAClosedScanFails() {
    create(Consistency.ORDERED, new Partitioner.Hash(2));
    try (SortedScan<SortedDocument> scan = scan("text:nobody")) {
      assertThat(scan.found()).isZero();
      assertThat(scan.hasNext()).isFalse();
    }
    SortedScan<SortedDocument> closed = scan("*:*");
    closed.close();
    assertThatThrownBy(closed::hasNext)
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("closed");
  }

  /** The last actor's page is read although the pages of all others, which have ended, wait. */
  @Test
  void actorsOfOnePageEachAreAllRead() {
    create(Consistency.ORDERED, new Partitioner.Hash(9));
    for (int round = 0; round < 100; round++) {
      List<Long> marks = new ArrayList<>();
      try (SortedScan<SortedDocument> scan = scan("*:*", ROWS)) {
        take(scan, Integer.MAX_VALUE, marks);
      }
      assertThat(marks).isEqualTo(all());
    }
  }

  private SortedScan<SortedDocument> scan(String query) {
    return scan(query, BATCH);
  }

  private SortedScan<SortedDocument> scan(String query, int batch) {
    SearchRequest search =
        SearchRequest.of(query)
            .with(new Page(List.of(new SortKey("mark", true)), 0, batch, Optional.empty()));
    TableDefinition table = client.table(NOTES).orElseThrow().definition();
    return client
        .queries()
        .scanSorted(ExportPlanner.plan(table, search, List.of("mark"), false), ScanOptions.DEFAULT);
  }

  private static void take(SortedScan<SortedDocument> scan, int most, List<Long> marks) {
    for (int taken = 0; taken < most && scan.hasNext(); taken++) {
      marks.add((Long) scan.next().fields().get("mark"));
    }
  }

  private static List<Long> all() {
    return IntStream.range(0, ROWS).mapToObj(n -> (long) ROWS - 1 - n).toList();
  }

  private void create(Consistency consistency, Partitioner partitioner) {
    client.createTable(
        new TableDefinition(
            NOTES,
            "search",
            partitioner,
            2,
            Durability.ASYNCHRONOUS,
            consistency,
            Map.of(
                "fields",
                Map.of("text", Map.of("type", "text"), "mark", Map.of("type", "long")),
                "defaultField",
                "text")),
        TIMEOUT);
    store(0, ROWS);
  }

  private void store(int first, int end) {
    List<Map<String, Object>> rows =
        IntStream.range(first, end)
            .mapToObj(
                n -> Map.<String, Object>of("id", "n" + n, "text", "a note", "mark", (long) n))
            .toList();
    TableRows.store(client, client.table(NOTES).orElseThrow().definition(), rows);
  }
}
