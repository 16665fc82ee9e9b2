package io.uniserve.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.sql.arrow.ArrowSink;
import io.uniserve.sql.stages.ArrowQuery;
import io.uniserve.testkit.client.TableRows;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Answers in Arrow that are larger than what is held at a time. */
@Timeout(300)
class LargeAnswersTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String ITEMS = "items";
  private static final int ROWS = 3_000;

  @TempDir private Path directory;
  private EmbeddedCluster cluster;
  private UniserveClient client;

  @BeforeEach
  void start() {
    cluster =
        EmbeddedCluster.start(
            new EmbeddedSettings(directory, 2, Plugins.load().engines(), Optional.empty()));
    client = cluster.client();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void filteredAndComputedRowsOfATableAreScannedByPages() {
    create(Consistency.SERIALIZABLE, true);
    Reading reading = new Reading(5_000, false);

    List<List<Object>> rows =
        reading.rows(
            "select upper(name) as name, item + 1, part from (select * from items where item < 2900)"
                + " where item % 2 = 0");

    assertThat(reading.scans).isEqualTo(1);
    assertThat(rows)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(0, 2_900)
                .filter(n -> n % 2 == 0)
                .mapToObj(n -> List.<Object>of("ITEM " + n, n + 1, "p" + n % 7))
                .toList());
  }

  @Test
  void whatFitsIsNotScanned() {
    create(Consistency.SERIALIZABLE, true);
    Reading reading = new Reading(10 << 20, false);

    assertThat(reading.rows("select item from items")).hasSize(ROWS);
    assertThat(reading.scans).isZero();
  }

  @Test
  void rowsWithoutAKeyAreHeld() {
    create(Consistency.SERIALIZABLE, false);
    Reading reading = new Reading(20_000, false);

    assertThat(reading.rows("select item, name from items")).hasSize(ROWS);
    assertThat(reading.scans).isZero();
  }

  @Test
  void aSnapshotTableShowsOneVersionWhetherItIsScannedOrNot() {
    create(Consistency.SNAPSHOT, true);
    for (long bytes : List.of(20_000L, 10L << 20)) {
      int before = bytes == 20_000L ? ROWS : 2 * ROWS;
      Reading reading = new Reading(bytes, false);
      reading.atFirstRows = () -> store(before, 2 * before);

      assertThat(reading.rows("select item from items")).hasSize(before);
      assertThat(reading.scans).isEqualTo(before == ROWS ? 1 : 0);
    }
  }

  @Test
  void aReadAtAMarkIsNotScanned() {
    create(Consistency.ORDERED, true);
    Reading reading = new Reading(20_000, true);
    reading.atFirstRows = () -> store(ROWS, ROWS + 100);

    assertThat(reading.rows("select item from items")).hasSize(ROWS);
    assertThat(reading.scans).isZero();
  }

  /** A runner of queries that counts scans, and takes the rows. */
  private final class Reading implements ArrowQuery.Runner, ArrowSink {
    private final long waveBytesMax;
    private final boolean atOneMark;
    private final List<List<Object>> rows = new ArrayList<>();
    private int scans;
    private Runnable atFirstRows = () -> {};

    Reading(long waveBytesMax, boolean atOneMark) {
      this.waveBytesMax = waveBytesMax;
      this.atOneMark = atOneMark;
    }

    List<List<Object>> rows(String sql) {
      TableDefinition table = client.table(ITEMS).orElseThrow().definition();
      ArrowQuery.of(table, sql, List.of()).run(this, this);
      return rows;
    }

    @Override
    public <R> R run(Plan<R> plan) {
      return client.query(plan, new QueryOptions(TIMEOUT).withReadOnly(true));
    }

    @Override
    public void scan(ScanPlan plan, Consumer<List<ByteBuffer>> pages) {
      scans++;
      ScanOptions small = ScanOptions.DEFAULT.withSizes(4_000, 16_000);
      try (Scan scan = client.queries().scan(plan, small)) {
        for (Optional<List<ByteBuffer>> page = scan.nextBlocks();
            page.isPresent();
            page = scan.nextBlocks()) {
          pages.accept(page.get());
        }
      }
    }

    @Override
    public boolean atOneMark() {
      return atOneMark;
    }

    @Override
    public long waveBytesMax() {
      return waveBytesMax;
    }

    @Override
    public void rows(VectorSchemaRoot some) {
      if (rows.isEmpty()) {
        atFirstRows.run();
      }
      for (int row = 0; row < some.getRowCount(); row++) {
        List<Object> values = new ArrayList<>();
        for (int column = 0; column < some.getFieldVectors().size(); column++) {
          Object value = some.getVector(column).getObject(row);
          values.add(value instanceof Long number ? number : String.valueOf(value));
        }
        rows.add(values);
      }
    }

    @Override
    public void whenCancelled(Runnable task) {
      // nothing is cancelled here
    }
  }

  private void create(Consistency consistency, boolean key) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put(
        "columns",
        Map.of("item", "bigint not null", "part", "varchar not null", "name", "varchar"));
    schema.put("partitionBy", List.of("item"));
    if (key) {
      schema.put("primaryKey", List.of("item", "part"));
    }
    TableDefinition items =
        new TableDefinition(
            ITEMS, "warehouse", new Partitioner.Hash(3), 1, Durability.NONE, consistency, schema);
    client.createTable(items, TIMEOUT);
    store(0, ROWS);
  }

  private void store(long first, long end) {
    List<Map<String, Object>> rows =
        LongStream.range(first, end)
            .mapToObj(
                n -> Map.<String, Object>of("item", n, "part", "p" + n % 7, "name", "item " + n))
            .toList();
    TableRows.store(client, client.table(ITEMS).orElseThrow().definition(), rows);
  }
}
