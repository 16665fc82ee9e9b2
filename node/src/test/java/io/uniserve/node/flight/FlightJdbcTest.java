package io.uniserve.node.flight;

import static io.uniserve.node.flight.Jdbc.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.node.access.Access;
import io.uniserve.node.access.Rights;
import io.uniserve.node.access.TokenFile;
import io.uniserve.node.access.Tokens;
import io.uniserve.node.rpc.RpcService;
import io.uniserve.node.rpc.RpcSettings;
import io.uniserve.runtime.wire.tls.Identity;
import io.uniserve.testkit.tls.Certificates;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Flight SQL JDBC driver, unchanged, against a whole cluster. */
@Timeout(180)
class FlightJdbcTest extends ServedTrade {
  @Test
  void tellsWhatThereIs() throws SQLException {
    try (Connection connection = connect()) {
      var about = connection.getMetaData();
      assertThat(about.getDatabaseProductName()).isEqualTo("Uniserve");
      assertThat(about.isReadOnly()).isFalse();
      assertThat(rows(about.getCatalogs())).isEmpty();
      assertThat(rows(about.getSchemas()))
          .extracting(List::getFirst)
          .containsExactly("secret", "trade");
      assertThat(rows(about.getTableTypes())).containsExactly(List.of("TABLE"));
      assertThat(rows(about.getTables(null, "tr%", null, new String[] {"TABLE"})))
          .extracting(row -> row.get(2))
          .containsExactlyInAnyOrder("orders", "digits");
      assertThat(rows(about.getTables(null, null, "order_", null))).hasSize(1);
      assertThat(rows(about.getTables(null, null, null, new String[] {"VIEW"}))).isEmpty();
      assertThat(rows(about.getColumns(null, "trade", "orders", null)))
          .extracting(row -> row.get(3) + " " + row.get(4))
          .contains(
              "o_orderkey " + Types.BIGINT,
              "o_totalprice " + Types.DECIMAL,
              "o_orderdate " + Types.DATE,
              "o_at " + Types.TIMESTAMP);
      assertThat(rows(about.getPrimaryKeys(null, "trade", "orders")))
          .extracting(row -> row.get(3))
          .containsExactly("o_orderkey");
      assertThat(rows(about.getPrimaryKeys(null, "trade", "digits"))).isEmpty();
      assertThat(rows(about.getImportedKeys(null, "trade", "orders"))).isEmpty();
      assertThat(rows(about.getExportedKeys(null, "trade", "orders"))).isEmpty();
    }
  }

  @Test
  void givesEveryTypeAndNulls() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "select * from orders where o_orderkey in (7, 10) order by o_orderkey")) {
      assertThat(result.next()).isTrue();
      assertThat(result.getLong("o_orderkey")).isEqualTo(7);
      assertThat(result.getInt("o_priority")).isEqualTo(-7);
      assertThat(result.getBigDecimal("o_totalprice")).isEqualTo(new BigDecimal("7.25"));
      assertThat(result.getDate("o_orderdate").toLocalDate()).isEqualTo("1998-12-08");
      assertThat(result.getTimestamp("o_at").toString()).startsWith("2024-02-29 12:34:56.000007");
      assertThat(result.getBoolean("o_urgent")).isFalse();
      assertThat(result.getDouble("o_weight")).isEqualTo(0.875);
      assertThat(result.getString("o_comment")).isEqualTo("order 00000007, said 'möglich'");
      assertThat(result.next()).isTrue();
      for (int column = 2; column <= 7; column++) {
        assertThat(result.getObject(column)).isNull();
      }
      assertThat(result.next()).isFalse();
    }
  }

  @Test
  void answersQueriesOfEveryShape() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      assertThat(rows(statement.executeQuery("select o_orderkey from orders where o_orderkey < 0")))
          .isEmpty();
      assertThat(
              rows(
                  statement.executeQuery(
                      "select count(*) as n, sum(o_totalprice) as s from orders")))
          .containsExactly(List.of(2_000L, new BigDecimal("1800450.00")));
      assertThat(
              rows(
                  statement.executeQuery(
                      "select a.o_orderkey x, b.n x from \"trade\".\"orders\" a join trade.digits b"
                          + " on a.o_priority = -b.n where b.n between 3 and 4 order by 1")))
          .containsExactly(List.of(3L, 3L), List.of(4L, 4L));
      assertThat(
              rows(
                  statement.executeQuery(
                      "select trade.orders.o_orderkey from trade.orders limit 3")))
          .hasSize(3);
      assertThat(rows(statement.executeQuery("explain select count(*) from orders")))
          .extracting(row -> String.valueOf(row.getFirst()))
          .anyMatch(line -> line.startsWith("#1 on each actor"));
    }
  }

  @Test
  void bindsParametersOfEveryType() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement =
            connection.prepareStatement(
                "select o_orderkey from orders where o_orderkey = ? and o_priority = ? and"
                    + " o_totalprice >= ? and o_orderdate = ? and o_at > ? and o_urgent = ?"
                    + " and o_weight = ? and o_comment = ? limit ?")) {
      assertThat(statement.getParameterMetaData().getParameterCount()).isEqualTo(9);
      for (long key : new long[] {7, 1_999}) {
        statement.setLong(1, key);
        statement.setInt(2, (int) -key);
        statement.setBigDecimal(3, new BigDecimal(key + ".25"));
        statement.setDate(4, Date.valueOf("1998-12-%02d".formatted(1 + key % 28)));
        statement.setTimestamp(5, Timestamp.valueOf("2024-02-29 12:34:55.999"));
        statement.setBoolean(6, false);
        statement.setDouble(7, key / 8.0);
        statement.setString(8, "order %08d, said 'möglich'".formatted(key));
        statement.setInt(9, 10);
        try (ResultSet result = statement.executeQuery()) {
          assertThat(rows(result)).containsExactly(List.of(key));
        }
      }
      statement.setNull(1, Types.BIGINT);
      try (ResultSet result = statement.executeQuery()) {
        assertThat(rows(result)).isEmpty();
      }
    }
  }

  @Test
  void saysWhatIsWrongAndWhere() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      refused(
          statement,
          "\n  select o_orderkey,\n  nosuch from orders",
          "line 3, column 3: ",
          "nosuch");
      refused(statement, "explain select nosuch from orders", "line 1, column 16: ", "nosuch");
      refused(statement, "select frm orders wher", "line 1, column 19");
      refused(statement, "select * from nosuch", "line 1, column 15", "nosuch");
      refused(
          statement, "select * from trade.orders, secret.secret", "a query reads one warehouse");
      refused(statement, "explain delete from orders", "EXPLAIN of what is no query");
      refused(
          statement,
          "update orders set o_orderkey = 1",
          "UPDATE of column 'o_orderkey', which tells the actor");
      refused(statement, "delete from nosuch", "Object 'nosuch' not found");
      refused(statement, "delete from nosuch.orders", "Object 'nosuch.orders' not found");
      refused(statement, "select '" + "x".repeat(200_000) + "'", "at most 200000");
      refused(statement, "select ? from orders", "parameter 1", "write CAST(? AS ...)");
    }
    try (Connection connection = Jdbc.connect(service, "useEncryption=false");
        Statement statement = connection.createStatement()) {
      refused(statement, "select * from orders", "which warehouse?", "[secret, trade]");
      assertThat(rows(statement.executeQuery("select id from secret.secret"))).hasSize(1);
    }
  }

  private static void refused(Statement statement, String sql, String... words) {
    assertThatThrownBy(() -> statement.executeQuery(sql))
        .isInstanceOf(SQLException.class)
        .message()
        .contains(words);
  }

  /**
   * Tests that no more rows are fetched than the client is about to read, even if there are many.
   */
  @Test
  void streamsAMillionRows() throws Exception {
    int before = trade.plans();
    int million = Trade.ORDERS * Trade.DIGITS;
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(Trade.LARGE)) {
      long sum = 0;
      int rows = 0;
      while (result.next()) {
        rows++;
        sum += result.getLong(1) * Trade.DIGITS + result.getLong(2);
        if (rows % 50_000 == 1) {
          assertThat(result.getString(3)).hasSize(20 * "order 00000007, said 'möglich'".length());
          int shares = (int) ((long) rows * Trade.ACTORS / million);
          assertThat(trade.plans() - before).isLessThanOrEqualTo(shares + 3);
        }
      }
      assertThat(rows).isEqualTo(million);
      assertThat(sum).isEqualTo((long) million * (million - 1) / 2);
    }
    assertThat(trade.plans() - before).isGreaterThan(Trade.ACTORS / 2);
  }

  @Test
  void aStatementThatIsCancelledStops() throws Exception {
    int before = trade.plans();
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      ResultSet result = statement.executeQuery(Trade.LARGE);
      assertThat(result.next()).isTrue();
      statement.cancel();
      Trade.awaitIdle();
      assertThat(trade.plans() - before).isLessThan(Trade.ACTORS);
    }
  }

  @Test
  void refusesMoreStatementsThanItHasRoomFor() throws Exception {
    List<AutoCloseable> open = new ArrayList<>();
    try {
      for (int i = 0; i < 16; i++) {
        Connection connection = connect();
        open.addFirst(connection);
        ResultSet result =
            connection.createStatement().executeQuery(Trade.LARGE + " where o_orderkey < 200");
        open.addFirst(result);
        assertThat(result.next()).isTrue();
      }
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        assertThatThrownBy(() -> rows(statement.executeQuery("select n from digits")))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("more than 16 statements at a time");
      }
    } finally {
      for (AutoCloseable each : open) {
        each.close();
      }
    }
    Trade.awaitIdle();
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      assertThat(rows(statement.executeQuery("select n from digits"))).hasSize(Trade.DIGITS);
    }
  }

  @Test
  void asksForTokensOverTlsAndHoldsCallersToTheirRights() throws Exception {
    TokenFile tokens = new TokenFile(directory.resolve("tokens"));
    String reader =
        tokens.create("reader", new Rights(false, new TreeSet<>(Set.of("trade")), new TreeSet<>()));
    Certificates<Identity> certificates =
        new Certificates<>(directory.resolve("tls"), Identity::new);
    try (RpcService secured =
        trade.serve(
            new RpcSettings(
                "127.0.0.1",
                0,
                Access.byToken(new Tokens(tokens)),
                Optional.of(certificates.issue("gateway"))))) {
      String tls =
          "useEncryption=true&useSystemTrustStore=false&tlsRootCerts="
              + directory.resolve("tls/ca.pem");
      for (String identity : List.of("&token=" + reader, "&user=me&password=" + reader)) {
        try (Connection connection = Jdbc.connect(secured, tls + identity);
            Statement statement = connection.createStatement()) {
          assertThat(rows(connection.getMetaData().getSchemas()))
              .extracting(List::getFirst)
              .containsExactly("trade");
          assertThat(rows(statement.executeQuery("select count(*) from orders")))
              .containsExactly(List.of(2_000L));
          refused(
              statement,
              "select * from secret.secret",
              "token 'reader' may neither read nor write table 'secret'");
          refused(statement, "delete from trade.orders", "token 'reader' may not write");
          assertThat(rows(statement.executeQuery("select count(*) from orders")))
              .containsExactly(List.of(2_000L));
        }
      }
      assertThatThrownBy(
              () -> Jdbc.connect(secured, tls + "&token=uniserve_wrong").getMetaData().getSchemas())
          .isInstanceOf(SQLException.class)
          .rootCause()
          .hasMessageContaining("no such token");
      assertThatThrownBy(() -> Jdbc.connect(secured, tls).getMetaData().getSchemas())
          .hasStackTraceContaining("a token is needed");
      tokens.revoke("reader");
      assertThatThrownBy(
              () -> Jdbc.connect(secured, tls + "&token=" + reader).getMetaData().getSchemas())
          .isInstanceOf(SQLException.class);
    }
  }
}
