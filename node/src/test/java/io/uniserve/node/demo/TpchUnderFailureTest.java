package io.uniserve.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.testkit.client.TableRows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The 22 queries of TPC-H on two copies of everything, while a server is lost. */
@Timeout(300)
class TpchUnderFailureTest {
  private static final double SCALE = 0.01;
  private static final int BATCH = 10_000;
  private static final QueryOptions PATIENT = new QueryOptions(Duration.ofSeconds(60));
  private static final TableDefinition DEFINITION =
      new TableDefinition(
          "tpch", "warehouse", new Partitioner.Hash(4), 2, Durability.NONE, TpchData.schema());

  @TempDir private Path directory;

  @Test
  void everyQueryGivesTheSameWhileAServerIsKilled() {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(
            new EmbeddedSettings(directory, 3, Plugins.load().engines(), Optional.empty()))) {
      UniserveClient client = cluster.client();
      client.createTable(DEFINITION, Duration.ofSeconds(30));
      TpchData.tables().forEach(table -> load(client, table));
      List<Object> expected = new ArrayList<>();
      for (int query = 1; query <= TpchData.QUERIES; query++) {
        expected.add(rows(client, query));
      }
      assertThat((List<?>) expected.getFirst()).hasSize(4);

      Thread killer = Thread.ofVirtual().start(() -> cluster.stopServer("s2"));
      int asked = 0;
      while (asked < TpchData.QUERIES
          || client.state().alive("s2")
          || !StateWait.whole(client.state())) {
        int query = asked++ % TpchData.QUERIES + 1;
        assertThat(rows(client, query)).as("query %d", query).isEqualTo(expected.get(query - 1));
      }
      assertThat(killer.isAlive()).isFalse();
    }
  }

  private static void load(UniserveClient client, String table) {
    List<Map<String, Object>> batch = new ArrayList<>();
    for (Iterator<Map<String, Object>> rows = TpchData.rows(table, SCALE); rows.hasNext(); ) {
      batch.add(rows.next());
      if (batch.size() == BATCH || !rows.hasNext()) {
        TableRows.store(client, DEFINITION, batch);
        batch.clear();
      }
    }
  }

  /**
   * Returns rows with rounded numbers, since sums of floating point depend on the order of the
   * actors.
   */
  private static Object rows(UniserveClient client, int query) {
    Map<?, ?> answer =
        (Map<?, ?>)
            client.query(
                client.planner(DEFINITION).plan(DEFINITION, TpchData.query(query), Map.of()),
                PATIENT);
    return ((List<?>) answer.get("rows"))
        .stream()
            .map(row -> ((List<?>) row).stream().map(TpchUnderFailureTest::rounded).toList())
            .toList();
  }

  private static Object rounded(Object value) {
    return value instanceof Double number ? "%.9g".formatted(number) : String.valueOf(value);
  }
}
