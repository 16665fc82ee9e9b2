package io.uniserve.backends.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.LastStage;
import io.uniserve.sql.planner.DistributedQuery.Column;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are too large, and the same functions of values that are not. */
@Timeout(60)
class ValueBoundsTest {
  private static Object value(String expression) {
    Object rows =
        ClientStage.answer(
                new LastStage(
                    "SELECT " + expression, List.of(), List.of(new Column("value", 0)), true),
                Duration.ofSeconds(50))
            .get("rows");
    return ((List<?>) ((List<?>) rows).getFirst()).getFirst();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "length(repeat('x', 1000000000))",
        "sum(length(repeat('x', i * 1000000000))) from range(1, 3) t(i)",
        "length(lpad('x', 1000000000, 'y'))",
        "length(rpad('x', 1000000000, 'y'))",
        "length(replace(repeat('a', 100000), 'a', repeat('b', 100000)))",
        "sum(length(repeat('x', 1000000 + i))) from range(3000) t(i)",
        "sum(length(lpad('x', 1000000 + i::integer, 'y'))) from range(3000) t(i)",
        "sum(length(replace(repeat('x', i), 'x', repeat('y', 10 * i)))) from range(3000) t(i)",
        "sum(len(range(1000000 + i))) from range(3000) t(i)",
        "sum(len(list_transform(range(3000), x -> repeat('y', 1000000 + x)))) from range(1)",
        "(with recursive r(s, n) as (select 'x', 1 union all select repeat(s, 2), n + 1 from r"
            + " where n < 40) select max(length(s)) from r)",
        "sum(length(repeat('x', 131072) || i)) from range(10000) t(i)",
        "sum(length(concat(repeat('x', 131072), i))) from range(10000) t(i)",
        "sum(length(concat_ws(repeat('x', 131072), i, i, i))) from range(10000) t(i)",
        "sum(length(concat_ws(',', repeat('x', 131072), i))) from range(10000) t(i)",
        "sum(length(format('{:>1000000}', i))) from range(10000) t(i)",
        "sum(length(printf('%1000000d', i))) from range(10000) t(i)",
        "(with recursive r(s, n) as (select 'x', 1 union all select s || s, n + 1 from r"
            + " where n < 40) select max(length(s)) from r)",
        "sum(length(s || s)) from (select s || s s from (select s || s s from (select s || s s"
            + " from (select s || s s from (select repeat('x', 10000) || i s from range(10000) t(i))"
            + ")))) u",
        "sum(len(string_split(repeat('x', 100000 + i), ''))) from range(10000) t(i)",
        "len(range(1000000000))",
        "len(range(1, 1000000000))",
        "len(generate_series(1000000000, 1, -1))",
        "len(range(timestamp '2020-01-01', timestamp '2023-01-03', interval '1 microsecond'))",
        "len(list_resize([1], 1000000000))",
        "len(list_resize([1], 1000000000, 7))"
      })
  void areRefused(String expression) {
    assertThatThrownBy(() -> value(expression))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE))
        .hasMessageContaining("values are too large: ")
        .hasMessageNotContaining("\tat ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "repeat('ab', 3)~ababab",
        "'a' || 1 || null is null~true",
        "(select split_part(o.x, t.y, 2) from (values ('y')) t(y) group by t.y)"
            + " from (values ('xyz')) o(x)~z",
        "repeat(null, i) || 'a' is null from range(1) t(i)~true",
        "lpad(null, i::integer, null) || repeat('a', null) is null from range(1) t(i)~true",
        "x || 'a' || x from (values ('x')) v(x)~xax",
        "(select nullif(o.x, y) || 'a' from (values ('y')) i(y) group by y limit 1)"
            + " from (values ('x')) o(x)~xa",
        "'a' || i || 'b' from range(1) t(i)~a0b",
        "concat('a', null, 1, i) from range(1) t(i)~a10",
        "concat_ws('-', 'a', null, 1, i) from range(1) t(i)~a-1-0",
        "format('{} {}', i, 'x') from range(1) t(i)~0 x",
        "printf('%03d', i) from range(1) t(i)~000",
        "string_split('a,b,' || i, ',')::varchar from range(1) t(i)~[a, b, 0]",
        "string_split(repeat('x,', 1000), ',')[1000]~x",
        "string_split(repeat('x', 1000), '')[1000]~x",
        "([1] || [2, i])::varchar from range(1) t(i)~[1, 2, 0]",
        "('a'::blob || 'b'::blob)::varchar~ab",
        "('1'::bit || '0'::bit)::varchar~10",
        "list_transform(['a'], x -> x || 'b' || x)::varchar~[aba]",
        "string_agg(i || 'x', ',' order by i || 'x') from range(2) t(i)~0x,1x",
        "max(n) from (select i % 2 || 'x' g, count(*) n from range(4) t(i) group by i % 2 || 'x')~2",
        "string_agg(distinct lpad(i::varchar, 2, '0'), ',' order by lpad(i::varchar, 2, '0'))"
            + " from range(2) t(i)~00,01",
        "string_agg(distinct i::varchar, ',' order by repeat('a', 1)) from range(1) t(i)~0",
        "repeat('x', -1)~''",
        "lpad('7', 3, '0')~007",
        "rpad('7', 3, '0')~700",
        "replace('abcb', 'b', 'xx')~axxcxx",
        "replace('a', '', 'x')~a",
        "range(3)::varchar~[0, 1, 2]",
        "range(1, 3)::varchar~[1, 2]",
        "range(5, 1, -2)::varchar~[5, 3]",
        "generate_series(1, 3)::varchar~[1, 2, 3]",
        "len(range(date '2020-01-01', date '2020-01-03', interval '1 day'))::varchar~2",
        "list_resize([1], 3)::varchar~[1, NULL, NULL]",
        "list_resize([1], 3, 7)::varchar~[1, 7, 7]",
        "repeat([1], 2)::varchar~[1, 1]",
        "repeat(null, 2) is null~true",
        "length(repeat('x', 10000000))~10000000",
        "length(repeat(repeat('x', 100000), 3))~300000",
        "length(replace(repeat('x', 100000), 'x', 'yyy'))~300000"
      })
  void othersAreWhatTheyWere(String expression, String expected) {
    assertThat(String.valueOf(value(expression))).isEqualTo(expected);
  }

  @Test
  void functionsOfMoreArgumentsThanTheyHaveHereAreRefused() {
    String many = "i" + ", i".repeat(JoinBounds.ARGUMENTS_MAX);
    assertThatThrownBy(() -> value("concat(" + many + ") from range(1) t(i)"))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
        .hasMessageContaining("concat")
        .hasMessageContaining("20 arguments");
  }

  /** All copies of an actor make the same changes, whatever memory their processes have. */
  @Test
  void valuesOfChangesHaveBoundsOfTheirOwn(@TempDir Path directory) throws Exception {
    try (Database database = Database.inFile(directory.resolve("changes"), 64);
        DuckDBConnection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t AS SELECT 'x' s FROM range(10)");
      for (String value : List.of("repeat(s, 131072)", "repeat(s, 4)", "rpad(s, 32768, 'y')")) {
        assertThat(changed(connection, value)).isEqualTo(10);
      }
      for (String value : List.of("repeat(left(s, 1), 131073)", "rpad(left(s, 1), 32769, 'y')")) {
        assertThatThrownBy(() -> changed(connection, value))
            .isInstanceOfSatisfying(
                SQLException.class,
                e -> {
                  UniserveException told = Database.failure("t", e);
                  assertThat(told.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
                  assertThat(told)
                      .hasMessage("t: a change makes no value of more than 131072 bytes of so few");
                });
      }
    }
  }

  private static int changed(DuckDBConnection connection, String value) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return ValueRoom.whileChanging(() -> statement.executeUpdate("UPDATE t SET s = " + value));
    }
  }

  @Test
  void functionsOfAnEarlierProgramAreReplaced(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("old");
    try (Database database = Database.inFile(file, 64);
        DuckDBConnection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE OR REPLACE MACRO repeat(a, b) AS CAST('refused' AS INTEGER)");
    }
    try (Database database = Database.inFile(file, 64);
        DuckDBConnection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT repeat('x', 3)")) {
      row.next();
      assertThat(row.getString(1)).isEqualTo("xxx");
    }
  }

  @Test
  void whatAggregatesMakeKeepsToTheMemoryOfItsDatabase() {
    assertThatThrownBy(
            () -> value("length(string_agg(repeat('x', 10000), '')) from range(10000000)"))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EXHAUSTED));
  }
}
