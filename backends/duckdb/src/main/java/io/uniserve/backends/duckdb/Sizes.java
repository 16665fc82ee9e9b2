package io.uniserve.backends.duckdb;

import io.uniserve.sql.algebra.ColumnRange;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.SqlType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;

/** The sizes of the tables of one database, from DuckDB's own counts. */
final class Sizes {
  private static final Pattern DISTINCT = Pattern.compile("\\[Approx Unique: (\\d+)]");

  private static final Pattern RANGE = Pattern.compile("\\[Min: ([^,\\]]*), Max: ([^,\\]]*)]");
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?(e[+-]?\\d+)?");

  /** The pattern of dates with four-digit years; others, and infinity, are ignored. */
  private static final Pattern DAY = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");

  private static final Pattern MOMENT =
      Pattern.compile(DAY + " \\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?");

  private Sizes() {}

  static Map<String, TableSize> of(WarehouseSchema schema, DuckDBConnection connection)
      throws SQLException {
    Map<String, Long> rows = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet tables =
            statement.executeQuery("SELECT table_name, estimated_size FROM duckdb_tables()")) {
      while (tables.next()) {
        rows.put(tables.getString(1), tables.getLong(2));
      }
    }
    Map<String, TableSize> sizes = new LinkedHashMap<>();
    for (SqlTable table : schema.tables().values()) {
      sizes.put(table.stored(), size(rows.get(table.stored()), table, connection));
    }
    return sizes;
  }

  private static TableSize size(long rows, SqlTable table, DuckDBConnection connection)
      throws SQLException {
    String columns =
        table.columns().stream()
            .map(column -> "stats(" + DuckRows.quoted(column.name()) + ")")
            .collect(Collectors.joining(", "));
    Map<String, Long> distinct = new LinkedHashMap<>();
    Map<String, ColumnRange> ranges = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT " + columns + " FROM " + DuckRows.quoted(table.stored()) + " LIMIT 1")) {
      while (row.next()) {
        int place = 1;
        for (SqlColumn column : table.columns()) {
          String told = row.getString(place++);
          Matcher count = DISTINCT.matcher(told);
          if (count.find()) {
            distinct.put(column.name(), Long.parseLong(count.group(1)));
          }
          range(told, column.type().kind()).ifPresent(found -> ranges.put(column.name(), found));
        }
      }
    }
    return new TableSize(rows, distinct, ranges);
  }

  /** Returns the range; empty if there is no value, or none that can be treated as a number. */
  private static Optional<ColumnRange> range(String told, SqlType.Kind kind) {
    Matcher bounds = RANGE.matcher(told);
    if (!bounds.find()) {
      return Optional.empty();
    }
    OptionalDouble least = number(bounds.group(1), kind);
    OptionalDouble greatest = number(bounds.group(2), kind);
    return least.isPresent()
            && greatest.isPresent()
            && least.getAsDouble() <= greatest.getAsDouble()
        ? Optional.of(new ColumnRange(least.getAsDouble(), greatest.getAsDouble()))
        : Optional.empty();
  }

  private static OptionalDouble number(String text, SqlType.Kind kind) {
    return switch (kind) {
      case INTEGER, BIGINT, DECIMAL, DOUBLE ->
          NUMBER.matcher(text).matches()
              ? OptionalDouble.of(Double.parseDouble(text))
              : OptionalDouble.empty();
      case DATE ->
          DAY.matcher(text).matches()
              ? OptionalDouble.of(LocalDate.parse(text).toEpochDay())
              : OptionalDouble.empty();
      case TIMESTAMP ->
          MOMENT.matcher(text).matches()
              ? OptionalDouble.of(
                  LocalDateTime.parse(text.replace(' ', 'T'))
                      .toInstant(ZoneOffset.UTC)
                      .toEpochMilli())
              : OptionalDouble.empty();
      case BOOLEAN, VARCHAR -> OptionalDouble.empty();
    };
  }
}
