package io.uniserve.backends.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.LastStage;
import io.uniserve.sql.planner.DistributedQuery.Column;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
        "length(replace(repeat('a', 1000), 'a', repeat('b', 1000)))",
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
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageMatching(
            ".*(value of more than 131072 bytes|list of more than 131072 elements).*")
        .hasMessageNotContaining("convert");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "repeat('ab', 3)|ababab",
        "string_agg(distinct lpad(i::varchar, 2, '0'), ',' order by lpad(i::varchar, 2, '0'))"
            + " from range(2) t(i)|00,01",
        "string_agg(distinct i::varchar, ',' order by repeat('a', 1)) from range(1) t(i)|0",
        "repeat('x', -1)|''",
        "lpad('7', 3, '0')|007",
        "rpad('7', 3, '0')|700",
        "replace('abcb', 'b', 'xx')|axxcxx",
        "replace('a', '', 'x')|a",
        "range(3)::varchar|[0, 1, 2]",
        "range(1, 3)::varchar|[1, 2]",
        "range(5, 1, -2)::varchar|[5, 3]",
        "generate_series(1, 3)::varchar|[1, 2, 3]",
        "len(range(date '2020-01-01', date '2020-01-03', interval '1 day'))::varchar|2",
        "list_resize([1], 3)::varchar|[1, NULL, NULL]",
        "list_resize([1], 3, 7)::varchar|[1, 7, 7]",
        "repeat([1], 2)::varchar|[1, 1]",
        "repeat(null, 2) is null|true",
        "length(repeat('x', 131072))|131072",
        "length(repeat(repeat('x', 100000), 3))|300000",
        "length(replace(repeat('x', 100000), 'x', 'yyy'))|300000"
      })
  void othersAreWhatTheyWere(String expression, String expected) {
    assertThat(String.valueOf(value(expression))).isEqualTo(expected);
  }

  @Test
  void whatAggregatesMakeKeepsToTheMemoryOfItsDatabase() {
    assertThatThrownBy(
            () -> value("length(string_agg(repeat('x', 10000), '')) from range(10000000)"))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EXHAUSTED));
  }
}
