package io.uniserve.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.testkit.client.TableRows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A search table of ordered updates whose actors are split and merged while many are under way. */
@Timeout(300)
class OrderedReshapeTest {
  private static final String TABLE = "notes";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final int WRITERS = 3;

  /** Documents of one update, which as a rule are on several actors. */
  private static final int TOGETHER = 5;

  @TempDir private Path directory;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicLong stored = new AtomicLong();
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong counted = new AtomicLong();

  /** A split or merge while updates and queries go on. */
  @FunctionalInterface
  private interface Reshape {
    void run(UniserveClient client);
  }

  private static Reshape split(int actor) {
    return client -> client.admin().split(TABLE, actor, Optional.empty(), TIMEOUT);
  }

  private static Reshape merge(int actor, int with) {
    return client -> client.admin().merge(TABLE, actor, Optional.of(with), TIMEOUT);
  }

  @Test
  void everyUpdateIsSeenOnceItIsAcknowledgedAndHappensOnceWhileActorsAreSplit() throws Exception {
    reshape(Set.of(0, 1, 2, 3, 4), split(0), split(1), split(2));
  }

  @Test
  void theSameWhileTheyAreMergedAgain() throws Exception {
    reshape(Set.of(1, 7), split(0), split(0), merge(0, 3), merge(2, 4), split(5), merge(5, 6));
  }

  private void reshape(Set<Integer> living, Reshape... reshapes) throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(
                new EmbeddedSettings(directory, 3, Plugins.load().engines(), Optional.empty()));
        ExecutorService threads = Executors.newCachedThreadPool()) {
      UniserveClient client = cluster.client();
      client.createTable(definition(), TIMEOUT);
      List<Future<?>> all = new ArrayList<>(List.of(threads.submit(() -> count(client))));
      for (int i = 0; i < WRITERS; i++) {
        all.add(threads.submit(() -> store(client)));
      }
      try {
        for (Reshape one : reshapes) {
          awaitProgress(all);
          one.run(client);
        }
        awaitProgress(all);
      } finally {
        stopped.set(true);
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertThat(client.state().requireTable(TABLE).living()).containsOnlyKeys(living);
      assertThat(total(client)).isEqualTo(begun.get());
    }
  }

  private void awaitProgress(List<Future<?>> all) throws InterruptedException {
    long enoughStored = stored.get() + 5 * WRITERS * TOGETHER;
    long enoughCounted = counted.get() + 5;
    while ((stored.get() < enoughStored || counted.get() < enoughCounted)
        && all.stream().noneMatch(Future::isDone)) {
      Thread.sleep(5);
    }
  }

  private void store(UniserveClient client) {
    while (!stopped.get()) {
      long first = begun.getAndAdd(TOGETHER);
      List<Map<String, Object>> documents =
          LongStream.range(first, first + TOGETHER)
              .mapToObj(id -> Map.<String, Object>of("id", "n" + id, "text", "a note"))
              .toList();
      TableDefinition now = client.table(TABLE).orElseThrow().definition();
      TableRows.store(client, now, documents);
      stored.addAndGet(TOGETHER);
      think();
    }
  }

  private void count(UniserveClient client) {
    while (!stopped.get()) {
      long least = stored.get();
      assertThat(total(client)).isBetween(least, begun.get());
      counted.incrementAndGet();
      think();
    }
  }

  /** Pauses, so that stores and counts do not occupy all processors. */
  private static void think() {
    LockSupport.parkNanos(PAUSE.toNanos());
  }

  private static long total(UniserveClient client) {
    TableDefinition now = client.table(TABLE).orElseThrow().definition();
    Map<?, ?> answer =
        (Map<?, ?>)
            client.query(
                client.planner(now).plan(now, "note", Map.of("rows", "0")),
                new QueryOptions(TIMEOUT));
    return (Long) answer.get("total");
  }

  private static TableDefinition definition() {
    return new TableDefinition(
        TABLE,
        "search",
        new Partitioner.Hash(2),
        2,
        Durability.ASYNCHRONOUS,
        Consistency.ORDERED,
        Map.of("fields", Map.of("text", Map.of("type", "text")), "defaultField", "text"));
  }
}
