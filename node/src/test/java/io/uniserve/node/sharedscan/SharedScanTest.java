package io.uniserve.node.sharedscan;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.sharedscan.SharedScanEngine;
import io.uniserve.node.Patience;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.runtime.client.QueryOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An ordered table of shared scans on a cluster. */
@Timeout(120)
class SharedScanTest {
  private static final int TOGETHER = 60;

  private static final TableDefinition TABLE =
      new TableDefinition(
          "counts",
          SharedScanEngine.NAME,
          new Partitioner.Hash(2),
          2,
          Durability.NONE,
          Consistency.ORDERED,
          Map.of("columns", Map.of("name", "varchar(8) not null"), "partitionBy", "name"));

  @TempDir private Path directory;

  private static List<?> ask(EmbeddedCluster cluster, String sql) {
    Planner planner = cluster.client().planner(TABLE);
    Map<?, ?> answer =
        (Map<?, ?>)
            cluster
                .client()
                .query(
                    planner.plan(TABLE, sql, Map.of()), new QueryOptions(Duration.ofSeconds(60)));
    return (List<?>) answer.get("rows");
  }

  @Test
  void moreQueriesAndUpdatesWaitThanThereAreThreadsThatCompute() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 2, new SharedScanEngine());
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      cluster.client().createTable(TABLE, Duration.ofSeconds(60));
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < TOGETHER; i++) {
        String name = "N" + i;
        done.add(clients.submit(() -> ask(cluster, "INSERT INTO counts VALUES ('" + name + "')")));
        done.add(clients.submit(() -> ask(cluster, "SELECT count(*) FROM counts")));
      }
      for (Future<?> one : done) {
        one.get();
      }
      assertThat(ask(cluster, "SELECT count(*) FROM counts"))
          .isEqualTo(List.of(List.of((long) TOGETHER)));
    }
  }

  @Test
  void nothingIsLostWithAServer() {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 3, new SharedScanEngine())) {
      cluster.client().createTable(TABLE, Duration.ofSeconds(60));
      ask(cluster, "INSERT INTO counts VALUES ('a'), ('b'), ('c'), ('a')");
      ask(cluster, "DELETE FROM counts WHERE name = 'b'");
      cluster.stopServer("s2");
      StateWait.await(
          cluster.client(),
          state -> !state.alive("s2") && StateWait.whole(state),
          Duration.ofSeconds(60),
          "all copies to be made again");
      assertThat(
              Patience.ask(
                  () ->
                      ask(cluster, "SELECT name, count(*) FROM counts GROUP BY name ORDER BY name"),
                  Duration.ofSeconds(30)))
          .isEqualTo(List.of(List.of("a", 2L), List.of("c", 1L)));
    }
  }
}
