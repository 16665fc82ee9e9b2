package io.uniserve.backends.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.LastStage;
import io.uniserve.sql.planner.DistributedQuery.Column;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAnswersTest {
  private static final String ENDLESS = "select count(*) from range(1000000000000000)";

  private static LastStage stage(String sql) {
    return new LastStage(sql, List.of(), List.of(new Column("x", 0)), true);
  }

  private static Object value(String expression) {
    Map<String, Object> answer =
        ClientStage.answer(stage("select " + expression), Duration.ofMinutes(1));
    return ((List<?>) ((List<?>) answer.get("rows")).getFirst()).getFirst();
  }

  @Test
  void aStageEndsWithItsTime() {
    assertThatThrownBy(() -> ClientStage.answer(stage(ENDLESS), Duration.ofMillis(50)))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("longer than 50 ms")
        .matches(e -> ((UniserveException) e).code() == ErrorCode.DEADLINE_EXCEEDED);
  }

  @Test
  void aStageEndsWhenItsThreadIsInterrupted() throws InterruptedException {
    CountDownLatch began = new CountDownLatch(1);
    AtomicReference<UniserveException> failure = new AtomicReference<>();
    Thread asking =
        Thread.ofPlatform()
            .start(
                () -> {
                  began.countDown();
                  try {
                    ClientStage.answer(stage(ENDLESS), Duration.ofHours(1));
                  } catch (UniserveException e) {
                    failure.set(e);
                  }
                });
    began.await();
    asking.interrupt();
    asking.join();

    assertThat(failure.get().code()).isEqualTo(ErrorCode.CANCELLED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "select nosuch from range(3) | INVALID_ARGUMENT | SQL: line 1, column 8: Referenced column \"nosuch\" not found",
        "select 'é', nosuch(1) | INVALID_ARGUMENT | Scalar Function with name nosuch does not exist! Did you mean",
        "select cast('é' as integer) | INVALID_ARGUMENT | Could not convert string 'é' to INT32",
        "select (select range from range(2)) | INVALID_ARGUMENT | More than one row returned by a subquery",
        "select error('own words') | INVALID_ARGUMENT | own words",
        "select 9223372036854775807 + 1::bigint | INVALID_ARGUMENT | Overflow",
        "select * from read_text('/etc/passwd') | UNSUPPORTED | disabled",
      })
  void anErrorSaysWhoseItIsAndWhere(String sql, ErrorCode code, String message) {
    assertThatThrownBy(() -> ClientStage.answer(stage(sql), Duration.ofMinutes(1)))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining(message)
        .hasMessageNotContainingAny("exception_type", "pending query result", "SET ")
        .matches(e -> ((UniserveException) e).code() == code);
  }

  @Test
  void aPlaceIsThatOfTheCharacter() {
    assertThatThrownBy(
            () ->
                ClientStage.answer(
                    stage("select 'é★𝄞',\n  'é', nosuch from range(3)"), Duration.ofMinutes(1)))
        .hasMessageContaining("line 2, column 8: ");
  }

  @Test
  void valuesOfTypesThatTablesDoNotHaveAreJson() {
    assertThat(value("[1, null, 3]")).isEqualTo(Arrays.asList(1L, null, 3L));
    assertThat(value("{'a': 1, 'b': [{'c': date '2020-01-01'}]}"))
        .isEqualTo(Map.of("a", 1L, "b", List.of(Map.of("c", "2020-01-01"))));
    assertThat(value("row(1, 'x')")).isEqualTo(List.of(1L, "x"));
    assertThat(value("map([1, 2], ['x', 'y'])")).isEqualTo(Map.of("1", "x", "2", "y"));
    assertThat(value("170141183460469231731687303715884105727"))
        .isEqualTo("170141183460469231731687303715884105727");
    assertThat(value("18446744073709551615::ubigint")).isEqualTo("18446744073709551615");
    assertThat(value("interval '14 months 3 days 4.5 seconds'"))
        .isEqualTo("1 year 2 months 3 days 00:00:04.5");
    assertThat(value("time '10:00:00.5'")).isEqualTo("10:00:00.500000");
    assertThat(value("time '10:00:00'")).isEqualTo("10:00:00");
    assertThat(value("timestamptz '2020-01-01 10:00:00+02'"))
        .isEqualTo("2020-01-01 08:00:00+00:00");
    assertThat(value("'a\\x00b'::blob")).isEqualTo("610062");
    assertThat(value("uuid '00000000-0000-0000-0000-00000000000a'"))
        .isEqualTo("00000000-0000-0000-0000-00000000000a");
    assertThat(value("'101'::bit")).isEqualTo("101");
    assertThat(value("'b'::enum('a', 'b')")).isEqualTo("b");
    assertThat(value("'{\"a\": 1}'::json")).isEqualTo("{\"a\": 1}");
    assertThat(value("['nan'::double, '-inf'::double, 1.5::double]"))
        .isEqualTo(List.of("NaN", "-Infinity", 1.5));
    assertThat(value("date '-infinity'")).isEqualTo("-infinity");
    assertThat(value("date '5881580-07-10'")).isEqualTo("5881580-07-10");
    assertThat(value("timestamp 'infinity'")).isEqualTo("infinity");
    assertThat(value("timestamp '-infinity'")).isEqualTo("-infinity");
    assertThat(value("timestamptz 'infinity'")).isEqualTo("infinity");
    assertThat(value("timestamp '0044-03-15 (BC) 10:00:00'")).isEqualTo("0044-03-15 (BC) 10:00");
  }
}
