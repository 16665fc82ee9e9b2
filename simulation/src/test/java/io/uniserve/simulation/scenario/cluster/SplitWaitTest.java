package io.uniserve.simulation.scenario.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The time for which updates of a session wait while their actor is split and its parts are merged,
 * where making copies takes next to nothing: what remains is the protocol's own.
 */
class SplitWaitTest {
  private static final TableDefinition TABLE =
      new TableDefinition(
          "journals",
          ModelEngine.NAME,
          new Partitioner.Hash(1),
          2,
          Durability.NONE,
          Consistency.ORDERED,
          Map.of());
  private static final Duration ONE_WAY = Duration.ofMillis(1);
  private static final Duration DISTANCE = Duration.ofMillis(5);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration LONGEST = Duration.ofMillis(250);

  private volatile long longestNanos;
  private final AtomicInteger stable = new AtomicInteger();
  private volatile boolean changed;
  private volatile boolean over;

  @Test
  void noUpdateWaitsForLongUntilItIsStable() {
    ClusterShape shape = new ClusterShape(1, 20_000, 2, 1, TABLE, List.of(), 4_000);
    try (SimulatedCluster cluster = SoundCluster.of(ONE_WAY, ONE_WAY)) {
      ClusterPrograms programs = SoundCluster.add(cluster, shape);
      cluster.add("updates", environment -> update(environment, programs.client(environment)));
      cluster.processes().forEach(SimulatedProcess::start);
      cluster.runUntil("all outcomes", () -> over, PATIENCE);
    }
    assertThat(stable.get()).isGreaterThan(100);
    assertThat(Duration.ofNanos(longestNanos)).isPositive().isLessThan(LONGEST);
  }

  private void update(Environment environment, ClusterClient client) {
    client.createTable(TABLE, PATIENCE);
    environment.threads().start("changes", () -> change(environment, client));
    try (OrderedSession session = client.session("journals")) {
      for (long number = 1; !changed; number++) {
        long began = environment.clock().nanos();
        OrderedReceipt receipt =
            session.submit(new AppendOperations(), List.of(new Operation(number % 50, number)));
        receipt
            .stable()
            .thenAccept(
                place -> {
                  longestNanos = Math.max(longestNanos, environment.clock().nanos() - began);
                  stable.incrementAndGet();
                });
        sleep(environment, DISTANCE);
      }
      session.drain(PATIENCE);
    }
    over = true;
  }

  private void change(Environment environment, ClusterClient client) {
    sleep(environment, Duration.ofSeconds(2));
    client.admin().split("journals", 0, Optional.empty(), PATIENCE);
    sleep(environment, Duration.ofSeconds(2));
    client.admin().merge("journals", 0, Optional.of(1), PATIENCE);
    sleep(environment, Duration.ofSeconds(2));
    changed = true;
  }

  private static void sleep(Environment environment, Duration time) {
    try {
      environment.clock().sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
