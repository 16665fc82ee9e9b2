package io.uniserve.sql.whole;

import io.uniserve.sql.backend.BoundColumn;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.planner.DistributedQuery.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the stages of a query give what DuckDB understands by it, as far as the columns tell: as
 * many of them, of the same kinds, in the same order. {@code a semi join b}, where only one of both
 * parsers knows the kind of join, has other columns; {@code a // b}, where one sees a comment, has
 * fewer.
 */
final class Agreement {
  private static final Set<String> FLOATING = Set.of("FLOAT", "DOUBLE");
  private static final Set<String> WHOLE =
      Set.of(
          "TINYINT",
          "SMALLINT",
          "INTEGER",
          "BIGINT",
          "HUGEINT",
          "UTINYINT",
          "USMALLINT",
          "UINTEGER",
          "UBIGINT",
          "UHUGEINT");

  private Agreement() {}

  /**
   * What differs; empty if nothing does.
   *
   * @param planned the query in stages
   * @param stages what the last of them gives
   * @param query what DuckDB gives for the query itself
   */
  static Optional<String> difference(
      DistributedQuery planned, List<BoundColumn> stages, List<BoundColumn> query) {
    if (planned.columns().size() != query.size()) {
      return Optional.of(
          "it has " + query.size() + " columns, and not " + planned.columns().size());
    }
    List<String> names = query.stream().map(column -> lower(column.name())).toList();
    for (int i = 0; i < query.size(); i++) {
      String name = lower(planned.columns().get(i).name());
      if (!names.get(i).equals(name) && names.contains(name)) {
        return Optional.of("column " + (i + 1) + " is '" + names.get(i) + "'");
      }
      String planType = stages.get(planned.columns().get(i).index()).type();
      String type = query.get(i).type();
      if (!kind(planType).equals(kind(type))) {
        return Optional.of("column " + (i + 1) + " is " + type + ", and not " + planType);
      }
    }
    return Optional.empty();
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** Exact numbers are of one kind: stages sum in wider types than DuckDB does. */
  private static String kind(String type) {
    return WHOLE.contains(type) || type.startsWith("DECIMAL")
        ? "DECIMAL"
        : FLOATING.contains(type) ? "DOUBLE" : type;
  }

  /** The same plan, whose columns are called as DuckDB calls them. */
  static DistributedQuery named(DistributedQuery planned, List<BoundColumn> query) {
    List<Column> columns = new ArrayList<>();
    for (Column column : planned.columns()) {
      columns.add(new Column(query.get(columns.size()).name(), column.index()));
    }
    return new DistributedQuery(planned.stages(), columns, planned.passes(), Optional.empty());
  }
}
