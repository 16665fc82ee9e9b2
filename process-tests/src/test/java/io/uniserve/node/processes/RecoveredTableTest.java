package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of a table of snapshots whose only copies are killed: it waits, and is recovered on
 * request.
 */
@Tag("processes")
@Timeout(300)
class RecoveredTableTest {
  private static final int ROWS = 40;

  @TempDir private Path directory;
  private RemoteCluster remote;

  @Test
  void waitsForDisksSaysSoAndGoesOnByDecisionAlone() throws IOException {
    try (ProcessCluster cluster = ProcessCluster.start(directory, 2);
        RemoteCluster connected = cluster.connect()) {
      remote = connected;
      Waiting.forTable(
          remote,
          Map.of(
              "name",
              "bank",
              "engine",
              "search",
              "actors",
              4L,
              "replicas",
              1L,
              "consistency",
              "snapshot",
              "schema",
              Map.of("fields", Map.of("amount", Map.of("type", "long")))));
      fill(0);
      remote.post("/api/tables/bank/backup", Map.of());
      assertThatThrownBy(this::recover).hasMessageContaining("has lost nothing");
      cluster.kill("s1");
      cluster.await("actors that wait", state -> waiting(state) > 0);
      assertThatThrownBy(this::count).hasMessageContaining("waits for s1 to come back");

      cluster.start("s1");
      cluster.await("all actors", state -> waiting(state) == 0 && ProcessCluster.alive(state) == 2);
      assertThat(Waiting.forAnswer("all rows", this::count)).isEqualTo(ROWS);

      cluster.kill("s1");
      cluster.await("actors that wait", state -> waiting(state) > 0);
      assertThat(new Settings("the answer", recover()).object("recovered"))
          .satisfies(
              recovered ->
                  assertThat(String.valueOf(recovered.get("why")))
                      .startsWith("an operator accepted the loss; updates from 20")
                      .endsWith("may be lost"));
      assertThat(Waiting.forAnswer("what was stored", this::count)).isEqualTo(ROWS);
      fill(ROWS);
      assertThat(count()).isEqualTo(2 * ROWS);
      cluster.start("s1");
      cluster.await("s1", state -> ProcessCluster.alive(state) == 2);
      assertThat(Waiting.forAnswer("the same", this::count)).isEqualTo(2 * ROWS);
    }
  }

  private void fill(int from) {
    for (int i = from; i < from + ROWS; i++) {
      String record = "{\"id\": \"" + i + "\", \"amount\": 1}";
      String key = "key-" + i;
      Waiting.forAnswer(
          record,
          () ->
              remote.postRecords(
                  "/api/tables/bank/records",
                  ByteBuffer.wrap(record.getBytes(StandardCharsets.UTF_8)),
                  key));
    }
  }

  private Map<String, Object> recover() {
    return remote.post("/api/tables/bank/recover?timeoutMillis=60000", Map.of("acceptLoss", true));
  }

  private long count() {
    Map<String, Object> answer = remote.get("/api/tables/bank/query?q=*:*");
    return (Long) new Settings("the answer", answer).object("result").get("total");
  }

  private static int waiting(Map<String, Object> cluster) {
    return new Settings("the cluster", cluster).list("waiting").size();
  }
}
