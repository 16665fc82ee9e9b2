package io.uniserve.sqlplanner;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.metadata.RelMdUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;

/**
 * About what share of a table's rows a condition leaves, by what is known of the table's columns:
 * between what values theirs lie, and how many there are. Values are taken to be equally frequent,
 * and columns not to depend on each other.
 */
final class FilterShare {
  private final CatalogTable table;
  private final RexBuilder rex;

  FilterShare(CatalogTable table, RexBuilder rex) {
    this.table = table;
    this.rex = rex;
  }

  /** The values of a column that a comparison leaves. */
  private record Span(int column, double from, double to) {
    Span and(Span other) {
      return new Span(column, Math.max(from, other.from), Math.min(to, other.to));
    }
  }

  double of(RexNode condition) {
    RexNode plain = RexUtil.expandSearch(rex, null, condition);
    Map<Integer, Span> spans = new HashMap<>();
    double share = 1;
    for (RexNode one : RelOptUtil.conjunctions(plain)) {
      Optional<Span> span = span(one);
      if (span.isPresent()) {
        spans.merge(span.get().column, span.get(), Span::and);
      } else {
        share *= alone(one);
      }
    }
    for (Span span : spans.values()) {
      share *= share(span);
    }
    return share;
  }

  /** At least one value of the column, if any: a range may be narrower than they are apart. */
  private double share(Span span) {
    ColumnRange range = table.range(span.column).orElseThrow();
    double least = span.from > span.to ? 0 : 1 / table.distinct(span.column).orElse(table.rows());
    return Math.max(least, range.share(span.from, span.to));
  }

  private double alone(RexNode condition) {
    if (condition.isA(SqlKind.OR)) {
      double sum = RelOptUtil.disjunctions(condition).stream().mapToDouble(this::of).sum();
      return Math.min(1, sum);
    }
    if (condition instanceof RexCall call
        && call.isA(SqlKind.EQUALS)
        && call.getOperands().get(0) instanceof RexInputRef column
        && call.getOperands().get(1) instanceof RexLiteral
        && table.distinct(column.getIndex()).isPresent()) {
      return 1 / table.distinct(column.getIndex()).getAsDouble();
    }
    return RelMdUtil.guessSelectivity(condition);
  }

  private Optional<Span> span(RexNode condition) {
    if (!(condition instanceof RexCall call) || call.getOperands().size() != 2) {
      return Optional.empty();
    }
    RexNode left = call.getOperands().get(0);
    RexNode right = call.getOperands().get(1);
    return left instanceof RexInputRef column
        ? span(column.getIndex(), call.getKind(), right)
        : right instanceof RexInputRef column
            ? span(column.getIndex(), call.getKind().reverse(), left)
            : Optional.empty();
  }

  private Optional<Span> span(int column, SqlKind kind, RexNode with) {
    OptionalDouble value = value(with);
    if (value.isEmpty() || table.range(column).isEmpty()) {
      return Optional.empty();
    }
    return switch (kind) {
      case LESS_THAN, LESS_THAN_OR_EQUAL ->
          Optional.of(new Span(column, Double.NEGATIVE_INFINITY, value.getAsDouble()));
      case GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          Optional.of(new Span(column, value.getAsDouble(), Double.POSITIVE_INFINITY));
      default -> Optional.empty();
    };
  }

  /** A literal as ranges have it. */
  private static OptionalDouble value(RexNode node) {
    if (!(node instanceof RexLiteral literal) || literal.isNull()) {
      return OptionalDouble.empty();
    }
    return switch (literal.getType().getSqlTypeName()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, FLOAT, DOUBLE ->
          OptionalDouble.of(literal.getValueAs(BigDecimal.class).doubleValue());
      case DATE -> OptionalDouble.of(literal.getValueAs(Integer.class));
      case TIMESTAMP -> OptionalDouble.of(literal.getValueAs(Long.class));
      default -> OptionalDouble.empty();
    };
  }
}
