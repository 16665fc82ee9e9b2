package io.uniserve.node.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.testkit.client.TableRows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Actors of a warehouse are split and merged, at rest and under SQL of every kind. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // one cluster serves all tests
class WarehouseSplitTest {
  private static final String WAREHOUSE = "trade";
  private static final int SALES = 400;
  private static final int SHOPS = 8;

  /** The number of rows that statements change over and over. */
  private static final int OLD = 100;

  /**
   * The pause between two statements of a thread. Tests wait for statements that take long, and not
   * for others.
   */
  private static final Duration PAUSE = Duration.ofMillis(60);

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String BY_CITY =
      "select city, count(*), sum(amount) from sale join shop on shop = name group by city"
          + " order by city";
  private static final String BY_REGION =
      "select region.name, count(*) from sale join region on sale.id % 4 = region.id"
          + " group by region.name order by region.name";

  private EmbeddedCluster cluster;
  private UniserveClient client;

  @BeforeAll
  void start(@TempDir Path directory) {
    cluster =
        EmbeddedCluster.start(
            new EmbeddedSettings(directory, 3, Plugins.load().engines(), Optional.empty()));
    client = cluster.client();
  }

  @AfterEach
  void dropTable() {
    client.dropTable(WAREHOUSE, TIMEOUT);
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "false, EVENTUAL",
    "true, EVENTUAL",
    "false, SNAPSHOT",
    "true, SERIALIZABLE",
    "false, ORDERED"
  })
  void whatIsSplitAndMergedAnswersAsTheWhole(boolean ranged, Consistency level) {
    Partitioner partitioner = ranged ? new Partitioner.Range(List.of()) : new Partitioner.Hash(1);
    client.createTable(definition(partitioner, level), TIMEOUT);
    load(client, 0, SALES);
    String cities = rows(client, BY_CITY).toString();
    String regions = rows(client, BY_REGION).toString();
    assertThat(regions).contains("[region 0, 100]");

    client.admin().split(WAREHOUSE, 0, Optional.empty(), TIMEOUT);
    assertThat(rows(client, BY_CITY)).hasToString(cities);
    client.admin().split(WAREHOUSE, 1, Optional.empty(), TIMEOUT);
    assertThat(rows(client, BY_CITY)).hasToString(cities);
    assertThat(rows(client, BY_REGION)).hasToString(regions);
    assertThat(rows(client, "select id from sale")).hasSize(SALES);
    assertThat(rows(client, "update sale set amount = amount + 1 where id < 100"))
        .hasToString("[[100]]");
    assertThat(rows(client, "update region set name = name where id < 3")).hasToString("[[3]]");
    assertThat(rows(client, "insert into region (id, name) values (9, 'region 9')"))
        .hasToString("[[1]]");
    assertThat(rows(client, "select count(*) from region")).hasToString("[[5]]");
    load(client, SALES, SALES + 50);
    assertThat(rows(client, "select count(*), count(distinct id) from sale"))
        .hasToString("[[450, 450]]");

    client.admin().merge(WAREHOUSE, 1, Optional.of(2), TIMEOUT);
    client.admin().merge(WAREHOUSE, 0, Optional.of(3), TIMEOUT);
    assertThat(client.state().requireTable(WAREHOUSE).living()).hasSize(1);
    assertThat(rows(client, "select count(*), count(distinct id), sum(amount) from sale"))
        .hasToString("[[450, 450, " + (450 * 449 / 2 + 100) + "]]");
    assertThat(rows(client, "delete from sale where id >= 400")).hasToString("[[50]]");
    assertThat(rows(client, "select count(*) from region")).hasToString("[[5]]");
    rows(client, "create table copied as select * from sale");
    assertThat(rows(client, "select count(*) from copied")).hasToString("[[400]]");
  }

  @Test
  void noStatementFailsOrIsWrongWhileActorsAreSplitAndMerged() {
    client.createTable(definition(new Partitioner.Hash(2)), TIMEOUT);
    load(client, 0, SALES);
    try (Statements statements = new Statements(client)) {
      statements.await();
      for (int actor : List.of(0, 1, 0)) {
        client.admin().split(WAREHOUSE, actor, Optional.empty(), TIMEOUT);
        statements.await();
      }
      client.admin().merge(WAREHOUSE, 0, Optional.of(4), TIMEOUT);
      statements.await();
      client.admin().merge(WAREHOUSE, 1, Optional.of(3), TIMEOUT);
      statements.await();
      client.admin().split(WAREHOUSE, 5, Optional.empty(), TIMEOUT);
      statements.await();
    }
    assertThat(client.state().requireTable(WAREHOUSE).definition().partitioner().actors())
        .isEqualTo(8);
  }

  /**
   * Changes are transactions of all actors whose rows are read at one version, or ordered updates.
   */
  @ParameterizedTest
  @EnumSource(names = {"SNAPSHOT", "ORDERED"})
  void noStatementFailsOrIsWrongAtOtherLevelsWhileActorsAreSplitAndMerged(Consistency level) {
    client.createTable(definition(new Partitioner.Hash(2), level), TIMEOUT);
    load(client, 0, SALES);
    try (Statements statements = new Statements(client)) {
      statements.await();
      for (int actor : List.of(0, 1)) {
        client.admin().split(WAREHOUSE, actor, Optional.empty(), TIMEOUT);
        statements.await();
      }
      for (int actor : List.of(0, 1)) {
        client.admin().merge(WAREHOUSE, actor, Optional.empty(), TIMEOUT);
        statements.await();
      }
    }
    assertThat(client.state().requireTable(WAREHOUSE).living()).containsOnlyKeys(4, 5);
    assertThat(rows(client, "select count(*) - count(distinct id) from sale")).hasToString("[[0]]");
  }

  /** Every kind of statement, each on a thread of its own, over and over; each knows its answer. */
  private static final class Statements implements AutoCloseable {
    private final UniserveClient client;
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<AtomicLong> rounds = new ArrayList<>();
    private final AtomicLong begun = new AtomicLong(SALES);
    private final AtomicLong stored = new AtomicLong(SALES);
    private final AtomicLong regionsBegun = new AtomicLong(4);
    private final AtomicLong regionsStored = new AtomicLong(4);

    Statements(UniserveClient client) {
      this.client = client;
      over(this::insert);
      over(this::insertRegion);
      over(this::join);
      over(this::joinCopies);
      over(this::pass);
      over(this::rewrite);
      over(this::makeAndDrop);
    }

    private void over(Runnable statement) {
      AtomicLong done = new AtomicLong();
      rounds.add(done);
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (!stop.get() && failure.get() == null) {
                        statement.run();
                        done.incrementAndGet();
                        LockSupport.parkNanos(PAUSE.toNanos());
                      }
                    } catch (Throwable e) {
                      failure.compareAndSet(null, e);
                    }
                  }));
    }

    private void insert() {
      long first = begun.getAndAdd(5);
      if (first % 2 == 0) {
        load(client, first, first + 5);
      } else {
        rows(
            client,
            "insert into sale (id, shop, amount) select id - %d + %d, shop, id - %d + %d from sale where id >= %d and id < %d"
                .formatted(OLD, first, OLD, first, OLD, OLD + 5));
      }
      stored.set(first + 5);
    }

    private void insertRegion() {
      long next = regionsBegun.getAndIncrement();
      assertThat(
              rows(
                  client,
                  "insert into region (id, name) values (%d, 'region %d')".formatted(next, next)))
          .hasToString("[[1]]");
      regionsStored.set(next + 1);
      between(
          regionsStored.get(),
          number(rows(client, "select count(*) from region")),
          regionsBegun.get());
    }

    /**
     * Joins rows that go from server to server, by a column that the table is not partitioned by.
     */
    private void join() {
      long least = stored.get();
      List<?> cities = rows(client, BY_CITY);
      long count = 0;
      for (Object city : cities) {
        count += (Long) ((List<?>) city).get(1);
      }
      between(least, count, begun.get());
    }

    /** Joins rows with copies on the same actor. */
    private void joinCopies() {
      assertThat(
              rows(
                  client,
                  "select count(*) from sale join region on sale.id %% 4 = region.id where sale.id < %d"
                      .formatted(SALES)))
          .hasToString("[[" + SALES + "]]");
    }

    private void pass() {
      long least = stored.get();
      List<?> ids = rows(client, "select id from sale");
      assertThat(new HashSet<>(ids)).as("no row twice").hasSameSizeAs(ids);
      between(least, ids.size(), begun.get());
    }

    private final AtomicLong rewritten = new AtomicLong();

    private void rewrite() {
      assertThat(rows(client, "update sale set amount = amount + 1 where id < " + OLD))
          .hasToString("[[" + OLD + "]]");
      long times = rewritten.incrementAndGet();
      assertThat(rows(client, "select sum(amount) from sale where id < " + OLD))
          .hasToString("[[" + (OLD * (OLD - 1) / 2 + OLD * times) + "]]");
    }

    private final AtomicLong made = new AtomicLong();

    private void makeAndDrop() {
      String name = "made_" + made.incrementAndGet();
      rows(client, "create table " + name + " as select * from sale where id < " + OLD);
      assertThat(rows(client, "select count(*), count(distinct id) from " + name))
          .hasToString("[[" + OLD + ", " + OLD + "]]");
      rows(client, "drop table " + name);
    }

    private static long number(List<?> rows) {
      return (Long) ((List<?>) rows.getFirst()).getFirst();
    }

    private static void between(long least, long found, long most) {
      assertThat(found).isBetween(least, most);
    }

    /** Waits until each statement has run a few times more. */
    void await() {
      List<Long> wanted = rounds.stream().map(done -> done.get() + 2).toList();
      for (int i = 0; i < wanted.size(); i++) {
        while (rounds.get(i).get() < wanted.get(i) && failure.get() == null) {
          assertThatCode(() -> Thread.sleep(5)).doesNotThrowAnyException();
        }
      }
      assertThat(failure.get()).isNull();
    }

    @Override
    public void close() {
      stop.set(true);
      threads.forEach(thread -> assertThatCode(thread::join).doesNotThrowAnyException());
      assertThat(failure.get()).isNull();
    }
  }

  private static TableDefinition definition(Partitioner partitioner) {
    return definition(partitioner, Consistency.EVENTUAL);
  }

  private static TableDefinition definition(Partitioner partitioner, Consistency level) {
    Map<String, Object> tables =
        Map.of(
            "sale",
            Map.of(
                "columns",
                Map.of("id", "bigint not null", "shop", "varchar", "amount", "bigint"),
                "partitionBy",
                "id"),
            "shop",
            Map.of(
                "columns",
                Map.of("name", "varchar not null", "city", "varchar"),
                "partitionBy",
                "name"),
            "region",
            Map.of("columns", Map.of("id", "bigint", "name", "varchar"), "replicated", true));
    return new TableDefinition(
        WAREHOUSE,
        "warehouse",
        partitioner,
        2,
        Durability.ASYNCHRONOUS,
        level,
        Map.of("tables", tables));
  }

  private static TableDefinition now(UniserveClient client) {
    return client.table(WAREHOUSE).orElseThrow().definition();
  }

  private static void load(UniserveClient client, long from, long to) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < SHOPS && from == 0; i++) {
      rows.add(Map.of("@table", "shop", "name", "shop " + i, "city", "city " + i % 2));
    }
    for (long i = 0; i < 4 && from == 0; i++) {
      rows.add(Map.of("@table", "region", "id", i, "name", "region " + i));
    }
    for (long i = from; i < to; i++) {
      rows.add(Map.of("@table", "sale", "id", i, "shop", "shop " + i % SHOPS, "amount", i));
    }
    TableRows.store(client, now(client), rows);
  }

  private static List<?> rows(UniserveClient client, String sql) {
    TableDefinition definition = now(client);
    Map<?, ?> answer =
        (Map<?, ?>)
            client.query(
                client.planner(definition).plan(definition, sql, Map.of()),
                new QueryOptions(TIMEOUT));
    return (List<?>) answer.get("rows");
  }
}
