package io.uniserve.node.flight;

import static io.uniserve.node.flight.Jdbc.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The changes that the Flight SQL JDBC driver, unchanged, makes in a whole cluster. */
@Timeout(180)
class FlightChangesTest extends ServedTrade {
  @Test
  void changesRowsAndTellsHowMany() throws SQLException {
    try (Connection connection = Jdbc.connect(service, "useEncryption=false");
        Statement statement = connection.createStatement()) {
      assertThat(
              statement.executeUpdate(
                  "insert into secret.secret (id) select n + 1000 from (values (1), (2), (3)) as v (n)"))
          .isEqualTo(3);
      assertThat(rows(statement.executeQuery("select id from secret.secret order by id")))
          .containsExactly(List.of(7L), List.of(1_001L), List.of(1_002L), List.of(1_003L));
      assertThat(rows(statement.executeQuery("explain analyze select count(*) from secret.secret")))
          .extracting(row -> String.valueOf(row.getFirst()).strip())
          .anyMatch(line -> line.matches("gave .* rows, .*"))
          .anyMatch(line -> line.startsWith("took "));
      assertThat(statement.executeUpdate("delete from secret.secret where id > 1000")).isEqualTo(3);
      assertThat(rows(statement.executeQuery("select id from secret.secret")))
          .containsExactly(List.of(7L));
    }
  }

  @Test
  void carriesAChangeOutOnceForOneKey() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("create table counted (id bigint primary key, n bigint)");
      statement.executeUpdate("insert into counted values (1, 0), (2, 0)");
      try (Connection keyed =
              Jdbc.connect(service, "useEncryption=false&warehouse=trade&idempotency-key=K1");
          Statement again = keyed.createStatement()) {
        String add = "update counted set n = n + 1 where id = 1";
        assertThat(again.executeUpdate(add)).isEqualTo(1);
        assertThat(again.executeUpdate(add)).isEqualTo(1);
        assertThatThrownBy(() -> again.executeUpdate("update counted set n = n + 2 where id = 1"))
            .hasMessageContaining("another update was sent with it before");
      }
      try (Connection keyed =
          Jdbc.connect(service, "useEncryption=false&warehouse=trade&idempotency-key=K2")) {
        for (int time = 0; time < 2; time++) {
          try (PreparedStatement add =
              keyed.prepareStatement("update counted set n = n + ? where id = ?")) {
            for (long id = 1; id <= 2; id++) {
              add.setLong(1, 10 * id);
              add.setLong(2, id);
              add.addBatch();
            }
            add.executeBatch();
          }
        }
      }
      assertThat(rows(statement.executeQuery("select id, n from counted order by id")))
          .containsExactly(List.of(1L, 11L), List.of(2L, 20L));
      String tooLong = "useEncryption=false&warehouse=trade&idempotency-key=" + "k".repeat(101);
      try (Connection keyed = Jdbc.connect(service, tooLong);
          Statement refused = keyed.createStatement()) {
        assertThatThrownBy(() -> refused.executeUpdate("delete from counted"))
            .hasMessageContaining("idempotency-key: must have 1 to 100 characters");
      }
      statement.executeUpdate("drop table counted");
    }
  }

  @Test
  void bindsParametersOfChangesManyRowsAtATime() throws SQLException {
    int many = 1_500;
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      try (PreparedStatement insert =
          connection.prepareStatement(
              "insert into orders (o_orderkey, o_totalprice, o_orderdate, o_weight, o_comment)"
                  + " values (? + 500000, ?, ?, ?, ?)")) {
        assertThat(insert.getParameterMetaData().getParameterCount()).isEqualTo(5);
        for (int i = 0; i < many; i++) {
          insert.setLong(1, i);
          insert.setBigDecimal(2, new BigDecimal(i + ".25"));
          insert.setDate(3, Date.valueOf("1998-12-01"));
          insert.setDouble(4, i / 8.0);
          insert.setString(5, "x".repeat(i % 3) + ";'");
          insert.addBatch();
        }
        insert.executeBatch();
      }
      String found =
          "select count(*), sum(o_totalprice), min(o_weight), count(distinct o_comment),"
              + " min(char_length(o_comment)) from orders where o_orderkey >= 500000";
      assertThat(rows(statement.executeQuery(found)))
          .asString()
          .isEqualTo("[[1500, 1124625.00, 0.0, 3, 2]]");
      try (PreparedStatement update =
          connection.prepareStatement(
              "update orders set o_comment = ?, o_totalprice = ? where o_orderkey = 500000 + ?")) {
        for (int i = 0; i < 3; i++) {
          update.setString(1, "changed " + i);
          update.setNull(2, Types.DECIMAL);
          update.setLong(3, i);
          update.addBatch();
        }
        update.executeBatch();
      }
      assertThat(
              rows(
                  statement.executeQuery(
                      "select o_comment, o_totalprice from orders where o_orderkey between 500000"
                          + " and 500002 order by o_orderkey")))
          .asString()
          .isEqualTo("[[changed 0, null], [changed 1, null], [changed 2, null]]");
      try (PreparedStatement delete =
          connection.prepareStatement("delete from orders where o_orderkey >= ?")) {
        delete.setLong(1, 500_000);
        assertThat(delete.executeUpdate()).isEqualTo(many);
      }
      assertThatThrownBy(() -> connection.prepareStatement("delete from orders where nosuch = ?"))
          .hasStackTraceContaining("line 1, column 26: Column 'nosuch' not found");
    }
  }

  @Test
  void makesAndDropsTables() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      assertThat(
              statement.executeUpdate(
                  "create table stock (item varchar(20), day date, pieces int,"
                      + " primary key (item, day)) partition by (item)"))
          .isZero();
      assertThat(rows(connection.getMetaData().getPrimaryKeys(null, "trade", "stock")))
          .extracting(row -> row.get(3))
          .containsExactly("item", "day");
      try (PreparedStatement insert =
          connection.prepareStatement("insert into stock values (?, ?, ?)")) {
        for (int i = 0; i < 50; i++) {
          insert.setString(1, "item " + i % 10);
          insert.setDate(2, Date.valueOf("2024-01-%02d".formatted(1 + i / 10)));
          insert.setInt(3, i);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      assertThat(
              statement.executeUpdate(
                  "create table trade.totals as select item, sum(pieces) as pieces from"
                      + " trade.stock group by item"))
          .isEqualTo(10);
      assertThat(rows(statement.executeQuery("select sum(pieces), count(*) from totals")))
          .asString()
          .isEqualTo("[[1225, 10]]");
      try (PreparedStatement create =
          connection.prepareStatement("create table if not exists stock (a int)")) {
        assertThat(create.getParameterMetaData().getParameterCount()).isZero();
        assertThat(create.executeUpdate()).isZero();
      }
      assertThatThrownBy(() -> statement.executeUpdate("create table stock (a int)"))
          .hasMessageContaining("there is a table 'stock' already");
      assertThatThrownBy(() -> statement.executeUpdate("create table t (a int,\n b nosuch)"))
          .hasMessageContaining("line 2, column 4: 'nosuch' is no type of a column");
      assertThat(statement.executeUpdate("drop table totals")).isZero();
      assertThat(statement.executeUpdate("drop table stock")).isZero();
      assertThat(rows(connection.getMetaData().getTables(null, "trade", "%", null)))
          .extracting(row -> row.get(2))
          .containsExactlyInAnyOrder("orders", "digits");
    }
  }
}
