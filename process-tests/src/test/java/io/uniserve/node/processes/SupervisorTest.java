package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of Druid's supervisor of a topic of a real broker, whose datasource it makes, while
 * servers and the process that reads are killed, and it is terminated and sent again.
 */
@Tag("processes")
@Timeout(600)
class SupervisorTest {
  private static final String ROOT = "/druid/indexer/v1/supervisor";
  private static final String TOPIC = "numbers";
  private static final int PARTITIONS = 2;
  private static final int ROUND = 1_000;

  @TempDir private Path directory;
  private final List<Future<?>> sent = new ArrayList<>();

  @Test
  void eachRecordIsARowOnceWhoeverIsKilled()
      throws IOException, InterruptedException, ExecutionException {
    try (Broker broker = Broker.start(directory.resolve("broker"));
        ProcessCluster cluster = ProcessCluster.startInstalled(directory, 3);
        RemoteCluster remote = cluster.connect();
        RemoteCluster other = cluster.startGateway("g1")) {
      broker.createTopic(TOPIC, PARTITIONS);
      int total = send(broker, 0);
      assertThat(supervise(remote, broker)).isEqualTo(Map.of("id", "rows"));
      awaitRows(other, 1);

      cluster.kill("gateway"); // one of the two reads, and each is killed
      total = send(broker, total);
      awaitRows(other, total);
      cluster.start("gateway");
      awaitRows(remote, total);
      cluster.kill("g1");
      total = send(broker, total);
      cluster.kill("s2");
      awaitRows(remote, total);
      cluster.start("s2");

      remote.post(ROOT + "/rows/terminate", Map.of());
      total = send(broker, total);
      assertThat(supervise(remote, broker)).isEqualTo(Map.of("id", "rows"));
      for (Future<?> one : sent) {
        one.get();
      }
      int all = total;
      awaitRows(remote, all);
      Waiting.until("no lag", () -> lag(remote) == 0);
      assertThat(sums(remote)).isEqualTo(List.of((long) all, (long) all * (all - 1) / 2));
    }
  }

  private static Map<String, Object> supervise(RemoteCluster remote, Broker broker) {
    return remote.post(
        ROOT,
        Map.of(
            "type",
            "kafka",
            "spec",
            Map.of(
                "dataSchema",
                Map.of(
                    "dataSource",
                    "rows",
                    "timestampSpec",
                    Map.of("column", "time", "format", "iso"),
                    "dimensionsSpec",
                    Map.of("dimensions", List.of(Map.of("type", "long", "name", "id"))),
                    "granularitySpec",
                    Map.of("rollup", false)),
                "ioConfig",
                Map.of(
                    "topic",
                    TOPIC,
                    "inputFormat",
                    Map.of("type", "json"),
                    "consumerProperties",
                    Map.of("bootstrap.servers", broker.address()),
                    "useEarliestOffset",
                    true))));
  }

  private int send(Broker broker, int first) {
    for (int i = first; i < first + ROUND; i++) {
      String row = "{\"time\": \"2024-05-01T00:00:%02dZ\", \"id\": %d}".formatted(i % 60, i);
      sent.add(broker.send(TOPIC, i % PARTITIONS, row));
    }
    return first + ROUND;
  }

  private static void awaitRows(RemoteCluster remote, int rows) {
    Waiting.until(rows + " rows", () -> sums(remote).getFirst() >= rows);
  }

  /** Returns the number of rows and the sum of their numbers; -1 while nobody answers. */
  private static List<Long> sums(RemoteCluster remote) {
    String query =
        """
        {"queryType": "timeseries", "dataSource": "rows", "intervals": ["2024/2025"], "granularity": "all",
         "aggregations": [{"type": "count", "name": "rows"}, {"type": "longSum", "name": "sum", "fieldName": "id"}]}""";
    try {
      Map<String, Object> answer = remote.post("/api/tables/rows/query", Map.of("query", query));
      List<?> result = (List<?>) answer.get("result");
      if (result.isEmpty()) {
        return List.of(0L, 0L);
      }
      Map<?, ?> values = (Map<?, ?>) ((Map<?, ?>) result.getFirst()).get("result");
      return List.of(number(values.get("rows")), number(values.get("sum")));
    } catch (UniserveException e) {
      return List.of(-1L, -1L); // a server is away
    }
  }

  /** Returns a number; the sum of no rows is null. */
  private static long number(Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }

  private static long lag(RemoteCluster remote) {
    Map<String, Object> status = remote.get(ROOT + "/rows/status");
    Map<String, Object> payload = new Settings("the status", status).object("payload");
    return ((Number) payload.get("aggregateLag")).longValue();
  }
}
