package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.api.partition.RingPlaces;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.Ring;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.ring.RingState;
import io.uniserve.simulation.model.ModelFailures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A client thread that changes the ring of the table while everything fails. It submits several
 * changes in a row, and does not wait for them.
 */
final class RingChangers {
  private static final Duration TIMEOUT = Duration.ofSeconds(4);

  /** The number of changes of a run, so that the last ones end soon. */
  private static final int CHANGES_MAX = 12;

  private static final int ROW_MAX = 3;

  /** The part of an actor at which hashes are cut: an eighth. */
  private static final int PARTS = 8;

  private final ClusterClient client;
  private final RandomGenerator random;
  private final RingWitness witness;

  RingChangers(ClusterClient client, RandomGenerator random, RingWitness witness) {
    this.client = client;
    this.random = random;
    this.witness = witness;
  }

  /** Submits some changes; that may be refused. */
  void change() {
    int row = random.nextInt(1, ROW_MAX + 1);
    for (int i = 0; i < row; i++) {
      changeOnce();
    }
  }

  private void changeOnce() {
    TableState table = client.state().requireTable(ClusterShape.TABLE);
    Optional<RingState> ring = table.ring();
    if (ring.isEmpty() || ring.get().submitted() >= CHANGES_MAX) {
      return;
    }
    Partitioner partitioner = table.definition().partitioner();
    Ring last = ring.get().last(table.definition().replicas());
    String member = any(last.members()).server();
    String server = any(List.copyOf(client.state().servers().keySet()));
    RingChange change =
        switch (random.nextInt(4)) {
          case 0 -> new RingChange.Contract(member);
          case 1 -> new RingChange.Replace(member, server);
          case 2 -> new RingChange.Rebalance(member, place(partitioner));
          default -> new RingChange.Expand(server, place(partitioner));
        };
    Optional<Long> after =
        random.nextBoolean() ? Optional.of(ring.get().submitted()) : Optional.empty();
    try {
      witness.asked(change);
      witness.answered(
          change, client.admin().changeRing(ClusterShape.TABLE, change, after, TIMEOUT));
    } catch (UniserveException e) {
      boolean expected =
          switch (e.code()) {
            case INVALID_ARGUMENT, NOT_FOUND -> true;
            default -> e.retryable() || ModelFailures.caused(e);
          };
      if (!expected) {
        throw new IllegalStateException("a change of the ring was refused otherwise", e);
      }
    }
  }

  private PartitionKey place(Partitioner partitioner) {
    return partitioner.base() instanceof Partitioner.Range
        ? PartitionKey.of(random.nextLong(Workload.KEYS))
        : RingPlaces.parse(
            partitioner,
            random.nextInt(partitioner.base().actors())
                + "."
                + random.nextInt(PARTS) * 1_000 / PARTS);
  }

  private <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }
}
