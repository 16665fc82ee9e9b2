package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The restore of an ordered table that goes on, of which the store has a later update of one actor,
 * and not yet an earlier one of another.
 */
@Timeout(60)
class RestoredOrderTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Partitioner SHAPE = new Partitioner.Hash(2);

  @TempDir Path directory;

  private final AtomicBoolean held = new AtomicBoolean();
  private final CompletableFuture<Void> laterStored = new CompletableFuture<>();

  /** A store that takes nothing of actor 0 while that is held. */
  private DurableStore holding(DurableStore store) {
    return new ForwardingStore(store) {
      @Override
      public boolean putIfAbsent(String key, Content content) {
        if (held.get() && key.contains("/0/history/")) {
          throw new UniserveException(ErrorCode.UNAVAILABLE, "503 for " + key);
        }
        boolean put = super.putIfAbsent(key, content);
        if (held.get() && key.contains("/1/history/")) {
          laterStored.complete(null);
        }
        return put;
      }
    };
  }

  /** Adds an amount to a key of one actor. */
  private static void add(LocalCluster cluster, int actor, long amount) {
    String key =
        IntStream.range(0, 100)
            .mapToObj(number -> "k" + number)
            .filter(each -> SHAPE.actorOf(PartitionKey.of(each)) == actor)
            .findFirst()
            .orElseThrow();
    cluster.client.update(
        "t", new Add(), List.of(new Amount(key, amount)), UpdateOptions.ALL_COPIES);
  }

  private static void restore(
      LocalCluster cluster, Optional<Instant> asOf, String name, Duration timeout) {
    cluster
        .client
        .backups()
        .restore(new Restore(List.of("t"), asOf, Optional.of(name), OptionalInt.empty()), timeout);
  }

  private static long sum(LocalCluster cluster, String table) {
    return cluster
        .client
        .query(Plan.query(table, new Total(), TallyEngine.adding()), QueryOptions.DEFAULT)
        .getFirst();
  }

  @Test
  void noUpdateIsRestoredWithoutThoseBeforeIt() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1, this::holding)) {
      cluster.client.createTable(
          new TableDefinition(
              "t", "tally", SHAPE, 1, Durability.ASYNCHRONOUS, Consistency.ORDERED, Map.of()),
          TIMEOUT);
      add(cluster, 0, 1);
      add(cluster, 1, 2);
      cluster.client.backups().backUp("t", TIMEOUT);
      held.set(true);
      add(cluster, 0, 10);
      add(cluster, 1, 20);
      laterStored.get(20, TimeUnit.SECONDS);

      Instant moment = Instant.now();
      assertThatThrownBy(() -> restore(cluster, Optional.of(moment), "then", Duration.ofSeconds(1)))
          .isInstanceOfSatisfying(UniserveException.class, e -> assertThat(e.retryable()).isTrue());
      restore(cluster, Optional.empty(), "now", TIMEOUT);
      assertThat(sum(cluster, "now")).as("before the update that actor 0 lacks").isEqualTo(3);
      held.set(false);
      cluster.client.backups().backUp("t", TIMEOUT);
      restore(cluster, Optional.empty(), "all", TIMEOUT);
      assertThat(sum(cluster, "all")).isEqualTo(33);
    }
  }
}
