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
 * A check that a query's stages have the meaning that DuckDB gives it, as far as the columns show:
 * their number, kinds and order must agree. If only one of the parsers knows the join of {@code a
 * semi join b}, the columns differ. If one reads {@code a // b} as a comment, there are fewer.
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
   * Describes the difference; empty if there is none.
   *
   * @param planned the query in stages
   * @param stages the columns of the last stage
   * @param query DuckDB's columns of the query itself
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

  /**
   * Returns the kind of a type. All exact numbers are one kind, since stages sum in wider types
   * than DuckDB.
   */
  private static String kind(String type) {
    return WHOLE.contains(type) || type.startsWith("DECIMAL")
        ? "DECIMAL"
        : FLOATING.contains(type) ? "DOUBLE" : type;
  }

  /** Returns the plan with DuckDB's names of the columns. */
  static DistributedQuery named(DistributedQuery planned, List<BoundColumn> query) {
    List<Column> columns = new ArrayList<>();
    for (Column column : planned.columns()) {
      columns.add(new Column(query.get(columns.size()).name(), column.index()));
    }
    return planned.named(columns);
  }
}
