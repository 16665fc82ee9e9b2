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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of a server that is a real process, under query load. */
@Tag("processes")
@Timeout(600)
class KilledServerTest {
  private static final int NOTES = 400;

  @TempDir private Path directory;

  @Test
  void losesNothingThatItsTablePromises() throws IOException {
    try (ProcessCluster cluster = ProcessCluster.start(directory, 4);
        RemoteCluster remote = cluster.connect()) {
      create(remote, "twice", 2, "asynchronous");
      create(remote, "once", 1, "asynchronous");
      cluster.await("backups", KilledServerTest::backedUp);
      Load twice = new Load(remote, "twice");
      Load once = new Load(remote, "once");
      try (twice;
          once) {
        twice.awaitAnswers(200);
        cluster.kill("s2");
        cluster.await("s2's failure", state -> ProcessCluster.alive(state) == 3);
        cluster.await("whole tables", state -> whole(state));
        once.awaitAnswers(20);
        twice.awaitAnswers(200);
      }
      assertThat(twice.failures).as("queries with two copies").isEmpty();
      assertThat(once.wrong).as("queries with one copy are exact or fail").isEmpty();
      assertThat(once.failures).allMatch(message -> message.contains("actor"));
      assertThat(count(remote, "once")).isEqualTo(NOTES);
    }
  }

  private static void create(RemoteCluster remote, String table, long replicas, String durability) {
    Waiting.forTable(
        remote,
        Map.of(
            "name", table,
            "engine", "notes",
            "actors", 8L,
            "replicas", replicas,
            "durability", durability));
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < NOTES; i++) {
      lines.append("{\"id\":\"n").append(i).append("\",\"text\":\"text ").append(i).append("\"}\n");
    }
    remote.postRecords(
        "/api/tables/" + table + "/records?acknowledge=all",
        StandardCharsets.UTF_8.encode(lines.toString()),
        "load-" + table);
  }

  private static long count(RemoteCluster remote, String table) {
    Map<String, Object> answer = remote.get("/api/tables/" + table + "/query?q=text");
    return (Long) new Settings("the answer", answer).object("result").get("total");
  }

  /** Whether the durable store has everything. */
  private static boolean backedUp(Map<String, Object> cluster) {
    return new Settings("cluster", cluster)
        .list("servers").stream()
            .allMatch(server -> Long.valueOf(0).equals(((Map<?, ?>) server).get("backupLag")));
  }

  /** Whether every actor has all its copies on servers that are alive. */
  private static boolean whole(Map<String, Object> cluster) {
    List<Object> alive = new ArrayList<>();
    for (Object server : new Settings("cluster", cluster).list("servers")) {
      if (Boolean.TRUE.equals(((Map<?, ?>) server).get("alive"))) {
        alive.add(((Map<?, ?>) server).get("name"));
      }
    }
    return new Settings("cluster", cluster)
        .list("tables").stream().allMatch(table -> whole((Map<?, ?>) table, alive));
  }

  private static boolean whole(Map<?, ?> table, List<Object> alive) {
    return ((List<?>) table.get("assignment"))
        .stream()
            .map(actor -> (Map<?, ?>) ((Map<?, ?>) actor).get("copies"))
            .allMatch(
                copies ->
                    copies.entrySet().stream()
                            .filter(copy -> alive.contains(copy.getKey()))
                            .filter(copy -> copy.getValue().equals("ready"))
                            .count()
                        >= (Long) table.get("replicas"));
  }

  /** Queries of one table, without end, from two clients. */
  private static final class Load implements AutoCloseable {
    private final RemoteCluster remote;
    private final String table;
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> wrong = new ConcurrentLinkedQueue<>();
    private final Semaphore answers = new Semaphore(0);
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean stopped;

    Load(RemoteCluster remote, String table) {
      this.remote = remote;
      this.table = table;
      clients.execute(this::run);
      clients.execute(this::run);
    }

    private void run() {
      while (!stopped) {
        try {
          long total = count(remote, table);
          if (total != NOTES) {
            wrong.add(total);
          }
          answers.release();
        } catch (UniserveException e) {
          failures.add(e.getMessage());
        }
        Waiting.think();
      }
    }

    void awaitAnswers(int more) {
      answers.drainPermits();
      answers.acquireUninterruptibly(more);
    }

    @Override
    public void close() {
      stopped = true;
      clients.close();
    }
  }
}
