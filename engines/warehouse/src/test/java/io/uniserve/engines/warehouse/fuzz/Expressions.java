package io.uniserve.engines.warehouse.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A maker of random values of each type: names, constants, and expressions of them. */
final class Expressions {
  private final Choices choices;
  private final Values values;
  private final Predicates predicates;
  private final Aggregates aggregates;
  private final Queries queries;

  Expressions(Choices choices, Queries queries) {
    this.choices = choices;
    this.queries = queries;
    values = new Values(choices, false);
    aggregates = new Aggregates(choices, this);
    predicates = new Predicates(choices, this, queries);
  }

  Predicates predicates() {
    return predicates;
  }

  /**
   * A value.
   *
   * @param depth the most operators that it may have one within another
   */
  Expression of(Type type, Scope scope, int depth) {
    if (scope.grouped().isPresent() && choices.chance(50)) {
      return aggregates.of(type, scope, depth);
    }
    if (depth <= 0 || choices.chance(45)) {
      return leaf(type, scope);
    }
    return choices.chance(30)
        ? ofAnyType(type, scope, depth - 1)
        : computed(type, scope, depth - 1);
  }

  /** A value of all rows of a group, as {@link Aggregates#of}. */
  Expression aggregate(Type type, Scope scope) {
    return aggregates.of(type, scope, 1);
  }

  /** The same, as it can be added up in any order. */
  Expression exact(Type type, Scope scope, int depth) {
    Expression made = of(type, scope, depth);
    return made.exact() ? made : constant(type);
  }

  private Expression leaf(Type type, Scope scope) {
    List<Expression> near = scope.ofType(type).toList();
    List<Expression> far = scope.outerNames().stream().filter(each -> each.type() == type).toList();
    if (!far.isEmpty() && (near.isEmpty() || choices.chance(30))) {
      return choices.oneOf(far);
    }
    if (!near.isEmpty() && choices.chance(90)) {
      return choices.oneOf(near);
    }
    return scope.grouped().isPresent() && choices.chance(50)
        ? aggregates.of(type, scope, 0)
        : constant(type);
  }

  private Expression constant(Type type) {
    String text = choices.chance(8) ? "cast(null as " + type.sql() + ")" : values.of(type);
    return new Expression(type, true, Part.sorted(type.sort(), text));
  }

  private Part part(Type type, Scope scope, int depth) {
    return of(type, scope, depth).part();
  }

  private Expression ofAnyType(Type type, Scope scope, int depth) {
    return switch (choices.below(8)) {
      case 0, 1 -> whenThen(type, scope, depth);
      case 6 ->
          Expression.of(
              type,
              choices.oneOf("greatest(", "least(", "ifnull("),
              part(type, scope, depth),
              ", ",
              part(type, scope, depth),
              ")");
      case 7 ->
          Expression.of(
              type,
              "if(",
              predicates.of(scope, depth),
              ", ",
              part(type, scope, depth),
              ", ",
              part(type, scope, depth),
              ")");
      case 2 ->
          Expression.of(
              type, "coalesce(", part(type, scope, depth), ", ", part(type, scope, depth), ")");
      case 3 ->
          Expression.of(
              type, "nullif(", part(type, scope, depth), ", ", part(type, scope, depth), ")");
      default -> Expression.of(type, queries.scalar(type, scope, depth));
    };
  }

  private Expression whenThen(Type type, Scope scope, int depth) {
    if (choices.chance(30)) {
      Type compared = choices.oneOf(Type.INTEGER, Type.TEXT, Type.DATE);
      return Expression.of(
          type,
          "case ",
          part(compared, scope, depth),
          " when ",
          constant(compared).part(),
          " then ",
          part(type, scope, depth),
          Part.optional(" else ", part(type, scope, depth)),
          " end");
    }
    List<Part> branches = new ArrayList<>();
    for (int i = choices.between(1, 2); i > 0; i--) {
      branches.add(
          Part.of("when ", predicates.of(scope, depth), " then ", part(type, scope, depth)));
    }
    return Expression.of(
        type,
        "case ",
        Part.list(" ", branches),
        choices.chance(70) ? Part.optional(" else ", part(type, scope, depth)) : Part.of(""),
        " end");
  }

  private Expression computed(Type type, Scope scope, int depth) {
    return switch (type) {
      case BOOLEAN -> Expression.of(type, "(", predicates.of(scope, depth), ")");
      case INTEGER, BIGINT -> whole(type, scope, depth);
      case DOUBLE -> fraction(scope, depth);
      case DECIMAL -> decimal(scope, depth);
      case TEXT -> text(scope, depth);
      case DATE -> date(scope, depth);
      case TIMESTAMP -> timestamp(scope, depth);
    };
  }

  private Expression whole(Type type, Scope scope, int depth) {
    Part one = part(type, scope, depth);
    return switch (choices.below(15)) {
      case 11 -> Expression.of(type, "(", one, " // ", String.valueOf(choices.between(-2, 3)), ")");
      case 12 -> Expression.of(type, "(", one, " // ", part(type, scope, depth), ")");
      case 13 ->
          cast(
              type,
              Expression.of(
                  Type.BIGINT,
                  choices.oneOf("strpos(", "instr("),
                  part(Type.TEXT, scope, depth),
                  ", ",
                  part(Type.TEXT, scope, 0),
                  ")"));
      case 14 -> cast(type, ofDays(scope, depth));
      case 0, 1 ->
          Expression.of(type, "(", one, choices.oneOf(" + ", " - "), part(type, scope, depth), ")");
      case 2 -> Expression.of(type, "(", one, " * ", String.valueOf(choices.between(-2, 3)), ")");
      case 3 -> Expression.of(type, "(- ", one, ")");
      case 4 -> Expression.of(type, "abs(", one, ")");
      case 5 -> Expression.of(type, "(", one, " % ", part(type, scope, depth), ")");
      case 6 -> Expression.of(type, "mod(", one, ", ", String.valueOf(choices.between(1, 3)), ")");
      case 7 ->
          cast(
              type,
              Expression.of(
                  Type.BIGINT,
                  choices.oneOf("length(", "char_length("),
                  part(Type.TEXT, scope, depth),
                  ")"));
      case 8 ->
          cast(
              type,
              Expression.of(
                  Type.BIGINT,
                  "position(",
                  part(Type.TEXT, scope, 0),
                  " in ",
                  part(Type.TEXT, scope, depth),
                  ")"));
      case 9 ->
          cast(
              type,
              Expression.of(
                  Type.BIGINT,
                  "extract(",
                  choices.oneOf("year", "month", "day"),
                  " from ",
                  part(choices.oneOf(Type.DATE, Type.TIMESTAMP), scope, depth),
                  ")"));
      default ->
          cast(
              type,
              of(
                  choices.oneOf(Type.INTEGER, Type.BIGINT, Type.DECIMAL, Type.BOOLEAN),
                  scope,
                  depth));
    };
  }

  /** Some number that dates have. */
  private Expression ofDays(Scope scope, int depth) {
    return switch (choices.below(3)) {
      case 0 ->
          Expression.of(
              Type.BIGINT,
              choices.oneOf("date_diff('day', ", "date_diff('month', "),
              part(Type.DATE, scope, depth),
              ", ",
              part(Type.DATE, scope, 0),
              ")");
      case 1 ->
          Expression.of(
              Type.BIGINT,
              "(",
              part(Type.DATE, scope, depth),
              " - ",
              part(Type.DATE, scope, 0),
              ")");
      default ->
          Expression.of(
              Type.BIGINT,
              choices.oneOf("year(", "month(", "dayofweek(", "quarter(", "week("),
              part(choices.oneOf(Type.DATE, Type.TIMESTAMP), scope, depth),
              ")");
    };
  }

  private Expression cast(Type type, Expression of) {
    if (choices.chance(60)) {
      return Expression.of(type, "cast(", of.part(), " as ", type.sql(), ")");
    }
    boolean isName = of.part().text().matches("[A-Za-z0-9.]+");
    return isName
        ? Expression.of(type, of.part(), "::", type.sql())
        : Expression.of(type, "(", of.part(), ")::", type.sql());
  }

  private Expression fraction(Scope scope, int depth) {
    return switch (choices.below(6)) {
      case 0, 1 ->
          Expression.of(
              Type.DOUBLE,
              "(",
              part(choices.oneOf(Type.NUMBERS), scope, depth),
              " / ",
              part(choices.oneOf(Type.NUMBERS), scope, depth),
              ")");
      case 2 ->
          Expression.of(
              Type.DOUBLE,
              "(",
              part(Type.DOUBLE, scope, depth),
              choices.oneOf(" + ", " - ", " * "),
              part(Type.DOUBLE, scope, depth),
              ")");
      case 3 ->
          Expression.of(
              Type.DOUBLE,
              choices.oneOf("floor(", "ceil(", "abs(", "sign("),
              part(Type.DOUBLE, scope, depth),
              ")");
      case 4 -> Expression.of(Type.DOUBLE, "sqrt(abs(", part(Type.DOUBLE, scope, depth), "))");
      default ->
          cast(
              Type.DOUBLE,
              of(choices.oneOf(Type.INTEGER, Type.BIGINT, Type.DECIMAL), scope, depth));
    };
  }

  private Expression decimal(Scope scope, int depth) {
    Part one = part(Type.DECIMAL, scope, depth);
    return switch (choices.below(6)) {
      case 0, 1 ->
          Expression.of(
              Type.DECIMAL,
              "(",
              one,
              choices.oneOf(" + ", " - "),
              part(Type.DECIMAL, scope, depth),
              ")");
      case 2 ->
          Expression.of(Type.DECIMAL, "(", one, " * ", choices.oneOf("2", "0.5", "-1.25"), ")");
      case 3 -> Expression.of(Type.DECIMAL, "(- ", one, ")");
      case 4 -> Expression.of(Type.DECIMAL, choices.oneOf("abs(", "floor(", "ceil("), one, ")");
      default -> cast(Type.DECIMAL, of(choices.oneOf(Type.INTEGER, Type.BIGINT), scope, depth));
    };
  }

  private Expression text(Scope scope, int depth) {
    Part one = part(Type.TEXT, scope, depth);
    String count = String.valueOf(choices.between(0, 3));
    return switch (choices.below(13)) {
      case 8 ->
          Expression.of(
              Type.TEXT,
              choices.oneOf("left(", "right(", "repeat(", "substr("),
              one,
              ", " + count + ")");
      case 9 ->
          Expression.of(Type.TEXT, choices.oneOf("lpad(", "rpad("), one, ", " + count + ", 'xy')");
      case 10 ->
          Expression.of(
              Type.TEXT, choices.oneOf("reverse(", "ltrim(", "rtrim(", "md5(", "upper("), one, ")");
      case 11 ->
          Expression.of(
              Type.TEXT,
              choices.oneOf("concat_ws('-', ", "split_part(", "concat_ws('', "),
              one,
              ", ",
              part(Type.TEXT, scope, 0),
              choices.oneOf(", 1)", ", 2)"));
      case 12 ->
          choices.chance(50)
              ? Expression.of(
                  Type.TEXT,
                  "strftime(",
                  part(choices.oneOf(Type.DATE, Type.TIMESTAMP), scope, depth),
                  choices.oneOf(", '%Y-%m')", ", '%d.%m.%Y')"))
              : Expression.of(
                  Type.TEXT,
                  "regexp_replace(",
                  one,
                  choices.oneOf(", 'a', 'z')", ", '[ab]+', '')"));
      case 0, 1 -> Expression.of(Type.TEXT, "(", one, " || ", part(Type.TEXT, scope, depth), ")");
      case 2 -> Expression.of(Type.TEXT, choices.oneOf("upper(", "lower(", "trim("), one, ")");
      case 3 ->
          Expression.of(
              Type.TEXT,
              "substring(",
              one,
              " from 1 for ",
              String.valueOf(choices.between(0, 3)),
              ")");
      case 4 -> Expression.of(Type.TEXT, "replace(", one, ", 'a', 'bb')");
      case 5 ->
          Expression.of(
              Type.TEXT,
              choices.oneOf(
                  "trim(both 'a' from ", "trim(leading 'a' from ", "trim(trailing ' ' from "),
              one,
              ")");
      case 6 -> Expression.of(Type.TEXT, "concat(", one, ", ", part(Type.TEXT, scope, depth), ")");
      default -> cast(Type.TEXT, of(choices.oneOf(Type.values()), scope, depth));
    };
  }

  private Expression date(Scope scope, int depth) {
    return switch (choices.below(4)) {
      case 0 ->
          Expression.of(
              Type.DATE,
              "(",
              part(Type.DATE, scope, depth),
              choices.oneOf(" + ", " - "),
              choices.oneOf("1", "30"),
              ")");
      case 1 -> Expression.of(Type.DATE, "last_day(", part(Type.DATE, scope, depth), ")");
      case 2 ->
          cast(
              Type.DATE,
              Expression.of(
                  Type.TIMESTAMP,
                  choices.oneOf("date_trunc('month', ", "date_trunc('year', "),
                  part(choices.oneOf(Type.DATE, Type.TIMESTAMP), scope, depth),
                  ")"));
      default -> cast(Type.DATE, of(choices.oneOf(Type.DATE, Type.TIMESTAMP), scope, depth));
    };
  }

  private Expression timestamp(Scope scope, int depth) {
    return choices.chance(50)
        ? cast(Type.TIMESTAMP, of(Type.DATE, scope, depth))
        : Expression.of(
            Type.TIMESTAMP,
            "(",
            part(choices.oneOf(Type.DATE, Type.TIMESTAMP), scope, depth),
            choices.oneOf(" + ", " - "),
            choices.oneOf("interval '1' day", "interval '3' month", "interval '90' minute"),
            ")");
  }

  /** Some column that a scope has, or a value if it has none. */
  Expression any(Scope scope, int depth) {
    Optional<Expression> name =
        scope.names().isEmpty() ? Optional.empty() : Optional.of(choices.oneOf(scope.names()));
    Type type = name.map(Expression::type).orElseGet(() -> choices.oneOf(Type.values()));
    return name.filter(each -> choices.chance(50)).orElseGet(() -> of(type, scope, depth));
  }
}
