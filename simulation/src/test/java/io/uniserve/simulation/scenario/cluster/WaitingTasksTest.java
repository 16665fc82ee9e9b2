package io.uniserve.simulation.scenario.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.model.AllOperations;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.CopyOperations;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadOperations;
import io.uniserve.simulation.model.ScanOperations;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tasks of plans and pages of scans that have seen an update which a follower lacks. They wait for
 * it, and leave the threads of operators to others.
 */
class WaitingTasksTest {
  private static final String FIRM = "firm";
  private static final String OTHER = "other";
  private static final Duration STARTING_MAX = Duration.ofSeconds(30);
  private static final Duration UPDATE_TIMEOUT = Duration.ofMinutes(2);

  /** A time in which nobody is found to be out of reach. */
  private static final Duration BEFORE_NOTICE = Duration.ofMillis(250);

  /** More than the two servers have threads for operators. */
  private static final int READERS = 12;

  private ClusterClient client;
  private long updates;
  private long read;
  private long readOfOther;

  /** A way to read a table that waits for what it has seen. */
  enum Way {
    PLAN(
        (client, table) ->
            client.query(
                new Plan.Query<>(
                    new Source.Mapped(Source.table(table), new CopyOperations()),
                    new ReadOperations(),
                    new AllOperations(actors -> new Partitioner.Hash(1))),
                new QueryOptions(UPDATE_TIMEOUT))),
    SCAN(
        (client, table) -> {
          try (Scan scan = client.queries().scan(ScanOperations.plan(table), ScanOptions.DEFAULT)) {
            while (scan.nextBlocks().isPresent()) {
              // every page is read
            }
          }
        });

    private final BiConsumer<ClusterClient, String> read;

    Way(BiConsumer<ClusterClient, String> read) {
      this.read = read;
    }
  }

  private SimulatedCluster start(Way way) {
    SimulatedCluster cluster = SoundCluster.of(Duration.ofMillis(1), Duration.ofMillis(2));
    TableDefinition table = table(FIRM, Consistency.SERIALIZABLE);
    ClusterShape shape = new ClusterShape(3, 20_000, 2, 1, table, List.of(), 4_000);
    ClusterPrograms programs = SoundCluster.add(cluster, shape);
    cluster.add("client", environment -> update(programs.client(environment), table));
    for (int i = 0; i < READERS; i++) {
      cluster.add(
          "reader-" + i,
          environment -> read(environment, programs.client(environment), way, FIRM, () -> read++));
    }
    cluster.add(
        "other",
        environment ->
            read(environment, programs.client(environment), way, OTHER, () -> readOfOther++));
    cluster.processes().forEach(SimulatedProcess::start);
    cluster.runUntil(
        "copies",
        () -> updates > 0 && read > READERS && readOfOther > 0 && isReadable(FIRM, OTHER),
        STARTING_MAX);
    return cluster;
  }

  private static TableDefinition table(String name, Consistency level) {
    return new TableDefinition(
        name, ModelEngine.NAME, new Partitioner.Hash(1), 2, Durability.NONE, level, Map.of());
  }

  /** Updates the one table without a pause, on all copies. */
  private void update(ClusterClient fresh, TableDefinition table) {
    for (TableDefinition each : List.of(table, table(OTHER, Consistency.EVENTUAL))) {
      while (fresh.state().table(each.name()).isEmpty()) {
        create(fresh, each);
      }
    }
    client = fresh;
    UpdateOptions options =
        new UpdateOptions(UPDATE_TIMEOUT, Acknowledgement.ALL_COPIES, Optional.empty());
    while (true) {
      fresh.update(FIRM, new AppendOperations(), List.of(new Operation(1, updates + 1)), options);
      updates++;
    }
  }

  /** Creates a table; fails before enough servers have joined. */
  private static void create(ClusterClient client, TableDefinition table) {
    try {
      client.createTable(table, STARTING_MAX);
    } catch (UniserveException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }
  }

  /** Reads a table without a pause. */
  private static void read(
      Environment environment, ClusterClient own, Way way, String table, Runnable done) {
    try {
      while (true) {
        environment.clock().sleep(Duration.ofMillis(5));
        if (own.state().table(table).isPresent()) {
          way.read.accept(own, table);
          done.run();
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a reader", e);
    }
  }

  private boolean isReadable(String... tables) {
    for (String name : tables) {
      Optional<TableState> table = client.state().table(name);
      if (table.isEmpty()
          || table.get().actors().getFirst().copies().stream()
                  .filter(copy -> copy.status() == CopyState.Status.READY)
                  .count()
              < 2) {
        return false;
      }
    }
    return true;
  }

  @ParameterizedTest
  @EnumSource
  void threadsOfOperatorsAreLeftToOthers(Way way) {
    try (SimulatedCluster cluster = start(way)) {
      ActorState actor = client.state().requireTable(FIRM).actors().getFirst();
      List<String> primary = List.of(actor.primary());
      List<String> followers =
          actor.copies().stream()
              .map(CopyState::server)
              .filter(server -> !server.equals(actor.primary()))
              .toList();
      cluster.network().partition(primary, followers);
      cluster.run(Duration.ofMillis(100)); // all who read the primary wait; the follower may answer
      long other = readOfOther;
      cluster.run(BEFORE_NOTICE);
      assertThat(readOfOther).as("reads of what is firm").isGreaterThan(other + 10);
      cluster.network().rejoin(primary, followers);
      long before = read;
      cluster.runUntil("the reads", () -> read > before + READERS, STARTING_MAX);
    }
  }
}
