package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.PartitionKey;
import io.uniserve.api.Partitioner;
import io.uniserve.api.UniserveException;
import io.uniserve.runtime.client.ClusterClient;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Splits actors while everything fails, up to a number of them. */
final class Splitters {
  private static final Duration TIMEOUT = Duration.ofSeconds(4);
  private static final int ACTORS_MAX = 10;

  private final ClusterClient client;
  private final RandomGenerator random;

  Splitters(ClusterClient client, RandomGenerator random) {
    this.client = client;
    this.random = random;
  }

  /** Splits some actor; that may be refused, or come to nothing. */
  void split() {
    Partitioner now = client.state().requireTable(ClusterShape.TABLE).definition().partitioner();
    if (now.actors() >= ACTORS_MAX) {
      return;
    }
    boolean somewhere = now.base() instanceof Partitioner.Range && random.nextBoolean();
    Optional<PartitionKey> at =
        somewhere ? Optional.of(PartitionKey.of(random.nextLong(Workload.KEYS))) : Optional.empty();
    try {
      client.split(ClusterShape.TABLE, random.nextInt(now.actors()), at, TIMEOUT);
    } catch (UniserveException e) {
      boolean expected =
          switch (e.code()) {
            case INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, ABORTED -> true;
            default -> e.retryable();
          };
      if (!expected) {
        throw new IllegalStateException("a split was refused otherwise", e);
      }
    }
  }
}
