package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a controller, a real process, splits an actor of other real processes by itself. */
@Tag("processes")
@Timeout(600)
class SplitUnaskedTest {
  private static final String TABLE = "notes";

  /** The number of notes. At a hundred bytes each, they occupy more than a MiB. */
  private static final int NOTES = 12_000;

  @TempDir private Path directory;

  @Test
  void whatIsTooLargeIsSplitUnasked() throws IOException {
    List<String> settings =
        List.of("placement.interval-seconds = 1", "placement.split-mebibytes = 1");
    try (ProcessCluster cluster = ProcessCluster.start(directory, 2, settings);
        RemoteCluster remote = cluster.connect()) {
      Map<String, Object> table =
          Map.of("name", TABLE, "engine", "notes", "actors", 1L, "durability", "none");
      Waiting.forTable(remote, table);
      String records =
          IntStream.range(0, NOTES)
              .mapToObj(i -> "{\"id\":\"n" + i + "\",\"text\":\"text\"}\n")
              .collect(Collectors.joining());
      remote.postRecords(
          "/api/tables/" + TABLE + "/records?acknowledge=all",
          StandardCharsets.UTF_8.encode(records),
          "notes");
      cluster.await("a split", state -> actors(state) == 2 && ProcessCluster.ready(state));
      Map<String, Object> answer = remote.get("/api/tables/" + TABLE + "/query?q=text&rows=0");
      assertThat(new Settings("the answer", answer).object("result"))
          .containsEntry("total", (long) NOTES);
      assertThat(remote.get("/api/tables/" + TABLE + "/actors/1/placement"))
          .containsEntry("partOf", 0L);
    }
  }

  private static long actors(Map<String, Object> cluster) {
    return new Settings("cluster", cluster)
        .list("tables").stream()
            .map(table -> (Long) ((Map<?, ?>) table).get("actors"))
            .findFirst()
            .orElse(0L);
  }
}
