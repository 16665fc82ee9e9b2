package io.uniserve.engines.warehouse.fuzz;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A maker of random window functions whose values do not depend on the order in which rows arrive.
 */
final class Windows {
  private final Choices choices;
  private final Expressions expressions;

  Windows(Choices choices, Expressions expressions) {
    this.choices = choices;
    this.expressions = expressions;
  }

  /** A window function over the rows that a scope names, which must have columns. */
  Expression of(Type type, Scope scope) {
    boolean positional = choices.chance(40);
    Expression function = positional ? positional(type, scope) : summary(type, scope);
    boolean named = positional || choices.chance(30);
    String order =
        named
            ? " order by " + orderOfAll(scope)
            : choices.chance(60) ? " order by " + ordered(choices.oneOf(scope.names())) : "";
    Part partition =
        choices.chance(60)
            ? Part.optional("partition by ", Part.list(", ", partition(scope)))
            : Part.of("");
    String frame = !positional && !order.isEmpty() ? frame(named) : "";
    return new Expression(
        function.type(),
        function.exact(),
        Part.sorted(
            function.type().sort(), function.part(), " over (", partition, order + frame + ")"));
  }

  /** A window function over a window that {@link #ofAll} made. */
  Expression over(Type type, Scope scope, String name) {
    Expression function = choices.chance(50) ? positional(type, scope) : summary(type, scope);
    return new Expression(
        function.type(),
        function.exact(),
        Part.sorted(function.type().sort(), function.part(), " over " + name));
  }

  /** A window whose rows have one order. */
  Part ofAll(Scope scope) {
    Part partition =
        choices.chance(60)
            ? Part.optional("partition by ", Part.list(", ", partition(scope)))
            : Part.of("");
    return Part.of(partition, " order by " + orderOfAll(scope));
  }

  private List<Part> partition(Scope scope) {
    List<Expression> some = choices.some(scope.names());
    return some.stream().limit(2).map(Expression::part).toList();
  }

  /** Makes an order that leaves only the places of equal rows open. */
  private String orderOfAll(Scope scope) {
    return choices.shuffled(scope.names()).stream()
        .map(this::ordered)
        .collect(Collectors.joining(", "));
  }

  private String ordered(Expression key) {
    return key.part().text() + choices.oneOf("", "", " desc", " nulls first", " desc nulls last");
  }

  private String frame(boolean rows) {
    if (!choices.chance(50)) {
      return "";
    }
    String unit = rows && choices.chance(70) ? "rows" : "range";
    if (unit.equals("range")) {
      return choices.oneOf(
          " range between unbounded preceding and current row",
          " range between current row and unbounded following",
          " range between unbounded preceding and unbounded following");
    }
    return choices.oneOf(
        " rows between 1 preceding and current row",
        " rows between 2 preceding and 1 following",
        " rows between current row and unbounded following",
        " rows between 1 following and 2 following",
        " rows 2 preceding");
  }

  /** Makes an expression that depends on the place of a row among its neighbours. */
  private Expression positional(Type type, Scope scope) {
    Part argument = expressions.of(type, scope, 0).part();
    return switch (choices.below(type == Type.INTEGER || type == Type.BIGINT ? 8 : 5)) {
      case 0 -> Expression.of(type, "lag(", argument, ")");
      case 1 -> Expression.of(type, "lead(", argument, ", ", choices.oneOf("1", "2"), ")");
      case 2 -> Expression.of(type, "first_value(", argument, ")");
      case 3 -> Expression.of(type, "last_value(", argument, ")");
      case 4 -> Expression.of(type, "nth_value(", argument, ", 2)");
      case 5 -> Expression.of(type, "ntile(2)");
      default -> Expression.of(type, "row_number()");
    };
  }

  /** Makes an expression that has the same value for equal rows. */
  private Expression summary(Type type, Scope scope) {
    return switch (type) {
      case INTEGER, BIGINT ->
          switch (choices.below(6)) {
            case 0 -> Expression.of(type, "rank()");
            case 1 -> Expression.of(type, "dense_rank()");
            case 2 -> Expression.of(type, "count(*)");
            case 3 -> Expression.of(type, "count(", expressions.any(scope, 0).part(), ")");
            case 4 -> Expression.of(type, "sum(", expressions.of(type, scope, 1).part(), ")");
            default -> extreme(type, scope);
          };
      case DOUBLE ->
          choices.chance(60)
              ? Expression.of(
                  type,
                  "avg(",
                  expressions.exact(choices.oneOf(Type.NUMBERS), scope, 0).part(),
                  ")")
              : extreme(type, scope);
      default -> extreme(type, scope);
    };
  }

  private Expression extreme(Type type, Scope scope) {
    return Expression.of(
        type, choices.oneOf("min(", "max("), expressions.of(type, scope, 1).part(), ")");
  }
}
