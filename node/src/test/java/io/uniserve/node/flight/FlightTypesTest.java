package io.uniserve.node.flight;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.rpc.RpcService;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.duckdb.DuckDBResultSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The types of answers are those of one DuckDB with all the data, whatever the actors are. */
@Timeout(180)
class FlightTypesTest {
  /** The warehouses: one of twelve actors, and one of a single actor. */
  private static final List<String> WAREHOUSES = List.of("trade", "secret");

  private static final String COLUMNS =
      " (id bigint primary key, i int, b bigint, d decimal(10,2), e decimal(38,10), w double,"
          + " s varchar, day date, ts timestamp, f boolean, g varchar)";

  /** Aggregates that every actor begins. */
  private static final List<String> IN_TWO_STEPS =
      List.of(
          "count(*)",
          "count(i)",
          "count(*) filter (where i > 1)",
          "count(*) + 1",
          "count(*) * 1.5",
          "sum(i)",
          "sum(b)",
          "sum(d)",
          "sum(e)",
          "sum(w)",
          "sum(i) + 1",
          "sum(i) / count(*)",
          "sum(d) * 2",
          "sum(case when i > 1 then 1 else 0 end)",
          "coalesce(sum(i), 0)",
          "coalesce(sum(d), 0)",
          "avg(i)",
          "avg(d)",
          "min(i)",
          "max(b)",
          "max(e)",
          "max(s)",
          "max(day)",
          "min(ts)",
          "max(f)");

  private static final List<String> DISTINCT = List.of("count(distinct i)", "sum(distinct i)");

  /** Aggregates of all rows at once. */
  private static final List<String> ONCE_EACH =
      List.of("stddev(w)", "var_pop(i)", "approx_count_distinct(s)", "count(*)", "sum(i)");

  private static final List<String> EXPRESSIONS =
      List.of(
          "i + 1",
          "i + b",
          "i / 2",
          "d * d",
          "d + i",
          "w + d",
          "s || 'x'",
          "char_length(s)",
          "extract(year from day)",
          "cast(day as timestamp)",
          "cast(s as timestamp)",
          "cast(i as smallint)",
          "cast(d as integer)",
          "cast(ts as date)",
          "case when f then 1.5 else w end",
          "coalesce(i, 0)",
          "abs(d)",
          "round(d, 1)",
          "power(i, 2)");

  private static final List<String> WINDOWS =
      List.of(
          "row_number() over (order by id)",
          "count(*) over ()",
          "sum(i) over (partition by g)",
          "lag(d) over (order by id)");

  private static final List<String> QUERIES =
      List.of(
          "select g, count(*) as x from t group by rollup (g)",
          "select max(n) as x from (select count(*) as n from t group by i) as u",
          "select count(*) as x from t union all select 1",
          "select (select count(*) from t) as x",
          "select count(*) as x from t a join t b on a.i = b.i");

  @TempDir private Path directory;

  @Test
  void areThoseOfOneDatabase() throws Exception {
    try (Trade trade = new Trade(directory);
        RpcService service = trade.serve();
        Connection connection = Jdbc.connect(service, "useEncryption=false");
        Statement statement = connection.createStatement();
        Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement one = duck.createStatement()) {
      one.execute("create table t" + COLUMNS);
      for (String warehouse : WAREHOUSES) {
        statement.executeUpdate("create table " + warehouse + ".t" + COLUMNS);
        statement.executeUpdate("insert into " + warehouse + ".t (id, i) values (1, 1), (2, null)");
      }
      List<String> wrong = new ArrayList<>();
      for (String query : queries()) {
        List<String> right = of(one, query);
        for (String warehouse : WAREHOUSES) {
          String here = query.replaceAll("(from|join) t\\b", "$1 " + warehouse + ".t");
          try (ResultSet rows = statement.executeQuery(here);
              PreparedStatement prepared = connection.prepareStatement(here)) {
            List<String> given = of(rows.getMetaData());
            List<String> foretold = of(prepared.getMetaData());
            if (!given.equals(right) || !foretold.equals(right)) {
              wrong.add(here + ": " + given + ", " + foretold + " for " + right);
            }
          } catch (SQLException e) {
            wrong.add(here + ": " + e.getMessage());
          }
        }
      }
      assertThat(wrong).isEmpty();
    }
  }

  private static List<String> queries() {
    return Stream.of(
            Stream.of(ONCE_EACH, IN_TWO_STEPS, DISTINCT)
                .flatMap(
                    each ->
                        Stream.of(
                            "select " + columns(each) + " from t",
                            "select g, " + columns(each) + " from t group by g")),
            Stream.of(EXPRESSIONS, WINDOWS).map(each -> "select " + columns(each) + " from t"),
            QUERIES.stream())
        .flatMap(each -> each)
        .toList();
  }

  private static String columns(List<String> expressions) {
    return IntStream.range(0, expressions.size())
        .mapToObj(i -> expressions.get(i) + " as x" + i)
        .collect(Collectors.joining(", "));
  }

  private static List<String> of(ResultSetMetaData columns) throws SQLException {
    List<String> types = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      String name = columns.getColumnTypeName(i);
      types.add(
          name.equals("DECIMAL")
              ? "DECIMAL(%d,%d)".formatted(columns.getPrecision(i), columns.getScale(i))
              : name);
    }
    return types;
  }

  /** Returns DuckDB's type of an answer in Arrow, since Arrow lacks some of its types. */
  private static List<String> of(Statement statement, String query) throws Exception {
    try (BufferAllocator memory = new RootAllocator();
        ResultSet result = statement.executeQuery(query);
        ArrowReader reader =
            (ArrowReader) result.unwrap(DuckDBResultSet.class).arrowExportStream(memory, 1_024)) {
      return reader.getVectorSchemaRoot().getSchema().getFields().stream()
          .map(field -> name(field.getType()))
          .toList();
    }
  }

  private static String name(ArrowType type) {
    return switch (type) {
      case ArrowType.Bool flag -> "BOOLEAN";
      case ArrowType.Int number when number.getBitWidth() == Short.SIZE -> "SMALLINT";
      case ArrowType.Int number when number.getBitWidth() == Integer.SIZE -> "INTEGER";
      case ArrowType.Int number -> "BIGINT";
      case ArrowType.Decimal number ->
          "DECIMAL(%d,%d)".formatted(number.getPrecision(), number.getScale());
      case ArrowType.FloatingPoint number -> "DOUBLE";
      case ArrowType.Utf8 text -> "VARCHAR";
      case ArrowType.Date day -> "DATE";
      case ArrowType.Timestamp time when time.getUnit() == TimeUnit.MICROSECOND -> "TIMESTAMP";
      default -> type.toString();
    };
  }
}
