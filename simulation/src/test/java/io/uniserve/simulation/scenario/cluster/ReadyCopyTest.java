package io.uniserve.simulation.scenario.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.store.FramedFile;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A copy of an eventual table moves to another server, which loses power as soon as the copy is
 * ready there. Since another copy may be removed for it, it has to be on the disk by then.
 */
class ReadyCopyTest {
  private static final String TABLE = "journals";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** More than the log of these updates, so that a part of them is in the log alone. */
  private static final long CHECKPOINT_BYTES = 1 << 20;

  /** The time for which a copy is ready before the client knows. */
  private static final Duration UNKNOWN = Duration.ofMillis(10);

  @TempDir private Path directory;

  /** The times at which updates were acknowledged. */
  private final List<Long> acknowledged = new ArrayList<>();

  private Optional<String> target = Optional.empty();
  private long readyAtNanos;

  @Test
  void aCopyThatIsReadyIsOnItsDisk() throws IOException {
    try (SimulatedCluster cluster = SoundCluster.of(Duration.ofMillis(1), Duration.ofMillis(2))) {
      TableDefinition table =
          new TableDefinition(
              TABLE,
              ModelEngine.NAME,
              new Partitioner.Hash(1),
              1,
              Durability.NONE,
              Consistency.EVENTUAL,
              Map.of());
      ClusterShape shape = new ClusterShape(3, 20_000, 2, 1, table, List.of(), CHECKPOINT_BYTES);
      ClusterPrograms programs = SoundCluster.add(cluster, shape);
      cluster.add(
          "client", environment -> use(programs.client(environment), environment.clock(), table));
      cluster.processes().forEach(SimulatedProcess::start);
      cluster.runUntil("a copy that is ready", () -> target.isPresent(), PATIENCE);
      SimulatedProcess server = cluster.process(target.orElseThrow());
      server.failPower();
      long kept =
          acknowledged.stream().filter(at -> at <= readyAtNanos - UNKNOWN.toNanos()).count();
      Path actor = only(server.disk().root().resolve("actors"));
      Path checkpoint = only(actor.resolve("checkpoints"));
      long inCheckpoint =
          Long.parseLong(checkpoint.getFileName().toString().replaceAll(".*-", ""), 16);
      assertThat(inCheckpoint).as("updates in the checkpoint that was copied").isLessThan(kept);
      assertThat(inCheckpoint + entries(only(actor.resolve("log"))))
          .as("updates on the disk")
          .isGreaterThanOrEqualTo(kept);
    }
  }

  private static Path only(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      List<Path> paths = all.toList();
      assertThat(paths).hasSize(1);
      return paths.getFirst();
    }
  }

  /** Counts the entries of a log, of which there is a copy on a disk that needs no simulation. */
  private int entries(Path log) throws IOException {
    Path copy = Files.write(directory.resolve("log"), Files.readAllBytes(log));
    AtomicInteger frames = new AtomicInteger();
    FramedFile.open(
            new FileStorage(directory),
            copy,
            FramedFile.Damage.TOLD,
            (offset, bytes) -> frames.incrementAndGet())
        .close();
    return frames.get();
  }

  private void use(ClusterClient client, Clock clock, TableDefinition table) {
    create(client, table);
    update(client, clock);
    String from = actor(client).primary();
    String to = from.equals("server-0") ? "server-1" : "server-0";
    client
        .view()
        .onChange(
            (state, record) -> {
              if (target.isEmpty() && ready(state, to)) {
                readyAtNanos = clock.nanos();
                target = Optional.of(to);
              }
            });
    client.admin().move(TABLE, 0, from, to, PATIENCE);
    while (target.isEmpty()) {
      update(client, clock);
    }
  }

  private void update(ClusterClient client, Clock clock) {
    client.update(
        TABLE,
        new AppendOperations(),
        List.of(new Operation(1, acknowledged.size() + 1)),
        new UpdateOptions(PATIENCE, UpdateOptions.Acknowledgement.PRIMARY, Optional.empty()));
    acknowledged.add(clock.nanos());
  }

  private static boolean ready(ClusterState state, String server) {
    return state.requireTable(TABLE).actors().getFirst().copyOn(server).stream()
        .anyMatch(copy -> copy.status() == Status.READY);
  }

  private static ActorState actor(ClusterClient client) {
    return client.state().requireTable(TABLE).actors().getFirst();
  }

  /** Creates the table, once enough servers have joined. */
  private static void create(ClusterClient client, TableDefinition table) {
    while (client.state().table(TABLE).isEmpty()) {
      try {
        client.createTable(table, PATIENCE);
      } catch (UniserveException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
      }
    }
  }
}
