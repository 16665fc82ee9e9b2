package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of the server that has the only copies, while updates are being acknowledged. */
@Tag("processes")
@Timeout(600)
class SynchronousDurabilityTest {
  private static final int WRITERS = 4;

  @TempDir private Path directory;
  private final SortedSet<String> acknowledged = new ConcurrentSkipListSet<>();
  private final Semaphore answers = new Semaphore(0);
  private final AtomicInteger number = new AtomicInteger();
  private volatile boolean stopped;

  @Test
  void nothingAcknowledgedIsLostWithTheOnlyCopy() throws IOException {
    try (ProcessCluster cluster = ProcessCluster.start(directory, 3);
        RemoteCluster remote = cluster.connect()) {
      Waiting.forTable(
          remote,
          Map.of(
              "name", "once",
              "engine", "notes",
              "actors", 6L,
              "replicas", 1L,
              "durability", "synchronous"));
      try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < WRITERS; i++) {
          writers.execute(() -> write(remote));
        }
        for (String victim : List.of("s1", "s2")) {
          answers.acquireUninterruptibly(100);
          cluster.kill(victim);
          answers.drainPermits();
        }
        answers.acquireUninterruptibly(100);
        stopped = true;
      }
      assertThat(stored(remote)).containsAll(acknowledged);
      assertThat(acknowledged.size()).isGreaterThan(200);
    }
  }

  /** One note after another; what is not acknowledged is sent again, under its key. */
  private void write(RemoteCluster remote) {
    while (!stopped) {
      String id = "n%06d".formatted(number.incrementAndGet());
      while (!stopped && !acknowledged.contains(id)) {
        try {
          remote.postRecords(
              "/api/tables/once/records",
              StandardCharsets.UTF_8.encode("{\"id\":\"" + id + "\",\"text\":\"text\"}\n"),
              "key-" + id);
          acknowledged.add(id);
          answers.release();
        } catch (UniserveException e) {
          assertThat(e.retryable()).as(e.toString()).isTrue();
        }
      }
    }
  }

  private static List<String> stored(RemoteCluster remote) {
    Map<String, Object> answer = remote.get("/api/tables/once/query?q=text&rows=100000");
    List<String> ids = new ArrayList<>();
    for (Object hit :
        new Settings("the result", new Settings("the answer", answer).object("result"))
            .list("hits")) {
      ids.add(String.valueOf(((Map<?, ?>) hit).get("id")));
    }
    return ids;
  }
}
