package io.uniserve.backends.duckdb;

import io.uniserve.sql.backend.Value;
import io.uniserve.sql.syntax.SqlType;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.duckdb.DuckDBAppender;

/** The conversion of columns' values from their wire form ({@link Value}) to DuckDB's. */
final class DuckValue {
  private static final long MICROS_PER_SECOND = 1_000_000;

  private DuckValue() {}

  /** Appends a value to a row. */
  static void append(SqlType type, Object value, DuckDBAppender appender) throws SQLException {
    if (value == null) {
      appender.appendNull();
      return;
    }
    switch (type.kind()) {
      case BOOLEAN -> appender.append((boolean) (Boolean) value);
      case INTEGER -> appender.append(Math.toIntExact((Long) value));
      case BIGINT -> appender.append((long) (Long) value);
      case DOUBLE -> appender.append((double) (Double) value);
      case DECIMAL -> appender.append(new BigDecimal((String) value));
      case VARCHAR -> appender.append((String) value);
      case DATE -> appender.append(LocalDate.ofEpochDay((Long) value));
      case TIMESTAMP -> appender.append(time((Long) value));
    }
  }

  private static LocalDateTime time(long micros) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(micros, MICROS_PER_SECOND),
        (int) Math.floorMod(micros, MICROS_PER_SECOND) * 1_000,
        ZoneOffset.UTC);
  }
}
