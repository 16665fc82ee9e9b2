package io.uniserve.simulation.scenario.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.scenario.cluster.work.Redefiner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Splits and merges of actors while the schema of their table changes all the time, and schema
 * changes meanwhile. An attempt takes longer than the time between two changes.
 */
class RedefinedReshapeTest {
  private static final Duration ONE_WAY = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /**
   * The time within which a split or merge ends that is looked at as soon as the change it waits
   * for is over.
   */
  private static final Duration SOON = Duration.ofMillis(1_400);

  private static final TableDefinition TABLE =
      new TableDefinition(
          "journals",
          ModelEngine.NAME,
          new Partitioner.Hash(1),
          2,
          Durability.NONE,
          Consistency.EVENTUAL,
          Map.of());

  private final AtomicLong ids = new AtomicLong();
  private final AtomicLong changed = new AtomicLong();
  private final List<Long> nanos = new ArrayList<>();
  private final List<Long> changes = new ArrayList<>();
  private volatile boolean made;
  private volatile boolean done;

  @Test
  void eachIsDoneSoonAndHoldsUpNoSchemaForLong() {
    ClusterShape shape = new ClusterShape(1, 20_000, 3, 1, TABLE, List.of(), 4_000);
    try (SimulatedCluster cluster = SoundCluster.of(ONE_WAY, ONE_WAY)) {
      ClusterPrograms programs = SoundCluster.add(cluster, shape);
      cluster.add("reshaper", environment -> reshape(environment, programs.client(environment)));
      for (int i = 0; i < 3; i++) {
        cluster.add(
            "redefiner " + i, environment -> redefine(environment, programs.client(environment)));
      }
      cluster.processes().forEach(SimulatedProcess::start);
      cluster.runUntil("all splits and merges", () -> done, PATIENCE);
    }
    assertThat(nanos)
        .hasSize(4)
        .allSatisfy(each -> assertThat(Duration.ofNanos(each)).isLessThan(SOON));
    assertThat(changes).as("changes until before and after each").hasSize(5);
  }

  private void reshape(Environment environment, ClusterClient client) {
    client.createTable(TABLE, PATIENCE);
    made = true;
    change(environment);
    timed(environment, () -> client.admin().split(TABLE.name(), 0, Optional.empty(), PATIENCE));
    timed(environment, () -> client.admin().split(TABLE.name(), 1, Optional.empty(), PATIENCE));
    timed(environment, () -> client.admin().merge(TABLE.name(), 1, Optional.of(2), PATIENCE));
    timed(environment, () -> client.admin().merge(TABLE.name(), 0, Optional.of(3), PATIENCE));
    done = true;
  }

  private void timed(Environment environment, Runnable reshaping) {
    long began = environment.clock().nanos();
    reshaping.run();
    nanos.add(environment.clock().nanos() - began);
    change(environment);
  }

  /** Waits for another change of the schema. */
  private void change(Environment environment) {
    long before = changed.get();
    while (changed.get() == before) {
      rest(environment);
    }
    changes.add(changed.get());
  }

  private void redefine(Environment environment, ClusterClient client) {
    while (!made) {
      rest(environment);
    }
    while (!done) {
      client.query(
          Redefiner.adding(TABLE.name(), ids.incrementAndGet()), new QueryOptions(PATIENCE));
      changed.incrementAndGet();
    }
  }

  private static void rest(Environment environment) {
    try {
      environment.clock().sleep(Duration.ofMillis(1));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts it", e);
    }
  }
}
