package io.uniserve.node.flight;

import static io.uniserve.node.flight.Jdbc.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.sharedscan.SharedScanEngine;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.gateways.flightsql.FlightSqlGateway;
import io.uniserve.node.access.Access;
import io.uniserve.node.access.GuardedClient;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.rpc.RpcService;
import io.uniserve.node.rpc.RpcSettings;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shared scans through the Flight SQL JDBC driver, unchanged, beside a warehouse. */
@Timeout(180)
class FlightSharedScanTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir static Path directory;
  private static EmbeddedCluster cluster;
  private static RpcService service;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.start(directory, 1, new WarehouseEngine(), new SharedScanEngine());
    create("tickets", SharedScanEngine.NAME, Consistency.ORDERED, columns(), "rloc");
    create(
        "other", WarehouseEngine.NAME, Consistency.EVENTUAL, Map.of("id", "bigint not null"), "id");
    service =
        new RpcService(
            new GuardedClient(cluster.client()),
            List.of(new FlightSqlGateway()),
            new RpcSettings("127.0.0.1", 0, Access.onThisMachine(), Optional.empty()));
  }

  private static Map<String, Object> columns() {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("rloc", "varchar(6) not null");
    columns.put("bags", "tinyint");
    columns.put("fare", "decimal(10,2)");
    columns.put("day", "date");
    columns.put("hour", "time");
    columns.put("booked", "timestamp");
    columns.put("class", "enum('F','Y')");
    columns.put("wheelchair", "boolean");
    return columns;
  }

  private static void create(
      String name, String engine, Consistency level, Map<String, Object> columns, String by) {
    cluster
        .client()
        .createTable(
            new TableDefinition(
                name,
                engine,
                new Partitioner.Hash(2),
                1,
                Durability.NONE,
                level,
                Map.of("columns", columns, "partitionBy", by)),
            TIMEOUT);
  }

  @AfterAll
  static void stop() {
    service.close();
    cluster.close();
  }

  private static Connection connect() throws SQLException {
    return Jdbc.connect(service, "useEncryption=false");
  }

  @Test
  void changesAndReadsValuesOfAllTypes() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      assertThat(
              statement.executeUpdate(
                  "insert into tickets values ('AB', 2, 912.50, '2026-12-01', '09:30:00',"
                      + " '2026-11-28 12:30:00.5', 'F', true), ('CD', null, null, null, null, null,"
                      + " null, null)"))
          .isEqualTo(2);
      ResultSet answer =
          statement.executeQuery(
              "select rloc, bags, fare, day, class, wheelchair, hour, booked from tickets"
                  + " order by rloc");
      assertThat(answer.getMetaData().getColumnType(3)).isEqualTo(Types.DECIMAL);
      assertThat(answer.getMetaData().getColumnType(4)).isEqualTo(Types.DATE);
      List<List<Object>> rows = rows(answer);
      assertThat(rows.getFirst().subList(0, 6))
          .isEqualTo(
              List.of(
                  "AB", (byte) 2, new BigDecimal("912.50"), Date.valueOf("2026-12-01"), "F", true));
      assertThat(rows.getFirst().get(6).toString()).isEqualTo("09:30:00");
      assertThat(rows.getFirst().get(7).toString()).isEqualTo("2026-11-28 12:30:00.5");
      assertThat(rows.getLast())
          .isEqualTo(Arrays.asList("CD", null, null, null, null, null, null, null));
      assertThat(statement.executeUpdate("update tickets set bags = 1 where wheelchair"))
          .isEqualTo(1);
      assertThat(
              rows(
                  statement.executeQuery("select count(*), sum(bags), avg(fare) from \"tickets\"")))
          .containsExactly(List.of(2L, new BigDecimal("1"), 912.5));
      assertThat(rows(statement.executeQuery("explain select * from tickets where rloc = 'AB'")))
          .first()
          .asString()
          .contains("a place in the next cycle of 1 of 2 actors");
      assertThat(statement.executeUpdate("delete from tickets")).isEqualTo(2);
      assertThat(rows(statement.executeQuery("select * from tickets"))).isEmpty();
    }
  }

  @Test
  void isListedWithItsColumns() throws SQLException {
    try (Connection connection = connect()) {
      assertThat(rows(connection.getMetaData().getTables(null, null, "tickets", null)))
          .extracting(row -> row.get(2))
          .containsExactly("tickets");
      assertThat(rows(connection.getMetaData().getColumns(null, null, "tickets", null)))
          .extracting(row -> row.get(3))
          .containsExactlyElementsOf(columns().keySet());
    }
  }

  @Test
  void refusesByNameWhatASharedScanCannotDo() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery("select * from tickets join tickets on true"))
          .hasMessageContaining("shared scan has no join");
      assertThatThrownBy(
              () -> statement.executeQuery("select * from tickets where bags = 1 or wheelchair"))
          .hasMessageContaining("shared scan has no OR");
      assertThatThrownBy(() -> statement.executeQuery("select * from tickets t"))
          .hasMessageContaining("shared scan has no other name of a table");
      assertThatThrownBy(() -> statement.executeQuery("select nothing from tickets"))
          .hasMessageContaining("nothing");
      assertThatThrownBy(() -> statement.executeUpdate("update tickets set rloc = 'X'"))
          .hasMessageContaining("rloc");
      assertThatThrownBy(
              () -> {
                try (PreparedStatement prepared =
                    connection.prepareStatement("select * from tickets where rloc = ?")) {
                  prepared.setString(1, "AB");
                  prepared.executeQuery();
                }
              })
          .hasMessageContaining("?");
      assertThat(rows(statement.executeQuery("select count(*) from other.other")))
          .containsExactly(List.of(0L));
      assertThat(
              rows(
                  statement.executeQuery(
                      "select count(*), 'from tickets' /* from tickets */ from other.other")))
          .containsExactly(List.of(0L, "from tickets"));
    }
  }
}
