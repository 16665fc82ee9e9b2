package io.uniserve.node.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.Patience;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.testkit.client.TableRows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A join whose rows go from server to server, on a cluster that loses a server and is started
 * again.
 */
@Timeout(120)
class WarehouseClusterTest {
  private static final int SALES = 500;
  private static final int SHOPS = 20;
  private static final int TRANSFERS = 20;
  private static final String JOIN =
      "select city, count(*), sum(amount) from sale join shop on shop = name group by city order by city";

  @TempDir private Path directory;

  @Test
  void joinsAreExactWhileAServerIsKilledAndAfterARestart() {
    List<?> expected = List.of(List.of("city 0", 250L, 61_250L), List.of("city 1", 250L, 63_500L));
    try (EmbeddedCluster cluster = start()) {
      UniserveClient client = cluster.client();
      client.createTable(definition(Consistency.SERIALIZABLE), Duration.ofSeconds(30));
      load(client);
      assertThat(rows(client)).isEqualTo(expected);
      analyses(client);

      cluster.stopServer("s2");
      while (client.state().alive("s2") || !StateWait.whole(client.state())) {
        assertThat(rows(client)).isEqualTo(expected);
      }
      assertThat(rows(client)).isEqualTo(expected);
    }
    try (EmbeddedCluster cluster = start()) {
      assertThat(Patience.ask(() -> rows(cluster.client()), Duration.ofSeconds(30)))
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Consistency.class,
      names = {"EVENTUAL", "SERIALIZABLE", "SNAPSHOT"})
  void statementsChangeRowsAtEveryLevel(Consistency level) {
    try (EmbeddedCluster cluster = start()) {
      UniserveClient client = cluster.client();
      client.createTable(definition(level), Duration.ofSeconds(30));
      load(client);

      assertThat(rows(client, "update sale set amount = 1 where amount < 100").toString())
          .isEqualTo("[[100]]");
      assertThat(
              rows(
                  client,
                  "insert into sale (id, shop, amount) select id + 500, shop, 2 from sale where id < 10"))
          .isEqualTo(List.of(List.of(10L)));
      assertThat(rows(client, "delete from sale where amount > 100 and id < 500").toString())
          .isEqualTo("[[399]]");
      assertThat(rows(client, "select count(*), sum(amount) from sale").toString())
          .isEqualTo("[[111, 220]]");
      assertThatThrownBy(
              () ->
                  client.query(
                      client.planner(definition()).plan(definition(), "delete from sale", Map.of()),
                      QueryOptions.DEFAULT.withReadOnly(true)))
          .hasMessageContaining("trade");
      assertThat(rows(client, "select count(*) from sale").toString()).isEqualTo("[[111]]");
    }
  }

  /** Each change moves an amount from a row to one in another actor, so the sum never changes. */
  @Test
  void aParallelReadSeesOneVersionOnAllActors() throws InterruptedException {
    try (EmbeddedCluster cluster = start()) {
      UniserveClient client = cluster.client();
      client.createTable(definition(Consistency.SNAPSHOT), Duration.ofSeconds(30));
      load(client);
      Set<Object> seen = ConcurrentHashMap.newKeySet();
      AtomicInteger transfers = new AtomicInteger();
      AtomicBoolean done = new AtomicBoolean();
      AtomicReference<RuntimeException> failure = new AtomicReference<>();
      Thread writer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      while (transfers.get() < TRANSFERS || seen.size() < 2) {
                        rows(client, "update sale set amount = amount + 100 - 200 * (id % 2)");
                        transfers.incrementAndGet();
                      }
                    } catch (RuntimeException e) {
                      failure.set(e);
                    } finally {
                      done.set(true);
                    }
                  });
      while (!done.get()) {
        assertThat(rows(client, "select sum(amount) from sale").toString()).isEqualTo("[[124750]]");
        assertThat(rows(client, "select sum(a.amount) from sale a join shop on a.shop = name"))
            .isEqualTo(List.of(List.of(124_750L)));
        seen.add(rows(client, "select amount from sale where id = 1"));
      }
      writer.join();
      assertThat(failure.get()).isNull();
      assertThat(rows(client, "select amount from sale where id = 1").toString())
          .isEqualTo("[[" + (5 - 100 * transfers.get()) + "]]");
    }
  }

  private static void analyses(UniserveClient client) {
    String text = String.join("\n", rows(client, "explain analyze " + JOIN).toString());

    assertThat(text)
        .as("each stage with its measured rows, per actor and server")
        .contains("gave 20 rows", "gave 10 rows", "actor 4 on s", "gathered ", "took ", "about ");
  }

  private EmbeddedCluster start() {
    return EmbeddedCluster.start(
        new EmbeddedSettings(directory, 3, Plugins.load().engines(), Optional.empty()));
  }

  private static TableDefinition definition() {
    return definition(Consistency.SERIALIZABLE);
  }

  private static TableDefinition definition(Consistency level) {
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
                "name"));
    return new TableDefinition(
        "trade",
        "warehouse",
        new Partitioner.Hash(5),
        2,
        Durability.NONE,
        level,
        Map.of("tables", tables));
  }

  /** The rows of a replicated table cross the wire in another form than they were given in. */
  @Test
  void copiedRowsAreStoredOnceForAKey() {
    TableDefinition chart =
        new TableDefinition(
            "chart",
            "warehouse",
            new Partitioner.Hash(3),
            2,
            Durability.NONE,
            Map.of("columns", Map.of("code", "varchar"), "replicated", true));
    UpdateOptions once =
        new UpdateOptions(
            Duration.ofSeconds(60),
            UpdateOptions.Acknowledgement.ALL_COPIES,
            Optional.of("first load"));
    try (EmbeddedCluster cluster = start()) {
      UniserveClient client = cluster.client();
      client.createTable(chart, Duration.ofSeconds(30));
      TableRows.store(client, chart, List.of(Map.of("code", "a")), once);
      TableRows.store(client, chart, List.of(Map.of("code", "a")), once);
      Map<?, ?> answer =
          (Map<?, ?>)
              client.query(
                  client.planner(chart).plan(chart, "select code from chart", Map.of()),
                  QueryOptions.DEFAULT);
      assertThat(answer.get("rows")).isEqualTo(List.of(List.of("a")));
      assertThatThrownBy(() -> TableRows.store(client, chart, List.of(Map.of("code", "b")), once))
          .hasMessageContaining("another update was sent with it before");
    }
  }

  private static void load(UniserveClient client) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < SHOPS; i++) {
      rows.add(Map.of("@table", "shop", "name", "shop " + i, "city", "city " + i % 2));
    }
    for (long i = 0; i < SALES; i++) {
      rows.add(
          Map.of(
              "@table", "sale", "id", i, "shop", "shop " + i % SHOPS, "amount", i + i % 2 * 8 - 4));
    }
    TableRows.store(client, definition(), rows);
  }

  private static List<?> rows(UniserveClient client) {
    return rows(client, JOIN);
  }

  private static List<?> rows(UniserveClient client, String sql) {
    Map<?, ?> answer =
        (Map<?, ?>)
            client.query(
                client.planner(definition()).plan(definition(), sql, Map.of()),
                QueryOptions.DEFAULT);
    return (List<?>) answer.get("rows");
  }
}
