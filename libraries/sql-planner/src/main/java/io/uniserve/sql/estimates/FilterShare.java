package io.uniserve.sql.estimates;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.metadata.RelMdUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The share of rows that conditions leave, estimated by the ranges and numbers of the columns'
 * values.
 */
final class FilterShare {
  private static final Pattern DAY = Pattern.compile("\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d)");

  private final Estimate input;
  private final RexBuilder rex;

  FilterShare(Estimate input, RexBuilder rex) {
    this.input = input;
    this.rex = rex;
  }

  /** The interval of a column's values that a comparison leaves. */
  private record Span(int column, double from, double to) {
    Span and(Span other) {
      return new Span(column, Math.max(from, other.from), Math.min(to, other.to));
    }
  }

  /** Returns the estimate of the rows that a condition leaves. */
  Estimate left(RexNode condition) {
    Map<ImmutableBitSet, List<RexNode>> byColumns = new LinkedHashMap<>();
    for (RexNode one : RelOptUtil.conjunctions(RexUtil.expandSearch(rex, null, condition))) {
      byColumns
          .computeIfAbsent(RelOptUtil.InputFinder.bits(one), none -> new ArrayList<>())
          .add(one);
    }
    Estimate left = input;
    for (Map.Entry<ImmutableBitSet, List<RexNode>> some : byColumns.entrySet()) {
      double share = of(RexUtil.composeConjunction(rex, some.getValue()));
      ImmutableBitSet read = some.getKey();
      left = read.cardinality() == 1 ? left.filtered(read.nth(0), share) : left.among(share);
    }
    return left;
  }

  /** Estimates the share of the rows that a condition leaves. */
  double of(RexNode condition) {
    RexNode plain = RexUtil.expandSearch(rex, null, condition);
    Map<Integer, Span> spans = new TreeMap<>();
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

  /**
   * Returns the share of an interval. It is at least that of one value, since the interval may be
   * narrower than the distance of values.
   */
  private double share(Span span) {
    ColumnEstimate column = input.column(span.column);
    double values = column.values() > 0 ? column.values() : input.rows();
    double least = span.from > span.to ? 0 : 1 / values;
    return Math.max(least, column.range().orElseThrow().share(span.from, span.to));
  }

  private double alone(RexNode condition) {
    return switch (condition.getKind()) {
      case OR ->
          1
              - RelOptUtil.disjunctions(condition).stream()
                  .mapToDouble(one -> 1 - of(one))
                  .reduce(1, (a, b) -> a * b);
      case NOT -> 1 - of(((RexCall) condition).getOperands().getFirst());
      case EQUALS -> equal((RexCall) condition);
      case NOT_EQUALS -> 1 - equal((RexCall) condition);
      default -> RelMdUtil.guessSelectivity(condition);
    };
  }

  /** Returns the share of an equality: one value of the side with more values. */
  private double equal(RexCall call) {
    double values =
        call.getOperands().stream()
            .mapToDouble(
                side -> side instanceof RexInputRef at ? input.column(at.getIndex()).values() : 0)
            .max()
            .orElse(0);
    return values > 0 ? 1 / values : RelMdUtil.guessSelectivity(call);
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
    if (value.isEmpty() || input.column(column).range().isEmpty()) {
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

  /**
   * Returns the value of a literal, or of a date that is cast from a text, in the units of ranges.
   */
  private static OptionalDouble value(RexNode node) {
    if (node.isA(SqlKind.CAST)
        && ((RexCall) node).getOperands().getFirst() instanceof RexLiteral text
        && node.getType().getSqlTypeName() == SqlTypeName.DATE
        && SqlTypeUtil.isCharacter(text.getType())
        && DAY.matcher(text.getValueAs(String.class)).matches()) {
      return OptionalDouble.of(new DateString(text.getValueAs(String.class)).getDaysSinceEpoch());
    }
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
