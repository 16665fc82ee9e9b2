package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster whose file system has only so much room: a file system in memory that the process has
 * to itself, in a mount namespace of its own.
 */
@Tag("processes")
@Timeout(240)
class FullDiskTest {
  private static final int BATCH = 200;
  private static final Map<String, Object> TABLE =
      Map.of(
          "name",
          "notes",
          "engine",
          "search",
          "actors",
          2L,
          "replicas",
          1L,
          "durability",
          "none",
          "schema",
          Map.of("fields", Map.of("text", Map.of("type", "text"))));

  @TempDir private Path directory;
  private final int port = Jvm.freePort();
  private final Random random = new Random(1);
  private RemoteCluster remote;
  private Process process;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    String mount = "mount -t tmpfs -o size=64m tmpfs " + directory;
    assumeTrue(
        isolated(mount).start().waitFor() == 0, "file systems may be mounted by this process");
    ProcessBuilder jvm =
        Jvm.command(
            256,
            "start",
            "--dir",
            directory.resolve("data").toString(),
            "--servers",
            "2",
            "--http",
            Integer.toString(port));
    List<String> java = jvm.command();
    ProcessBuilder isolated =
        isolated(mount + " && head -c 44m /dev/zero > " + directory + "/ballast && exec \"$@\"");
    isolated.command().add("sh");
    isolated.command().addAll(java);
    process = isolated.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    assertThat(process.inputReader(StandardCharsets.UTF_8).readLine()).startsWith("Cluster of 2");
    remote = new RemoteCluster("http://127.0.0.1:" + port);
  }

  private static ProcessBuilder isolated(String script) {
    return new ProcessBuilder(
        new ArrayList<>(
            List.of("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script)));
  }

  @AfterEach
  void stop() {
    if (process != null) {
      remote.close();
      process.destroyForcibly().onExit().join();
    }
  }

  @Test
  void refusesUpdatesWhileItIsFullAndLosesNothing() throws IOException {
    remote.post("/api/tables", TABLE);
    int stored = 0;
    Optional<UniserveException> refusal = store(stored, 5_000);
    while (refusal.isEmpty()) {
      stored++;
      refusal = store(stored, 5_000);
    }
    assertThat(stored).isGreaterThan(10);
    assertThat(refusal.get()).hasMessageContaining("No space left");
    assertThat(refusal.get().code()).isIn(ErrorCode.EXHAUSTED, ErrorCode.DEADLINE_EXCEEDED);
    assertThat(process.isAlive()).isTrue();

    Files.delete(Path.of("/proc/" + process.pid() + "/root" + directory + "/ballast"));
    for (int more = 0; more < 5; more++) {
      assertThat(store(stored, 60_000)).isEmpty();
      stored++;
    }
    assertThat(found()).isEqualTo((long) stored * BATCH);
  }

  /** Stores a batch; sent again it is the same. Empty if it was stored. */
  private Optional<UniserveException> store(int number, int timeoutMillis) {
    random.setSeed(number);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < BATCH; i++) {
      lines.append("{\"id\":\"").append(number).append('-').append(i).append("\",\"text\":\"");
      random.ints(100).forEach(word -> lines.append(Integer.toHexString(word)).append(' '));
      lines.append("\"}\n");
    }
    try {
      remote.postRecords(
          "/api/tables/notes/records?timeoutMillis=" + timeoutMillis,
          StandardCharsets.UTF_8.encode(lines.toString()),
          "batch-" + number);
      return Optional.empty();
    } catch (UniserveException e) {
      return Optional.of(e);
    }
  }

  private long found() {
    remote.postRecords(
        "/api/tables/notes/records?visible=true",
        StandardCharsets.UTF_8.encode(""),
        "visible-" + System.nanoTime());
    Settings answer =
        new Settings("the answer", remote.post("/api/tables/notes/query", Map.of("query", "*:*")));
    return (Long) answer.object("result").get("total");
  }
}
