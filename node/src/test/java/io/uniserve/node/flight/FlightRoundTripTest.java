package io.uniserve.node.flight;

import static io.uniserve.node.flight.Jdbc.rows;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows that the Flight SQL JDBC driver stores are the rows that it reads again. */
@Timeout(180)
class FlightRoundTripTest extends ServedTrade {
  @Test
  void valuesOfEveryTypeToTheirLastDigit() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "create table every (id bigint primary key, i int, b bigint, d decimal(38,10),"
              + " small decimal(10,2), w double, s varchar, day date, ts timestamp, f boolean)");
      try (PreparedStatement insert =
          connection.prepareStatement("insert into every values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
        add(
            insert,
            List.of(
                1L,
                Integer.MIN_VALUE,
                Long.MIN_VALUE,
                new BigDecimal("-9999999999999999999999999999.9999999999"),
                new BigDecimal("-99999999.99"),
                -Double.MIN_VALUE,
                "möglich 日本 \uD83D\uDE00 'so' \"und\"\nso",
                Date.valueOf("0001-01-01"),
                Timestamp.valueOf("1960-01-02 03:04:05.123"),
                true));
        add(
            insert,
            List.of(
                2L,
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                new BigDecimal("9999999999999999999999999999.9999999999"),
                new BigDecimal("0.01"),
                Double.MAX_VALUE,
                "",
                Date.valueOf("1969-12-31"),
                Timestamp.valueOf("9999-12-31 23:59:59.999"),
                false));
        insert.setLong(1, 3);
        int[] types = {
          Types.INTEGER,
          Types.BIGINT,
          Types.DECIMAL,
          Types.DECIMAL,
          Types.DOUBLE,
          Types.VARCHAR,
          Types.DATE,
          Types.TIMESTAMP,
          Types.BOOLEAN
        };
        for (int i = 0; i < types.length; i++) {
          insert.setNull(i + 2, types[i]);
        }
        insert.addBatch();
        insert.executeBatch();
      }
      // The driver cannot send these in a parameter: a time has milliseconds there.
      statement.executeUpdate(
          "insert into every (id, ts) values (4, timestamp '1890-02-28 23:59:59.000001')");
      try (ResultSet result = statement.executeQuery("select * from every order by id")) {
        assertThat(result.next()).isTrue();
        assertThat(result.getInt("i")).isEqualTo(Integer.MIN_VALUE);
        assertThat(result.getLong("b")).isEqualTo(Long.MIN_VALUE);
        assertThat(result.getBigDecimal("d"))
            .isEqualTo(new BigDecimal("-9999999999999999999999999999.9999999999"));
        assertThat(result.getBigDecimal("small")).isEqualTo(new BigDecimal("-99999999.99"));
        assertThat(result.getDouble("w")).isEqualTo(-Double.MIN_VALUE);
        assertThat(result.getString("s")).isEqualTo("möglich 日本 \uD83D\uDE00 'so' \"und\"\nso");
        assertThat(result.getString("day")).isEqualTo("0001-01-01");
        assertThat(result.getTimestamp("ts"))
            .isEqualTo(Timestamp.valueOf("1960-01-02 03:04:05.123"));
        assertThat(result.getBoolean("f")).isTrue();
        assertThat(result.next()).isTrue();
        assertThat(result.getInt("i")).isEqualTo(Integer.MAX_VALUE);
        assertThat(result.getLong("b")).isEqualTo(Long.MAX_VALUE);
        assertThat(result.getBigDecimal("d"))
            .isEqualTo(new BigDecimal("9999999999999999999999999999.9999999999"));
        assertThat(result.getBigDecimal("small")).isEqualTo(new BigDecimal("0.01"));
        assertThat(result.getDouble("w")).isEqualTo(Double.MAX_VALUE);
        assertThat(result.getString("s")).isEmpty();
        assertThat(result.getDate("day").toLocalDate()).isEqualTo("1969-12-31");
        assertThat(result.getTimestamp("ts"))
            .isEqualTo(Timestamp.valueOf("9999-12-31 23:59:59.999"));
        assertThat(result.getBoolean("f")).isFalse();
        assertThat(result.wasNull()).isFalse();
        assertThat(result.next()).isTrue();
        for (int i = 2; i <= 10; i++) {
          assertThat(result.getObject(i)).isNull();
          assertThat(result.wasNull()).isTrue();
        }
        assertThat(result.next()).isTrue();
        assertThat(result.getTimestamp("ts"))
            .isEqualTo(Timestamp.valueOf("1890-02-28 23:59:59.000001"));
        assertThat(result.next()).isFalse();
      }
      statement.executeUpdate("drop table every");
    }
  }

  private static void add(PreparedStatement insert, List<Object> values) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      switch (values.get(i)) {
        case Integer number -> insert.setInt(i + 1, number);
        case Long number -> insert.setLong(i + 1, number);
        case BigDecimal number -> insert.setBigDecimal(i + 1, number);
        case Double number -> insert.setDouble(i + 1, number);
        case String text -> insert.setString(i + 1, text);
        case Date day -> insert.setDate(i + 1, day);
        case Timestamp time -> insert.setTimestamp(i + 1, time);
        case Boolean flag -> insert.setBoolean(i + 1, flag);
        default -> throw new AssertionError(values.get(i).getClass());
      }
    }
    insert.addBatch();
  }

  @Test
  void columnsAreNamedAsTheQueryNamesThem() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "select n as \"a.b\", n as \"größe\", n as \"Upper Case\", n as \"say \"\"so\"\"\","
                    + " n as n, n as n from digits where n = 7")) {
      List<String> names =
          IntStream.rangeClosed(1, result.getMetaData().getColumnCount())
              .mapToObj(
                  i -> {
                    try {
                      return result.getMetaData().getColumnLabel(i);
                    } catch (SQLException e) {
                      throw new AssertionError(e);
                    }
                  })
              .toList();
      assertThat(names).containsExactly("a.b", "größe", "Upper Case", "say \"so\"", "n", "n");
      assertThat(result.next()).isTrue();
      assertThat(result.getLong("größe")).isEqualTo(7);
      assertThat(result.getLong("a.b")).isEqualTo(7);
      assertThat(result.getLong(6)).isEqualTo(7);
    }
  }

  @Test
  void manyColumnsNoRowsAndOnlyNulls() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      String many =
          IntStream.range(0, 900)
              .mapToObj(i -> "n + " + i + " as c" + i)
              .collect(Collectors.joining(", "));
      assertThat(rows(statement.executeQuery("select " + many + " from digits where n = 1")))
          .singleElement()
          .satisfies(row -> assertThat(row).hasSize(900).endsWith(900L));
      try (ResultSet none = statement.executeQuery("select * from orders where o_orderkey < 0")) {
        assertThat(none.next()).isFalse();
      }
      assertThat(
              rows(
                  statement.executeQuery(
                      "select cast(time '10:00:00.123456' as varchar) as t,"
                          + " cast(cast('2024-02-29 01:02:03.000004' as timestamp) as varchar) as s"
                          + " from digits where n = 1")))
          .asString()
          .isEqualTo("[[10:00:00.123456, 2024-02-29 01:02:03.000004]]");
      assertThat(
              rows(
                  statement.executeQuery(
                      "select coalesce(sum(n * 100000000), 0) as s from digits")))
          .asString()
          .isEqualTo("[[12475000000000]]");
      assertThat(
              rows(
                  statement.executeQuery(
                      "select cast(null as varchar) as s, cast(null as decimal(5,2)) as d,"
                          + " cast(null as date) as t from digits where n < 2")))
          .asString()
          .isEqualTo("[[null, null, null], [null, null, null]]");
    }
  }

  /** Each statement has a result of its own, whatever others do meanwhile. */
  @Test
  void severalResultsAtOnce() throws SQLException {
    try (Connection connection = connect();
        Statement one = connection.createStatement();
        Statement other = connection.createStatement();
        ResultSet first = one.executeQuery("select n from digits order by n");
        ResultSet second = other.executeQuery("select n from digits order by n desc")) {
      for (long i = 0; i < Trade.DIGITS; i++) {
        assertThat(first.next() && second.next()).isTrue();
        assertThat(first.getLong(1)).isEqualTo(i);
        assertThat(second.getLong(1)).isEqualTo(Trade.DIGITS - 1 - i);
      }
      assertThat(first.next() || second.next()).isFalse();
    }
  }
}
