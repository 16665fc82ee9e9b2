package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.model.ModelFailures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A client thread that splits and merges actors while everything fails, up to a number of them. */
final class Splitters {
  private static final Duration TIMEOUT = Duration.ofSeconds(4);
  private static final int ACTORS_MAX = 10;

  /** The number of actors that a table has had, including those that have ended. */
  private static final int NUMBERS_MAX = 24;

  private final ClusterClient client;
  private final RandomGenerator random;

  Splitters(ClusterClient client, RandomGenerator random) {
    this.client = client;
    this.random = random;
  }

  /** Splits some actor, or merges two; that may be refused or given up. */
  void reshape() {
    Partitioner now = client.state().requireTable(ClusterShape.TABLE).definition().partitioner();
    if (now.actors() >= NUMBERS_MAX) {
      return;
    }
    List<Integer> actors = List.copyOf(now.actorsOf(Keys.ALL));
    int actor = actors.get(random.nextInt(actors.size()));
    if (actors.size() >= ACTORS_MAX || random.nextInt(5) < 3) {
      attempt(() -> client.admin().merge(ClusterShape.TABLE, actor, Optional.empty(), TIMEOUT));
    } else if (actors.size() < ACTORS_MAX) {
      attempt(() -> client.admin().split(ClusterShape.TABLE, actor, where(now), TIMEOUT));
    }
  }

  private Optional<PartitionKey> where(Partitioner now) {
    boolean somewhere = now.base() instanceof Partitioner.Range && random.nextBoolean();
    return somewhere
        ? Optional.of(PartitionKey.of(random.nextLong(Workload.KEYS)))
        : Optional.empty();
  }

  private static void attempt(Runnable change) {
    try {
      change.run();
    } catch (UniserveException e) {
      boolean expected =
          switch (e.code()) {
            case INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, ABORTED -> true;
            default -> e.retryable() || ModelFailures.caused(e);
          };
      if (!expected) {
        throw new IllegalStateException("a split or merge was refused otherwise", e);
      }
    }
  }
}
