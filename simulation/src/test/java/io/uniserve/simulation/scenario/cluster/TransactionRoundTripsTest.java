package io.uniserve.simulation.scenario.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The number of round trips of a transaction. It follows from the time that the transaction takes
 * in a network where every message takes equally long, and everything else next to nothing.
 */
class TransactionRoundTripsTest {
  private static final Duration ROUND_TRIP = Duration.ofMillis(40);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int UPDATES = 20;

  private final SortedMap<String, Long> leastNanos = new TreeMap<>();

  /**
   * A transaction of several actors takes three round trips and a decision: for its turn, to
   * prepare and to commit. With two copies, preparing and committing each add one from primary to
   * follower, on all actors at the same time. One of a single actor is decided by its primary, and
   * takes one.
   */
  @Test
  void areThreeAndADecisionOrOneForASingleActor() {
    Duration oneWay = ROUND_TRIP.dividedBy(2);
    ClusterShape shape =
        new ClusterShape(1, 20_000, 4, 1, definition("journals", 1, 1), List.of(), 4_000);
    try (SimulatedCluster cluster = SoundCluster.of(oneWay, oneWay)) {
      ClusterPrograms programs = SoundCluster.add(cluster, shape);
      cluster.add("client", environment -> update(environment, programs.client(environment)));
      cluster.processes().forEach(SimulatedProcess::start);
      cluster.runUntil("all updates", () -> leastNanos.size() == 4, PATIENCE);
    }
    assertThat(roundTrips("1 actor, 1 copy")).isBetween(1.0, 1.1);
    assertThat(roundTrips("4 actors, 1 copy")).isBetween(4.0, 4.2);
    assertThat(roundTrips("1 actor, 2 copies")).isBetween(1.0, 2.1);
    assertThat(roundTrips("4 actors, 2 copies")).isBetween(4.0, 6.2);
  }

  private double roundTrips(String what) {
    return (double) leastNanos.get(what) / ROUND_TRIP.toNanos();
  }

  private void update(Environment environment, ClusterClient client) {
    for (int actors : new int[] {1, 4}) {
      for (int copies : new int[] {1, 2}) {
        String what =
            actors
                + (actors == 1 ? " actor, " : " actors, ")
                + copies
                + (copies == 1 ? " copy" : " copies");
        leastNanos.put(what, least(environment, client, actors, copies));
      }
    }
  }

  /**
   * Returns the least of some times: the first transaction has to connect, and a follower that has
   * just asked for updates in vain asks again.
   */
  private static long least(Environment environment, ClusterClient client, int actors, int copies) {
    TableDefinition table = definition("t" + actors + copies, actors, copies);
    client.createTable(table, PATIENCE);
    List<Operation> operations = oneEach(table.partitioner());
    long least = Long.MAX_VALUE;
    for (int i = 0; i < UPDATES; i++) {
      long began = environment.clock().nanos();
      client.update(table.name(), new AppendOperations(), operations, UpdateOptions.ALL_COPIES);
      least = Math.min(least, environment.clock().nanos() - began);
    }
    return least;
  }

  private static List<Operation> oneEach(Partitioner partitioner) {
    List<Operation> operations = new ArrayList<>();
    for (long key = 0; operations.size() < partitioner.actors(); key++) {
      if (partitioner.actorOf(PartitionKey.of(key)) == operations.size()) {
        operations.add(new Operation(key, key));
      }
    }
    return operations;
  }

  private static TableDefinition definition(String name, int actors, int copies) {
    return new TableDefinition(
        name,
        ModelEngine.NAME,
        new Partitioner.Hash(actors),
        copies,
        Durability.NONE,
        Consistency.SERIALIZABLE,
        Map.of());
  }
}
