package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every process is told to end and started again, one after another, under load. */
@Tag("processes")
@Timeout(600)
class RollingRestartTest {
  private static final List<String> PROCESSES =
      List.of("s1", "s2", "s3", "r1", "r2", "r3", "gateway", "gateway-2");

  @TempDir private Path directory;

  @Test
  void failsNoQueryAndNoUpdate() throws IOException {
    try (ProcessCluster cluster = ProcessCluster.start(directory, 3, 3);
        RemoteCluster first = cluster.connect();
        RemoteCluster second = cluster.startGateway("gateway-2")) {
      cluster.await("another gateway", state -> answers(first, second));
      create(first);
      try (Load load = new Load(List.of(first, second))) {
        load.awaitRounds(50);
        for (String name : PROCESSES) {
          cluster.terminate(name);
          load.awaitRounds(20);
          cluster.start(name);
          cluster.await(name + " and all", state -> whole(state) && answers(first, second));
          load.awaitRounds(20);
        }
        assertThat(load.failures).isEmpty();
      }
    }
  }

  /** Whether each gateway knows of three servers and of three routers that vote. */
  private static boolean answers(RemoteCluster... gateways) {
    try {
      return Arrays.stream(gateways)
          .allMatch(
              gateway ->
                  ProcessCluster.alive(gateway.get("/api/cluster")) == 3
                      && ProcessCluster.voting(gateway) == 3);
    } catch (UniserveException e) {
      return false; // it does not listen yet
    }
  }

  private static void create(RemoteCluster remote) {
    remote.post(
        "/api/tables",
        Map.of(
            "name", "notes",
            "engine", "notes",
            "actors", 6L,
            "replicas", 2L,
            "durability", "none"));
  }

  private static boolean whole(Map<String, Object> cluster) {
    return ProcessCluster.alive(cluster) == 3 && ProcessCluster.ready(cluster);
  }

  /**
   * Adds notes and counts them, from two threads each. A gateway that cannot be reached is not the
   * only one: the next is asked.
   */
  private static final class Load implements AutoCloseable {
    private final List<RemoteCluster> gateways;
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong added = new AtomicLong();
    private final AtomicLong numbers = new AtomicLong();
    private final Semaphore rounds = new Semaphore(0);
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean stopped;

    Load(List<RemoteCluster> gateways) {
      this.gateways = gateways;
      for (int i = 0; i < 2; i++) {
        clients.execute(() -> repeat(this::add));
        clients.execute(() -> repeat(this::count));
      }
    }

    private void repeat(Runnable once) {
      while (!stopped) {
        try {
          once.run();
          rounds.release();
        } catch (UniserveException e) {
          failures.add(e.code() + " " + e.getMessage());
        }
      }
    }

    private void add() {
      long number = numbers.incrementAndGet();
      String line = "{\"id\":\"n" + number + "\",\"text\":\"text " + number + "\"}\n";
      anywhere(
          gateway ->
              gateway.postRecords(
                  "/api/tables/notes/records?acknowledge=all",
                  StandardCharsets.UTF_8.encode(line),
                  "note-" + number));
      added.incrementAndGet();
    }

    private void count() {
      long least = added.get();
      Map<String, Object> answer =
          anywhere(gateway -> gateway.get("/api/tables/notes/query?q=text"));
      long total = (Long) new Settings("the answer", answer).object("result").get("total");
      if (total < least) {
        failures.add(total + " notes after " + least + " were acknowledged");
      }
    }

    private <T> T anywhere(Function<RemoteCluster, T> request) {
      try {
        return request.apply(gateways.getFirst());
      } catch (UniserveException e) {
        if (e.code() != ErrorCode.UNAVAILABLE || !unreachable(e)) {
          throw e;
        }
        return request.apply(gateways.getLast());
      }
    }

    /** Only what the client itself says has a cause. */
    private static boolean unreachable(UniserveException e) {
      return e.getCause() instanceof IOException;
    }

    void awaitRounds(int more) {
      rounds.drainPermits();
      rounds.acquireUninterruptibly(more);
    }

    @Override
    public void close() {
      stopped = true;
      clients.close();
    }
  }
}
