package io.uniserve.backends.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;

class JsonValuesTest {
  @Test
  void daysFarAwayAreWrittenAsDuckDbReadsThem() throws SQLException {
    assertThat(JsonValues.of(LocalDate.of(2024, 2, 29))).isEqualTo("2024-02-29");
    assertThat(JsonValues.of(LocalDate.of(5_881_580, 7, 10))).isEqualTo("5881580-07-10");
    assertThat(JsonValues.of(LocalDate.of(1, 1, 1))).isEqualTo("0001-01-01");
    assertThat(JsonValues.of(LocalDate.of(-43, 3, 15))).isEqualTo("0044-03-15 (BC)");
    assertThat(JsonValues.of(LocalDateTime.of(-43, 3, 15, 10, 0)))
        .isEqualTo("0044-03-15 (BC) 10:00");
    assertThat(JsonValues.of(LocalDateTime.of(12_000, 3, 15, 10, 0, 1)))
        .isEqualTo("12000-03-15 10:00:01");
  }
}
