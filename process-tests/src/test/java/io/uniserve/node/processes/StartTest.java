package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code uniserve start} as a process of its own. */
@Tag("processes")
@Timeout(180)
class StartTest {
  private static final Map<String, Object> TABLE =
      Map.of("name", "notes", "engine", "notes", "actors", 4L, "replicas", 2L);

  /** The definition of a table in which a stored note is found with a delay. */
  private static final Map<String, Object> LATE = SearchNotes.table(4, 3_000);

  @TempDir private Path directory;
  private final int port = Jvm.freePort();
  private Process process;

  @AfterEach
  void stop() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  @Test
  void findsWhatItFoundBeforeAKill() throws IOException {
    start();
    try (RemoteCluster remote = new RemoteCluster("http://127.0.0.1:" + port)) {
      Waiting.forTable(remote, LATE);
      String lines = "{\"id\":\"a\",\"text\":\"text\"}\n{\"id\":\"b\",\"text\":\"text\"}\n";
      remote.postRecords(
          "/api/tables/notes/records", StandardCharsets.UTF_8.encode(lines), "first");
    }
    while (total() < 2) {
      LockSupport.parkNanos(1_000_000);
    }
    process.destroyForcibly().onExit().join();
    start();
    assertThat(total()).isEqualTo(2);
  }

  @Test
  void refusesADirectoryInUse() throws IOException, InterruptedException {
    start();
    Process second =
        Jvm.command(128, "start", "--dir", data(), "--servers", "1", "--http", "0").start();
    try (BufferedReader err = second.errorReader(StandardCharsets.UTF_8)) {
      assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(second.exitValue()).isEqualTo(1);
      assertThat(err.readLine())
          .isEqualTo(
              "uniserve: the directory "
                  + data()
                  + " is in use by another process (process "
                  + process.pid()
                  + ")");
      assertThat(err.readLine()).isNull();
    } finally {
      second.destroyForcibly();
    }
    assertThat(process.isAlive()).isTrue();
  }

  @Test
  void loadsAFileLargerThanTheHeap() throws IOException, InterruptedException {
    int heapMebibytes = 48;
    Path file = directory.resolve("notes.jsonl");
    String text = "text ".repeat(400);
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < 40_000; i++) {
        out.write("{\"id\":\"n" + i % 100 + "\",\"text\":\"" + text + "\"}\n");
      }
    }
    assertThat(Files.size(file)).isGreaterThan(heapMebibytes * (3L << 19));
    start();
    try (RemoteCluster remote = new RemoteCluster("http://127.0.0.1:" + port)) {
      Waiting.forTable(remote, TABLE);
    }
    Process load =
        Jvm.command(
                heapMebibytes,
                "load",
                "notes",
                file.toString(),
                "--url",
                "http://127.0.0.1:" + port)
            .redirectError(directory.resolve("load.err").toFile())
            .start();
    try (BufferedReader out = load.inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine())
          .as(Files.readString(directory.resolve("load.err")))
          .startsWith("40,000 records stored in notes in ");
      assertThat(load.waitFor()).isZero();
    } finally {
      load.destroyForcibly();
    }
    assertThat(total()).isEqualTo(100);
  }

  private String data() {
    return directory.resolve("data").toString();
  }

  /** Starts a cluster and waits until it says that it serves. */
  private void start() throws IOException {
    process =
        Jvm.command(
                256, "start", "--dir", data(), "--servers", "2", "--http", Integer.toString(port))
            .redirectError(directory.resolve("start.err").toFile())
            .start();
    String line = process.inputReader(StandardCharsets.UTF_8).readLine();
    assertThat(line)
        .as(Files.readString(directory.resolve("start.err")))
        .startsWith("Cluster of 2 servers in ")
        .endsWith("http://localhost:" + port);
  }

  private long total() {
    try (RemoteCluster remote = new RemoteCluster("http://127.0.0.1:" + port)) {
      Settings answer =
          new Settings("the answer", remote.get("/api/tables/notes/query?q=text&rows=0"));
      return (Long) answer.object("result").get("total");
    }
  }
}
