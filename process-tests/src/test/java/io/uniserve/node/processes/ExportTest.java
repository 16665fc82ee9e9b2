package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.export.ExportFile;
import io.uniserve.node.export.Exporter;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.remote.Retries;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code kill -9} of servers and of the gateway during an export. */
@Tag("processes")
@Timeout(600)
class ExportTest {
  private static final int DOCUMENTS = 12_000;
  private static final int BATCH = 2_000;
  private static final String TEXT = "words of a document ".repeat(50);
  private static final int KILL_AFTER_BYTES = 500_000;
  private static final Retries RETRIES =
      new Retries(100, Duration.ofMillis(200), Duration.ofSeconds(2));

  @Test
  void everyRecordIsWrittenOnceAlthoughAServerAndTheGatewayAreKilled(@TempDir Path directory)
      throws IOException {
    try (ProcessCluster cluster = ProcessCluster.start(directory, 3);
        RemoteCluster remote = cluster.connect();
        RemoteCluster gateway = cluster.startGateway("g1")) {
      load(remote);
      Killing out = new Killing(cluster);
      Exporter exporter =
          new Exporter(
              gateway,
              "documents",
              Map.of("slots", 1L),
              ExportFile.lines(out),
              RETRIES,
              why -> out.waits++);
      exporter.run();
      assertThat(out.killed).as("the servers were killed during the export").isTrue();
      assertThat(out.waits).as("the export noticed").isPositive();
      assertThat(ids(out.written)).doesNotHaveDuplicates().hasSize(DOCUMENTS);
    }
  }

  private static void load(RemoteCluster remote) {
    Waiting.forTable(
        remote,
        Map.of(
            "name",
            "documents",
            "engine",
            "search",
            "actors",
            4L,
            "replicas",
            2L,
            "schema",
            Map.of("fields", Map.of("text", Map.of("type", "text")), "defaultField", "text")));
    for (int first = 0; first < DOCUMENTS; first += BATCH) {
      StringBuilder lines = new StringBuilder();
      for (int i = first; i < first + BATCH; i++) {
        lines.append("{\"id\":\"d%d\",\"text\":\"%s %d\"}\n".formatted(i, TEXT, i));
      }
      remote.postRecords(
          "/api/tables/documents/records?acknowledge=all&visible=true",
          StandardCharsets.UTF_8.encode(lines.toString()),
          "load-" + first);
    }
  }

  private static List<String> ids(ByteArrayOutputStream written) {
    return written
        .toString(StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.getBytes(StandardCharsets.UTF_8))
        .map(line -> Settings.object("a record", Json.parse(line, 0, line.length)))
        .map(record -> (String) record.get("id"))
        .toList();
  }

  /** A stream that kills a server and the gateway once it has got some records. */
  private static final class Killing extends OutputStream {
    private final ProcessCluster cluster;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private volatile int waits;
    private boolean killed;

    Killing(ProcessCluster cluster) {
      this.cluster = cluster;
    }

    @Override
    public void write(int one) {
      written.write(one);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      written.write(bytes, offset, length);
      if (!killed && written.size() > KILL_AFTER_BYTES) {
        killed = true;
        cluster.kill("s2");
        cluster.kill("g1");
        try {
          cluster.start("g1");
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }
}
