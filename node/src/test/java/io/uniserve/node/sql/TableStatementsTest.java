package io.uniserve.node.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.node.Patience;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.StatementKey;
import io.uniserve.runtime.client.UniserveClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SQL makes and drops tables of a warehouse while servers come and go. */
@Timeout(120)
class TableStatementsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @TempDir private Path directory;

  private EmbeddedCluster start() {
    return EmbeddedCluster.start(directory, 3, new WarehouseEngine());
  }

  private static void create(UniserveClient client, Consistency level) {
    client.createTable(
        new TableDefinition(
            "shop",
            "warehouse",
            new Partitioner.Hash(4),
            2,
            Durability.SYNCHRONOUS,
            level,
            Map.of()),
        TIMEOUT);
  }

  private static List<?> run(UniserveClient client, String sql) {
    return run(client, "shop", sql);
  }

  private static List<?> run(UniserveClient client, String warehouse, String sql) {
    TableDefinition table = client.table(warehouse).orElseThrow().definition();
    Map<?, ?> answer =
        (Map<?, ?>)
            Patience.ask(
                () ->
                    client.query(
                        client.planner(table).plan(table, sql, Map.of()),
                        new QueryOptions(TIMEOUT)),
                TIMEOUT);
    return (List<?>) answer.get("rows");
  }

  @ParameterizedTest
  @EnumSource(names = {"EVENTUAL", "SERIALIZABLE", "SNAPSHOT"})
  void tablesOutliveARestartAndAServer(Consistency level) {
    try (EmbeddedCluster cluster = start()) {
      UniserveClient client = cluster.client();
      create(client, level);
      run(client, "create table sales (id bigint primary key, region varchar)");
      run(client, "insert into sales values (1, 'north'), (2, 'south'), (3, 'north')");
      run(
          client,
          "create table regions as select region, count(*) as n from sales group by region");
      run(client, "create table gone (a int)");
      run(client, "drop table gone");
    }
    try (EmbeddedCluster cluster = start()) {
      UniserveClient client = cluster.client();
      requireAll(client);
      cluster.stopServer("s2");
      run(client, "create table while_away (a int)");
      run(client, "insert into while_away values (1), (2), (3), (4), (5)");
      run(client, "drop table regions");
      StateWait.await(client, StateWait::whole, TIMEOUT, "copies elsewhere");
      cluster.startServer("s2");
      StateWait.await(client, state -> state.alive("s2"), TIMEOUT, "s2 to be back");
      cluster.stopServer("s1"); // the remaining statement has the tables
      for (int i = 0; i < 20; i++) {
        assertThat(run(client, "select count(*), sum(a) from while_away").toString())
            .isEqualTo("[[5, 15]]");
      }
      assertThat(run(client, "select count(*) from sales").toString()).isEqualTo("[[3]]");
      assertThatThrownBy(() -> run(client, "select * from regions"))
          .hasMessageContaining("'regions' not found");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aStatementSentAgainWithItsKeyIsCarriedOutOnce(Consistency level) {
    try (EmbeddedCluster cluster = start()) {
      UniserveClient client = cluster.client();
      create(client, level);
      run(client, "create table sales (id bigint primary key, n bigint)");
      run(client, "create table log (n bigint)");
      run(client, "insert into sales select range, 0 from range(20)");
      for (int attempt = 0; attempt < 3; attempt++) {
        assertThat(keyed(client, "one", "update sales set n = n + 1 where id < 15").toString())
            .as("attempt %d tells how many rows changed", attempt)
            .isEqualTo("[[15]]");
        keyed(client, "two", "insert into log values (1), (2), (3)");
      }
      assertThat(run(client, "select sum(n) from sales").toString()).isEqualTo("[[15]]");
      assertThat(run(client, "select count(*) from log").toString()).isEqualTo("[[3]]");
      assertThatThrownBy(() -> keyed(client, "one", "update sales set n = n + 2"))
          .hasMessageContaining("idempotency key: another update was sent with it before");
      assertThatThrownBy(() -> keyed(client, "two", "insert into log values (1), (2), (4)"))
          .hasMessageContaining("idempotency key: another update was sent with it before");
      assertThat(run(client, "select sum(n) from sales").toString()).isEqualTo("[[15]]");
      assertThatThrownBy(() -> keyed(client, "three", "create table more (a int)"))
          .hasMessageStartingWith("idempotency key: a statement that makes or drops tables");
    }
  }

  private static List<?> keyed(UniserveClient client, String key, String sql) {
    TableDefinition table = client.table("shop").orElseThrow().definition();
    Map<String, String> options = Map.of(Planner.IDEMPOTENCY_KEY, key);
    Map<?, ?> answer =
        (Map<?, ?>)
            client.query(
                client.planner(table).plan(table, sql, options),
                new QueryOptions(TIMEOUT).withKey(new StatementKey(key, sql)));
    return (List<?>) answer.get("rows");
  }

  private static void requireAll(UniserveClient client) {
    assertThat(run(client, "select region from sales order by id").toString())
        .isEqualTo("[[north], [south], [north]]");
    assertThat(run(client, "select region, n from regions order by n").toString())
        .isEqualTo("[[south, 1], [north, 2]]");
    assertThatThrownBy(() -> run(client, "select * from gone"))
        .hasMessageContaining("'gone' not found");
  }

  @ParameterizedTest
  @EnumSource(names = {"EVENTUAL", "SNAPSHOT"})
  void whatIsRestoredHasTheTablesOfItsTime(Consistency level) {
    try (EmbeddedCluster cluster = start()) {
      UniserveClient client = cluster.client();
      create(client, level);
      run(client, "create table first (a int)");
      run(client, "insert into first values (1), (2), (3)");
      Instant before = pastMoment();
      run(client, "create table second (b varchar)");
      run(client, "insert into second values ('x'), ('y')");
      run(client, "drop table first");
      Instant after = pastMoment();
      run(client, "create table third as select b as c from second");

      restore(client, before, "before");
      assertThat(run(client, "before", "select sum(a) from first").toString()).isEqualTo("[[6]]");
      assertThatThrownBy(() -> run(client, "before", "select * from second"))
          .hasMessageContaining("'second' not found");
      run(client, "before", "create table second (other int)");
      run(client, "before", "insert into second select a from first");
      assertThat(run(client, "before", "select sum(other) from second").toString())
          .isEqualTo("[[6]]");

      restore(client, after, "after");
      assertThat(run(client, "after", "select b from second order by b").toString())
          .isEqualTo("[[x], [y]]");
      assertThatThrownBy(() -> run(client, "after", "select * from first"))
          .hasMessageContaining("'first' not found");
      assertThatThrownBy(() -> run(client, "after", "select * from third"))
          .hasMessageContaining("'third' not found");
    }
  }

  /** A table is restored whose rows are in a checkpoint, or in logs only. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTableThatHasTheNameOfItsWarehouseKeepsItUnderAnother(boolean backedUp) {
    try (EmbeddedCluster cluster = start()) {
      UniserveClient client = cluster.client();
      client.createTable(
          new TableDefinition(
              "shop",
              "warehouse",
              new Partitioner.Hash(4),
              2,
              Durability.SYNCHRONOUS,
              Consistency.EVENTUAL,
              Map.of(
                  "columns",
                  Map.of("id", "bigint not null"),
                  "partitionBy",
                  List.of("id"),
                  "primaryKey",
                  List.of("id"))),
          TIMEOUT);
      run(client, "insert into shop select range from range(100)");
      if (backedUp) {
        client.backups().backUp("shop", TIMEOUT);
      }
      client
          .backups()
          .restore(
              new Restore(
                  List.of("shop"), Optional.empty(), Optional.of("copy"), OptionalInt.empty()),
              TIMEOUT);
      assertThat(run(client, "copy", "select count(*), sum(id) from shop").toString())
          .isEqualTo("[[100, 4950]]");
      run(client, "copy", "insert into shop values (100)");
      run(client, "copy", "create table more as select id from shop where id < 2");
      assertThat(run(client, "copy", "select count(*) from shop").toString()).isEqualTo("[[101]]");
      assertThat(run(client, "copy", "select count(*) from more").toString()).isEqualTo("[[2]]");
      assertThat(run(client, "select count(*) from shop").toString()).isEqualTo("[[100]]");
    }
  }

  /** Returns a moment that is past, and after everything that was done before. */
  private static Instant pastMoment() {
    Instant moment = Instant.ofEpochMilli(Instant.now().toEpochMilli() + 1);
    while (!Instant.now().isAfter(moment.plusMillis(1))) {
      Thread.onSpinWait();
    }
    return moment;
  }

  private static void restore(UniserveClient client, Instant moment, String name) {
    client
        .backups()
        .restore(
            new Restore(
                List.of("shop"), Optional.of(moment), Optional.of(name), OptionalInt.empty()),
            TIMEOUT);
  }

  @Test
  void ofChangesAtOnceNoneIsLostAndOneOfANameWins() throws Exception {
    try (EmbeddedCluster cluster = start();
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      UniserveClient client = cluster.client();
      create(client, Consistency.EVENTUAL);
      List<Future<Boolean>> made = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int value = i;
        made.add(threads.submit(() -> makesOwnAndCommon(client, value)));
      }
      int winners = 0;
      for (Future<Boolean> each : made) {
        winners += each.get() ? 1 : 0;
      }
      assertThat(winners).isEqualTo(1);
      for (int i = 0; i < 8; i++) {
        assertThat(run(client, "select count(*) from own_" + i).toString()).isEqualTo("[[0]]");
      }
      assertThat(run(client, "select count(*) from common").toString()).isEqualTo("[[1]]");
    }
  }

  /** Returns whether the table that all make is this one's. */
  private static boolean makesOwnAndCommon(UniserveClient client, int value) {
    run(client, "create table own_" + value + " (a int)");
    try {
      run(client, "create table common as select " + value + " as a");
      return true;
    } catch (UniserveException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS);
      return false;
    }
  }
}
