package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Actors are split and merged again while real processes that hold them are killed, under updates
 * and queries.
 */
@Tag("processes")
@Timeout(600)
class MergeActorsTest {
  private static final String TABLE = "notes";
  private static final int MERGES = 6;
  private static final int KILLS = 2;

  @TempDir private Path directory;

  @Test
  void noQueryFailsAndNothingIsLostThoughServersDieMeanwhile() throws IOException {
    try (ProcessCluster cluster = ProcessCluster.start(directory, 4);
        RemoteCluster remote = cluster.connect()) {
      try (NotesLoad load = NotesLoad.begin(remote, TABLE, 2, "asynchronous");
          Background background = new Background(remote)) {
        load.awaitRounds(50);
        background.start();
        for (int i = 0; i < KILLS; i++) {
          long before = background.merges.get();
          cluster.await("merges", state -> background.merges.get() > before);
          cluster.kill("s" + (1 + i));
          load.awaitRounds(20);
          cluster.await("a failure", state -> ProcessCluster.alive(state) == 3);
          cluster.start("s" + (1 + i));
          cluster.await("all copies", ProcessCluster::ready);
        }
        cluster.await("all merges", state -> background.merges.get() >= MERGES);
        background.finish();
        load.awaitRounds(50);
        load.finish();
        assertThat(load.violations()).isEmpty();
        assertThat(background.failures).as("failed queries").isEmpty();
        assertThat(background.queries.get()).isPositive();
      }
    }
  }

  /** The numbers of the actors that there are. */
  private static List<Integer> actors(RemoteCluster remote) {
    List<?> all =
        new Settings("cluster", remote.get("/api/cluster"))
            .list("tables").stream()
                .findFirst()
                .map(table -> new Settings("a table", table).list("assignment"))
                .orElseThrow();
    return IntStream.range(0, all.size())
        .filter(number -> Boolean.FALSE.equals(((Map<?, ?>) all.get(number)).get("ended")))
        .boxed()
        .toList();
  }

  /** Splits and merges one actor after another, and asks for some note all the time. */
  private static final class Background implements AutoCloseable {
    private final RemoteCluster remote;
    private final AtomicLong merges = new AtomicLong();
    private final AtomicLong queries = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean stopped;

    Background(RemoteCluster remote) {
      this.remote = remote;
    }

    void start() {
      threads.execute(this::reshape);
      threads.execute(this::query);
    }

    private void reshape() {
      for (int i = 0; !stopped && merges.get() < MERGES; i++) {
        List<Integer> actors = actors(remote);
        boolean merge = actors.size() > 4;
        int actor = merge ? actors.getLast() : actors.get(i % actors.size());
        try {
          remote.post(
              "/api/tables/" + TABLE + "/actors/" + actor + (merge ? "/merge" : "/split"),
              Map.of());
          merges.addAndGet(merge ? 1 : 0);
        } catch (UniserveException e) {
          System.out.println("a split or merge came to nothing: " + e.getMessage());
        }
      }
    }

    private void query() {
      while (!stopped) {
        try {
          remote.get("/api/tables/" + TABLE + "/query?q=text&rows=1");
          queries.incrementAndGet();
        } catch (UniserveException e) {
          failures.add(e.code() + " " + e.getMessage());
        }
      }
    }

    /** Lets what is under way end, and begins nothing more. */
    void finish() {
      stopped = true;
      threads.close();
    }

    @Override
    public void close() {
      finish();
    }
  }
}
