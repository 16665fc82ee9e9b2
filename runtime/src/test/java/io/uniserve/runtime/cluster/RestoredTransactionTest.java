package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The restore of a table that goes on, of which the store has a transaction on one actor only. */
@Timeout(60)
class RestoredTransactionTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int KEYS = 20;

  @TempDir Path directory;

  private final AtomicBoolean held = new AtomicBoolean();
  private final CompletableFuture<Void> otherStored = new CompletableFuture<>();

  /** A store that takes nothing of actor 0 while that is held. */
  private DurableStore holding(DurableStore store) {
    return new ForwardingStore(store) {
      @Override
      public boolean putIfAbsent(String key, Content content) {
        boolean history = key.contains("/history/");
        if (held.get() && history && key.contains("/0/history/")) {
          throw new UniserveException(ErrorCode.UNAVAILABLE, "503 for " + key);
        }
        boolean put = super.putIfAbsent(key, content);
        if (held.get() && history) {
          otherStored.complete(null);
        }
        return put;
      }
    };
  }

  /** Adds one to each key in a transaction of both actors. */
  private static void add(LocalCluster cluster) {
    List<Amount> all = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      all.add(new Amount("k" + i, 1));
    }
    cluster.client.update("t", new Add(), all, UpdateOptions.DEFAULT);
  }

  private static void restore(
      LocalCluster cluster, Optional<Instant> asOf, String name, Duration timeout) {
    cluster
        .client
        .backups()
        .restore(new Restore(List.of("t"), asOf, Optional.of(name), OptionalInt.empty()), timeout);
  }

  @Test
  void noTransactionIsRestoredInPart() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1, this::holding)) {
      cluster.client.createTable(
          new TableDefinition(
              "t",
              "tally",
              new Partitioner.Hash(2),
              1,
              Durability.ASYNCHRONOUS,
              Consistency.SERIALIZABLE,
              Map.of()),
          TIMEOUT);
      add(cluster);
      cluster.client.backups().backUp("t", TIMEOUT);
      held.set(true);
      add(cluster);
      otherStored.get(20, TimeUnit.SECONDS);

      Instant moment = Instant.now();
      assertThatThrownBy(() -> restore(cluster, Optional.of(moment), "then", Duration.ofSeconds(1)))
          .isInstanceOfSatisfying(UniserveException.class, e -> assertThat(e.retryable()).isTrue());
      restore(cluster, Optional.empty(), "now", TIMEOUT);
      assertThat(
              cluster
                  .client
                  .query(Plan.query("now", new Total(), TallyEngine.adding()), QueryOptions.DEFAULT)
                  .getFirst())
          .as("the first transaction wholly, and nothing of the second")
          .isEqualTo((long) KEYS);
    }
  }
}
