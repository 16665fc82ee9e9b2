package io.uniserve.engines.warehouse.fuzz;

import java.util.Optional;

/** A maker of random aggregates of each type. */
final class Aggregates {
  private final Choices choices;
  private final Expressions expressions;

  Aggregates(Choices choices, Expressions expressions) {
    this.choices = choices;
    this.expressions = expressions;
  }

  /**
   * An aggregate of the rows that a group has.
   *
   * @param scope the scope of the groups
   */
  Expression of(Type type, Scope scope, int depth) {
    Scope rows = Scope.of(scope.sources(), Optional.empty());
    return switch (type) {
      case INTEGER, BIGINT -> whole(type, rows, depth);
      case DOUBLE -> fraction(rows, depth);
      case BOOLEAN ->
          Expression.of(
              type,
              choices.oneOf("bool_and(", "bool_or("),
              expressions.of(type, rows, depth).part(),
              ")",
              filter(rows));
      case DECIMAL ->
          choices.chance(50)
              ? Expression.of(
                  type,
                  "sum(",
                  distinct(),
                  expressions.of(type, rows, depth).part(),
                  ")",
                  filter(rows))
              : extreme(type, rows, depth);
      case TEXT -> choices.chance(30) ? joined(rows, depth) : extreme(type, rows, depth);
      case DATE, TIMESTAMP -> extreme(type, rows, depth);
    };
  }

  /**
   * Makes an aggregate of texts in their own order, so that the places of equal texts do not show.
   * The text is no constant, since DuckDB refuses an order by constants.
   */
  private Expression joined(Scope rows, int depth) {
    Part text = Part.of("(", expressions.of(Type.TEXT, rows, depth).part(), " || '')");
    return Expression.of(
        Type.TEXT, "string_agg(", distinct(), text, ", ',' order by ", text, ")", filter(rows));
  }

  private Expression whole(Type type, Scope rows, int depth) {
    return switch (choices.below(6)) {
      case 5 ->
          choices.chance(50)
              ? Expression.of(
                  type, "count_if(", expressions.of(Type.BOOLEAN, rows, depth).part(), ")")
              : Expression.of(
                  type,
                  choices.oneOf("bit_and(", "bit_or(", "bit_xor("),
                  expressions.of(type, rows, depth).part(),
                  ")");
      case 0 -> Expression.of(type, "count(*)", filter(rows));
      case 1 ->
          Expression.of(
              type, "count(", distinct(), expressions.any(rows, depth).part(), ")", filter(rows));
      case 2, 3 ->
          Expression.of(
              type,
              "sum(",
              distinct(),
              expressions.of(type, rows, depth).part(),
              ")",
              filter(rows));
      default -> extreme(type, rows, depth);
    };
  }

  private Expression fraction(Scope rows, int depth) {
    return switch (choices.below(4)) {
      case 0 ->
          Expression.of(
              Type.DOUBLE,
              "sum(",
              distinct(),
              expressions.exact(Type.DOUBLE, rows, depth).part(),
              ")",
              filter(rows));
      case 1, 2 ->
          Expression.of(
              Type.DOUBLE,
              "avg(",
              distinct(),
              expressions.exact(choices.oneOf(Type.NUMBERS), rows, depth).part(),
              ")",
              filter(rows));
      default -> extreme(Type.DOUBLE, rows, depth);
    };
  }

  private Expression extreme(Type type, Scope rows, int depth) {
    return Expression.of(
        type,
        choices.oneOf("min(", "max("),
        expressions.of(type, rows, depth).part(),
        ")",
        filter(rows));
  }

  private String distinct() {
    return choices.chance(20) ? "distinct " : "";
  }

  private Part filter(Scope rows) {
    return choices.chance(15)
        ? Part.optional(" filter (where ", expressions.predicates().of(rows, 1), ")")
        : Part.of("");
  }
}
