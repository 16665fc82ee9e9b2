package io.uniserve.node.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.gateways.flightsql.FlightSqlGateway;
import io.uniserve.node.access.Access;
import io.uniserve.node.access.GuardedClient;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.rpc.RpcService;
import io.uniserve.node.rpc.RpcSettings;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.testkit.client.TableRows;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The levels at which a connection reads ordered warehouses. */
@Timeout(180)
class FlightReadsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir static Path directory;
  private static EmbeddedCluster cluster;
  private static RpcService service;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.start(directory, 2, new WarehouseEngine());
    create("ordered", Consistency.ORDERED);
    create("plain", Consistency.EVENTUAL);
    service =
        new RpcService(
            new GuardedClient(cluster.client()),
            List.of(new FlightSqlGateway()),
            new RpcSettings("127.0.0.1", 0, Access.onThisMachine(), Optional.empty()));
  }

  @AfterAll
  static void stop() {
    service.close();
    cluster.close();
  }

  private static void create(String name, Consistency consistency) {
    UniserveClient client = cluster.client();
    TableDefinition table =
        new TableDefinition(
            name,
            "warehouse",
            new Partitioner.Hash(3),
            1,
            Durability.NONE,
            consistency,
            Map.of(
                "columns", Map.of("n", "bigint not null"), "partitionBy", "n", "primaryKey", "n"));
    client.createTable(table, TIMEOUT);
    TableRows.store(
        client,
        table,
        LongStream.range(0, 100).mapToObj(n -> Map.<String, Object>of("n", n)).toList());
  }

  private static Connection connect(String warehouse, String read) throws SQLException {
    return Jdbc.connect(service, "useEncryption=false&warehouse=" + warehouse + "&read=" + read);
  }

  @ParameterizedTest
  @ValueSource(strings = {"basic", "snapshot", "sequential"})
  void anOrderedWarehouseIsReadAtEachLevel(String read) throws SQLException {
    try (Connection connection = connect("ordered", read);
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of("select count(*), sum(n) from ordered", "select n from ordered where n = 7")) {
        assertThat(Jdbc.rows(statement.executeQuery(sql))).hasSize(1);
      }
      assertThat(Jdbc.rows(statement.executeQuery("select n from ordered"))).hasSize(100);
      assertThat(Jdbc.rows(statement.executeQuery("select 1"))).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"snapshot", "sequential"})
  void whereItMakesNoSenseItIsRefusedByName(String read) throws SQLException {
    try (Connection connection = connect("plain", read);
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> Jdbc.rows(statement.executeQuery("select n from plain")))
          .hasMessageContaining("only ordered tables have reads of level " + read);
    }
    try (Connection connection = connect("ordered", read);
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeUpdate("insert into ordered values (1)"))
          .hasMessageContaining("read=" + read + ": a change has no level of reads");
    }
  }

  @Test
  void whatIsNoLevelIsNamed() throws SQLException {
    try (Connection connection = connect("ordered", "newest");
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery("select n from ordered"))
          .hasMessageContaining("read=newest: one of basic, snapshot and sequential");
    }
  }
}
