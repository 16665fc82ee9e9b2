package io.uniserve.node.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.LoadSettings;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import io.uniserve.testkit.load.TimedEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Queries keep servers busy; nobody tells the cluster what size to have. */
@Timeout(180)
class LoadFollowedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ACTORS = 12;
  private static final int MILLIS = 4;
  private static final int CLIENTS = 8;

  @TempDir private Path directory;

  @Test
  void serversComeAndGoWithTheLoadAndNoQueryFails() {
    EmbeddedSettings settings =
        new EmbeddedSettings(directory, 1, List.of(new TimedEngine()), Optional.empty())
            .withWorkers(1)
            .with(new LoadSettings(Duration.ofMillis(100), Duration.ofMillis(500)));
    try (EmbeddedCluster cluster = EmbeddedCluster.start(settings)) {
      UniserveClient client = cluster.client();
      client.createTable(
          new TableDefinition(
              "pauses",
              TimedEngine.NAME,
              new Partitioner.Hash(ACTORS),
              1,
              Durability.NONE,
              Map.of()),
          PATIENCE);
      client
          .admin()
          .scale(
              new ScalingSettings(
                  1,
                  4,
                  "utilisation:0.3-0.7,grow-after=500ms,shrink-after=2s,cool-down=1s",
                  Duration.ofMillis(100),
                  false),
              PATIENCE);
      try (Load load = new Load(client)) {
        load.clients.set(CLIENTS);
        await(client, state -> serving(state) == 4, "four servers that serve");
        load.clients.set(0);
        await(client, state -> alive(state) == 1 && serving(state) == 1, "one server");
        load.clients.set(CLIENTS);
        await(client, state -> serving(state) > 2, "more servers again");
        assertThat(load.failures).isEmpty();
        assertThat(load.answers).hasPositiveValue();
      }
    }
  }

  private static void await(
      UniserveClient client, java.util.function.Predicate<ClusterState> condition, String what) {
    StateWait.await(client, condition, PATIENCE, what);
  }

  private static long alive(ClusterState state) {
    return state.servers().keySet().stream().filter(state::alive).count();
  }

  /** Returns the number of servers with a copy that is read. */
  private static long serving(ClusterState state) {
    return state.tables().values().stream()
        .flatMap(table -> table.actors().stream())
        .flatMap(actor -> actor.copies().stream())
        .filter(copy -> copy.isRead() && state.alive(copy.server()))
        .map(copy -> copy.server())
        .distinct()
        .count();
  }

  /** Clients, each of which sends its next query when it has an answer. */
  private static final class Load implements AutoCloseable {
    private final AtomicInteger clients = new AtomicInteger();
    private final AtomicInteger answers = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean stopped;

    Load(UniserveClient client) {
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        threads.execute(() -> run(client, number));
      }
    }

    private void run(UniserveClient client, int number) {
      while (!stopped) {
        if (number < clients.get()) {
          ask(client);
        } else {
          LockSupport.parkNanos(10_000_000);
        }
      }
    }

    private void ask(UniserveClient client) {
      try {
        int served =
            client.query(new TimedEngine.Serve(MILLIS).plan("pauses"), QueryOptions.DEFAULT);
        if (served != ACTORS) {
          failures.add(served + " actors");
        }
        answers.incrementAndGet();
      } catch (RuntimeException e) {
        failures.add(e.toString());
      }
    }

    @Override
    public void close() {
      stopped = true;
      threads.close();
    }
  }
}
