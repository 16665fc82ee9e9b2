package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of the router that leads, a real process, under queries and updates. How soon
 * another decides is a matter of LeaderChangeTest, in simulated time, and of {@code bench
 * control-log}.
 */
@Tag("processes")
@Timeout(600)
class KilledRouterTest {
  @TempDir private Path directory;

  @Test
  void noQueryFailsAndDecisionsGoOn() throws IOException {
    try (ProcessCluster cluster = ProcessCluster.start(directory, 3, 3);
        RemoteCluster remote = cluster.connect()) {
      create(remote, "notes");
      long stored = 0;
      for (int round = 0; round < 3; round++) {
        String leader = cluster.leader(remote);
        Load load = new Load(remote, "round-" + round);
        try (load) {
          load.awaitProgress();
          cluster.kill(leader);
          create(remote, "round-" + round);
          load.awaitProgress();
        }
        assertThat(load.failures).isEmpty();
        stored += load.updates.get();
        cluster.start(leader);
        cluster.await("three routers", state -> ProcessCluster.voting(remote) == 3);
        assertThat(count(remote)).as("updates, each under a key of its own").isEqualTo(stored);
      }
    }
  }

  private static void create(RemoteCluster remote, String table) {
    Waiting.forTable(
        remote,
        Map.of(
            "name", table, "engine", "notes", "actors", 4L, "replicas", 2L, "durability", "none"));
  }

  private static long count(RemoteCluster remote) {
    Map<String, Object> answer = remote.get("/api/tables/notes/query?q=text");
    return (Long) new Settings("the answer", answer).object("result").get("total");
  }

  /** Queries and updates, without end. */
  private static final class Load implements AutoCloseable {
    private final RemoteCluster remote;
    private final String name;
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong queries = new AtomicLong();
    private final AtomicLong updates = new AtomicLong();
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean stopped;

    Load(RemoteCluster remote, String name) {
      this.remote = remote;
      this.name = name;
      clients.execute(() -> repeat(this::query));
      clients.execute(() -> repeat(this::query));
      clients.execute(() -> repeat(this::update));
    }

    private void repeat(Runnable once) {
      while (!stopped) {
        try {
          once.run();
        } catch (UniserveException e) {
          failures.add(e.getMessage());
        }
        Waiting.think();
      }
    }

    private void query() {
      remote.get("/api/tables/notes/query?q=text");
      queries.incrementAndGet();
    }

    private void update() {
      String id = name + "-" + updates.get();
      remote.postRecords(
          "/api/tables/notes/records?acknowledge=all",
          StandardCharsets.UTF_8.encode("{\"id\":\"" + id + "\",\"text\":\"text\"}\n"),
          id);
      updates.incrementAndGet();
    }

    void awaitProgress() {
      long queriesBefore = queries.get();
      long updatesBefore = updates.get();
      Waiting.until(
          "100 queries and 20 updates",
          () -> queries.get() >= queriesBefore + 100 && updates.get() >= updatesBefore + 20);
    }

    @Override
    public void close() {
      stopped = true;
      clients.close();
    }
  }
}
