package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of {@code kill -9} of servers and of the process that reads, while a topic of a real broker
 * is read into a table without a key, in which a record that is stored twice is seen twice.
 */
@Tag("processes")
@Timeout(600)
class StreamsTest {
  private static final String TOPIC = "numbers";
  private static final int PARTITIONS = 3;
  private static final int ROUND = 2_000;

  @TempDir private Path directory;
  private final List<Future<?>> sent = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"eventual", "serializable"})
  void eachRecordIsStoredOnceWhoeverIsKilled(String level)
      throws IOException, InterruptedException, ExecutionException {
    try (Broker broker = Broker.start(directory.resolve("broker"));
        ProcessCluster cluster = ProcessCluster.start(directory, 3);
        RemoteCluster remote = cluster.connect();
        RemoteCluster other = cluster.startGateway("g1")) {
      broker.createTopic(TOPIC, PARTITIONS);
      create(remote, level);
      remote.post(
          "/api/streams",
          Map.of("table", "rows", "name", "s", "address", broker.address(), "topic", TOPIC));
      int total = send(broker, 0);
      awaitSome(other, 1);

      cluster.kill("gateway"); // one of the two reads, and each is killed
      total = send(broker, total);
      awaitSome(other, ROUND + 1);
      cluster.start("gateway");
      awaitSome(remote, ROUND + 1);
      cluster.kill("g1");
      total = send(broker, total);
      awaitSome(remote, 2 * ROUND + 1);

      cluster.kill("s2");
      total = send(broker, total);
      cluster.start("s2");
      cluster.await("all copies", ProcessCluster::ready);
      total = send(broker, total);
      remote.post("/api/tables/rows/actors/0/split", Map.of());
      for (Future<?> one : sent) {
        one.get();
      }
      int all = total;
      Waiting.until("all records", () -> count(remote, "count(*)") >= all);
      assertThat(count(remote, "count(distinct id)")).isEqualTo(all);
      assertThat(count(remote, "count(*)")).isEqualTo(all);
      assertThat(count(remote, "max(id)")).isEqualTo(all - 1);
    }
  }

  private static void create(RemoteCluster remote, String level) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("id", "bigint not null");
    columns.put("n", "bigint");
    Waiting.forTable(
        remote,
        Map.of(
            "name",
            "rows",
            "engine",
            "warehouse",
            "actors",
            4L,
            "replicas",
            2L,
            "consistency",
            level,
            "schema",
            Map.of("columns", columns, "partitionBy", List.of("id"))));
  }

  private int send(Broker broker, int first) {
    for (int i = first; i < first + ROUND; i++) {
      sent.add(broker.send(TOPIC, i % PARTITIONS, "{\"id\": %d, \"n\": %d}".formatted(i, i % 10)));
    }
    return first + ROUND;
  }

  private static void awaitSome(RemoteCluster remote, int rows) {
    Waiting.until(rows + " records", () -> count(remote, "count(*)") >= rows);
  }

  private static long count(RemoteCluster remote, String what) {
    try {
      Map<String, Object> answer =
          remote.post(
              "/api/tables/rows/query", Map.of("query", "select " + what + " as n from rows"));
      Object rows = new Settings("the answer", answer).object("result").get("rows");
      return ((Number) ((List<?>) ((List<?>) rows).getFirst()).getFirst()).longValue();
    } catch (UniserveException e) {
      return -1; // a server is away
    }
  }
}
