package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.testkit.tools.SmallDisk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of a cluster whose disk, a real one, becomes full: it reports this, loses nothing, and
 * continues.
 */
@Tag("processes")
@Timeout(240)
class FullDiskTest {
  private static final int DISK_MEBIBYTES = 64;

  /**
   * The size of a file that is deleted to make room. The room suffices for all copies that open
   * again at once and merge.
   */
  private static final int BALLAST_MEBIBYTES = 48;

  private static final int BATCH = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /**
   * The longest wait until a note is visible, far more than the second that each copy may take by
   * itself.
   */
  private static final Duration VISIBLE = Duration.ofSeconds(3);

  private static final Map<String, Object> TABLE = SearchNotes.table(2, 100);

  @TempDir private Path directory;
  private final int port = Jvm.freePort();
  private final Random random = new Random(1);
  private Process process;
  private int sent;
  private int stored;
  private long storedNanos;

  @AfterEach
  void stop() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  @Test
  void saysThatItIsFullLosesNothingAndGoesOnOnceThereIsRoom() throws IOException {
    try (SmallDisk small = SmallDisk.orSkip(directory.resolve("disk"), DISK_MEBIBYTES)) {
      use(small);
    }
  }

  private void use(SmallDisk small) throws IOException {
    try {
      Path ballast = small.path().resolve("ballast");
      try (RandomAccessFile file = new RandomAccessFile(ballast.toFile(), "rw")) {
        file.write(new byte[BALLAST_MEBIBYTES << 20]);
      }
      start(small.path().resolve("data"));
      try (RemoteCluster remote = new RemoteCluster("http://127.0.0.1:" + port)) {
        Waiting.forTable(remote, TABLE);
        UniserveException full = loadUntilRefused(remote);
        // A server reports EXHAUSTED. Once the controller's own log is full, too, the server is no
        // longer
        // primary, and the error is retryable.
        assertThat(full.code() == ErrorCode.EXHAUSTED || full.retryable())
            .as(full.code() + " " + full.getMessage())
            .isTrue();
        requireExactOrRefused(remote);
        assertThat(process.isAlive()).isTrue();

        Files.delete(ballast);
        assertThat(total(remote)).isBetween((long) stored, (long) sent);
        awaitStored(remote);
        assertThat(total(remote)).isBetween((long) stored, (long) sent);
      }
      process.destroyForcibly().onExit().join();
      start(small.path().resolve("data"));
      try (RemoteCluster remote = new RemoteCluster("http://127.0.0.1:" + port)) {
        assertThat(total(remote)).isBetween((long) stored, (long) sent);
      }
    } finally {
      stop(); // the disk would still be in use otherwise
    }
  }

  private UniserveException loadUntilRefused(RemoteCluster remote) {
    for (int i = 0; i < 1_000; i++) {
      try {
        load(remote);
      } catch (UniserveException e) {
        return e;
      }
    }
    throw new AssertionError(sent + " records were stored on a full disk");
  }

  /** Stores one more batch. The cluster may take a while to notice that there is room. */
  private void awaitStored(RemoteCluster remote) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        load(remote);
        return;
      } catch (UniserveException e) {
        assertThat(System.nanoTime()).as("still refused: " + e.getMessage()).isLessThan(end);
        LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
      }
    }
  }

  private void load(RemoteCluster remote) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < BATCH; i++) {
      String text = "every " + Long.toString(random.nextLong(), 36).repeat(40);
      lines.append("{\"id\":\"n").append(sent++).append("\",\"text\":\"").append(text);
      lines.append("\"}\n");
    }
    remote.postRecords(
        "/api/tables/notes/records?acknowledge=all&timeoutMillis=8000",
        StandardCharsets.UTF_8.encode(lines.toString()),
        "batch-" + sent);
    stored += BATCH;
    storedNanos = System.nanoTime();
  }

  /**
   * Checks that answers do not omit notes that there was no room to make visible: soon, all queries
   * are refused.
   */
  private void requireExactOrRefused(RemoteCluster remote) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    LockSupport.parkNanos(storedNanos + VISIBLE.toNanos() - System.nanoTime());
    try {
      while (found(remote) < stored) {
        assertThat(System.nanoTime()).as("records were left out").isLessThan(end);
        LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
      }
      assertThat(found(remote)).isBetween((long) stored, (long) sent);
    } catch (UniserveException e) {
      assertThat(e.retryable()).as(e.getMessage()).isTrue();
    }
  }

  /**
   * Returns the number of notes that are found, once queries are answered and stored notes have had
   * time to become visible.
   */
  private long total(RemoteCluster remote) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        long total = found(remote);
        if (total >= stored || System.nanoTime() > end) {
          return total;
        }
      } catch (UniserveException e) {
        assertThat(System.nanoTime()).as("still unreadable: " + e.getMessage()).isLessThan(end);
      }
      LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
    }
  }

  private static long found(RemoteCluster remote) {
    Settings answer =
        new Settings(
            "the answer", remote.get("/api/tables/notes/query?q=every&rows=0&timeoutMillis=4000"));
    return (Long) answer.object("result").get("total");
  }

  private void start(Path data) throws IOException {
    List<String> command =
        List.of(
            "start", "--dir", data.toString(), "--servers", "2", "--http", Integer.toString(port));
    Path errors = directory.resolve("start.err");
    process =
        Jvm.command(256, command.toArray(String[]::new)).redirectError(errors.toFile()).start();
    String line = process.inputReader(StandardCharsets.UTF_8).readLine();
    assertThat(line).as(Files.readString(errors)).startsWith("Cluster of 2 servers in ");
  }
}
