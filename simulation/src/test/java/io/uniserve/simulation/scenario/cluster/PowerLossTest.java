package io.uniserve.simulation.scenario.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadJournal;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All servers of a table lose power at once, after an update was acknowledged. */
class PowerLossTest {
  private static final String TABLE = "journals";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final int UPDATES = 5;

  private final List<Long> acknowledged = new ArrayList<>();
  private Optional<List<Operation>> afterwards = Optional.empty();
  private boolean powerless;

  @ParameterizedTest
  @EnumSource(names = {"SERIALIZABLE", "SNAPSHOT", "ORDERED"})
  void whatWasAcknowledgedIsOnDisks(Consistency level) {
    requireKept(level, Duration.ZERO);
  }

  @Test
  void whatAnEventualTableAcknowledgedIsOnDisksSoon() {
    requireKept(Consistency.EVENTUAL, SOON);
  }

  private void requireKept(Consistency level, Duration pause) {
    try (SimulatedCluster cluster = SoundCluster.of(Duration.ofMillis(1), Duration.ofMillis(2))) {
      TableDefinition table =
          new TableDefinition(
              TABLE,
              ModelEngine.NAME,
              new Partitioner.Hash(1),
              2,
              Durability.NONE,
              level,
              Map.of());
      ClusterShape shape = new ClusterShape(3, 20_000, 2, 1, table, List.of(), 4_000);
      ClusterPrograms programs = SoundCluster.add(cluster, shape);
      cluster.add("client", environment -> use(programs.client(environment), table));
      cluster.processes().forEach(SimulatedProcess::start);
      cluster.runUntil("updates", () -> acknowledged.size() == UPDATES, PATIENCE);
      cluster.run(pause);
      for (String server : List.of("server-0", "server-1")) {
        cluster.process(server).failPower();
      }
      powerless = true;
      for (String server : List.of("server-0", "server-1")) {
        cluster.process(server).start();
      }
      cluster.runUntil("an answer", () -> afterwards.isPresent(), PATIENCE);
      assertThat(afterwards.orElseThrow())
          .extracting(Operation::number)
          .containsExactlyElementsOf(acknowledged);
    }
  }

  private void use(ClusterClient client, TableDefinition table) {
    create(client, table);
    UpdateOptions options =
        new UpdateOptions(PATIENCE, Acknowledgement.ALL_COPIES, Optional.empty());
    for (long number = 1; number <= UPDATES; number++) {
      client.update(TABLE, new AppendOperations(), List.of(new Operation(1, number)), options);
      acknowledged.add(number);
    }
    Plan<SortedMap<Integer, List<Operation>>> journals =
        Plan.query(TABLE, new ReadJournal(1_000), new JournalsByActor());
    while (afterwards.isEmpty()) {
      try {
        List<Operation> journal =
            client.query(journals, new QueryOptions(PATIENCE)).values().iterator().next();
        afterwards = powerless ? Optional.of(journal) : Optional.empty();
      } catch (UniserveException e) {
        assertThat(e.retryable()).as(e.getMessage()).isTrue();
      }
    }
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
