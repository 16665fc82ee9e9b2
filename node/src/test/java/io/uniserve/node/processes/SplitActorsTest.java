package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Actors are split while real processes that hold them are killed, under updates and queries. */
@Tag("processes")
@Timeout(600)
class SplitActorsTest {
  private static final String TABLE = "notes";
  private static final int ACTORS = 12;
  private static final int KILLS = 3;

  /** More than a MiB: they occupy a hundred bytes each. */
  private static final int NOTES = 12_000;

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
          long before = background.splits.get();
          cluster.await("splits", state -> background.splits.get() > before);
          cluster.kill("s" + (1 + i));
          load.awaitRounds(20);
          cluster.await("a failure", state -> ProcessCluster.alive(state) == 3);
          cluster.start("s" + (1 + i));
          cluster.await("all copies", ProcessCluster::ready);
        }
        cluster.await("all splits", state -> actors(state) >= ACTORS);
        background.finish();
        load.awaitRounds(50);
        load.finish();
        assertThat(load.violations()).isEmpty();
        assertThat(background.failures).as("failed queries").isEmpty();
        assertThat(background.queries.get()).isPositive();
      }
    }
  }

  @Test
  void whatIsTooLargeIsSplitUnasked() throws IOException {
    List<String> settings =
        List.of("placement.interval-seconds = 1", "placement.split-mebibytes = 1");
    try (ProcessCluster cluster = ProcessCluster.start(directory, 2, settings);
        RemoteCluster remote = cluster.connect()) {
      Map<String, Object> table =
          Map.of("name", TABLE, "engine", "notes", "actors", 1L, "durability", "none");
      remote.post("/api/tables", table);
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

  /** Splits one actor after another, and asks for some note all the time. */
  private static final class Background implements AutoCloseable {
    private final RemoteCluster remote;
    private final AtomicLong splits = new AtomicLong();
    private final AtomicLong queries = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean stopped;

    Background(RemoteCluster remote) {
      this.remote = remote;
    }

    void start() {
      threads.execute(this::split);
      threads.execute(this::query);
    }

    private void split() {
      for (int actor = 0; !stopped && splits.get() < ACTORS; actor = (actor + 1) % 4) {
        try {
          remote.post("/api/tables/" + TABLE + "/actors/" + actor + "/split", Map.of());
          splits.incrementAndGet();
        } catch (UniserveException e) {
          System.out.println("a split came to nothing: " + e.getMessage());
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
