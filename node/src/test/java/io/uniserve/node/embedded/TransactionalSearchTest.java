package io.uniserve.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.testkit.client.TableRows;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Search tables of transactions whose actors are split and merged while they are used. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // one cluster serves all tests
class TransactionalSearchTest {
  private static final String TABLE = "notes";
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Documents of one transaction, which as a rule are on several actors. */
  private static final int TOGETHER = 5;

  private EmbeddedCluster cluster;
  private UniserveClient client;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicLong stored = new AtomicLong();
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong counted = new AtomicLong();

  @BeforeAll
  void start(@TempDir Path directory) {
    cluster =
        EmbeddedCluster.start(
            new EmbeddedSettings(directory, 3, Plugins.load().engines(), Optional.empty()));
    client = cluster.client();
  }

  @BeforeEach
  void countFromZero() {
    stopped.set(false);
    List.of(stored, begun, counted).forEach(count -> count.set(0));
  }

  @AfterEach
  void dropTables() {
    for (TableState table : client.state().tables().values()) {
      client.dropTable(table.definition().name(), TIMEOUT);
    }
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Consistency.class,
      names = {"SERIALIZABLE", "SNAPSHOT"})
  void transactionsAreSeenWhileActorsAreSplitAndMerged(Consistency level) throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      client.createTable(definition(level), TIMEOUT);
      Future<?> writer = threads.submit(() -> store(client));
      Future<?> reader = threads.submit(() -> count(client, level));
      try {
        for (int actor : List.of(0, 1, 2)) {
          awaitProgress(writer, reader);
          client.admin().split(TABLE, actor, Optional.empty(), TIMEOUT);
        }
        for (int actor : List.of(2, 1, 0)) {
          awaitProgress(writer, reader);
          client.admin().merge(TABLE, actor, Optional.empty(), TIMEOUT);
        }
        awaitProgress(writer, reader);
        client.admin().split(TABLE, 7, Optional.empty(), TIMEOUT);
        awaitProgress(writer, reader);
      } finally {
        stopped.set(true);
      }
      writer.get();
      reader.get();
      assertThat(client.state().requireTable(TABLE).living()).containsOnlyKeys(6, 7, 8);
      assertThat(total(client, TABLE)).isEqualTo(begun.get());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Consistency.class,
      names = {"SERIALIZABLE", "SNAPSHOT"})
  void aTableIsRestoredAsOfBeforeAndAfterAMerge(Consistency level) throws Exception {
    client.createTable(definition(level), TIMEOUT);
    client.admin().split(TABLE, 0, Optional.empty(), TIMEOUT);
    storeOnce(client);
    Instant before = passing();
    client.admin().merge(TABLE, 0, Optional.empty(), TIMEOUT);
    storeOnce(client);
    Instant after = passing();
    storeOnce(client);
    client.backups().backUp(TABLE, TIMEOUT);

    restore(client, "before", Optional.of(before));
    restore(client, "after", Optional.of(after));
    restore(client, "newest", Optional.empty());
    assertThat(total(client, "before")).isEqualTo(TOGETHER);
    assertThat(total(client, "after")).isEqualTo(2 * TOGETHER);
    assertThat(total(client, "newest")).isEqualTo(3 * TOGETHER);
    assertThat(client.state().requireTable("before").living()).containsOnlyKeys(0, 1, 2);
    assertThat(client.state().requireTable("after").living()).containsOnlyKeys(1, 3);
    client.admin().merge("before", 0, Optional.empty(), TIMEOUT);
    assertThat(total(client, "before")).isEqualTo(TOGETHER);
  }

  /** Returns a moment that transactions are before or after, by the millisecond. */
  private static Instant passing() throws InterruptedException {
    Thread.sleep(5);
    Instant moment = Instant.now();
    Thread.sleep(5);
    return moment;
  }

  private static void restore(UniserveClient client, String name, Optional<Instant> moment) {
    client
        .backups()
        .restore(
            new Restore(List.of(TABLE), moment, Optional.of(name), OptionalInt.empty()), TIMEOUT);
  }

  private void awaitProgress(Future<?> writer, Future<?> reader) throws InterruptedException {
    long enoughStored = stored.get() + 5 * TOGETHER;
    long enoughCounted = counted.get() + 5;
    while ((stored.get() < enoughStored || counted.get() < enoughCounted)
        && !writer.isDone()
        && !reader.isDone()) {
      Thread.sleep(5);
    }
  }

  private void store(UniserveClient client) {
    while (!stopped.get()) {
      storeOnce(client);
      think();
    }
  }

  private void storeOnce(UniserveClient client) {
    long first = begun.getAndAdd(TOGETHER);
    List<Map<String, Object>> documents =
        LongStream.range(first, first + TOGETHER)
            .mapToObj(id -> Map.<String, Object>of("id", "n" + id, "text", "a note"))
            .toList();
    TableDefinition now = client.table(TABLE).orElseThrow().definition();
    TableRows.store(client, now, documents);
    stored.addAndGet(TOGETHER);
  }

  private void count(UniserveClient client, Consistency level) {
    while (!stopped.get()) {
      long least = stored.get();
      long found = total(client, TABLE);
      assertThat(found).isBetween(least, begun.get());
      if (level == Consistency.SNAPSHOT) {
        assertThat(found % TOGETHER).as("of a transaction").isZero();
      }
      counted.incrementAndGet();
      think();
    }
  }

  /** Pauses, so that stores and counts do not occupy all processors. */
  private static void think() {
    LockSupport.parkNanos(PAUSE.toNanos());
  }

  private static long total(UniserveClient client, String table) {
    TableDefinition now = client.table(table).orElseThrow().definition();
    Map<?, ?> answer =
        (Map<?, ?>)
            client.query(
                client.planner(now).plan(now, "note", Map.of("rows", "0")),
                new QueryOptions(TIMEOUT));
    return (Long) answer.get("total");
  }

  private static TableDefinition definition(Consistency level) {
    return new TableDefinition(
        TABLE,
        "search",
        new Partitioner.Hash(2),
        2,
        Durability.ASYNCHRONOUS,
        level,
        Map.of("fields", Map.of("text", Map.of("type", "text")), "defaultField", "text"));
  }
}
