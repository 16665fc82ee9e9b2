package io.uniserve.engines.warehouse.fuzz;

import java.util.ArrayList;
import java.util.List;

/** A maker of random conditions, which are true, false or unknown. */
final class Predicates {
  private static final String SORT = Type.BOOLEAN.sort();

  private final Choices choices;
  private final Expressions expressions;
  private final Queries queries;
  private final Values values;

  Predicates(Choices choices, Expressions expressions, Queries queries) {
    this.choices = choices;
    this.expressions = expressions;
    this.queries = queries;
    values = new Values(choices, false);
  }

  /** A condition, as {@link Expressions#of}. */
  Part of(Scope scope, int depth) {
    if (depth <= 0) {
      return choices.chance(20) ? nullTest(scope, 0) : comparison(scope, 0);
    }
    int below = depth - 1;
    return switch (choices.below(17)) {
      case 0, 1, 2 -> comparison(scope, below);
      case 3 -> nullTest(scope, below);
      case 4, 5 -> several(scope, below);
      case 6 -> Part.sorted(SORT, "not (", of(scope, below), ")");
      case 7 -> between(scope, below);
      case 8 -> inList(scope, below);
      case 9 -> like(scope, below);
      case 10 ->
          Part.sorted(
              SORT,
              "(",
              of(scope, below),
              ") is ",
              choices.oneOf("true", "not true", "false", "not false", "unknown", "not unknown"));
      case 11 ->
          Part.sorted(
              SORT, choices.oneOf("exists (", "not exists ("), queries.exists(scope, below), ")");
      case 12, 13 -> in(scope, below);
      case 14 -> rowIn(scope, below);
      case 15 -> ofTexts(scope, below);
      default -> expressions.of(Type.BOOLEAN, scope, below).part();
    };
  }

  private Part several(Scope scope, int depth) {
    List<Part> parts = new ArrayList<>();
    for (int i = choices.between(2, 3); i > 0; i--) {
      parts.add(Part.of("(", of(scope, depth), ")"));
    }
    return Part.sorted(SORT, Part.list(choices.oneOf(" and ", " or "), parts));
  }

  private Type compared() {
    return choices.chance(85)
        ? choices.oneOf(
            Type.INTEGER,
            Type.BIGINT,
            Type.TEXT,
            Type.DATE,
            Type.TIMESTAMP,
            Type.DECIMAL,
            Type.DOUBLE)
        : Type.BOOLEAN;
  }

  private Part comparison(Scope scope, int depth) {
    Type type = compared();
    Type other = type.isNumber() && choices.chance(30) ? choices.oneOf(Type.NUMBERS) : type;
    return Part.sorted(
        SORT,
        expressions.of(type, scope, depth).part(),
        choices.oneOf(
            " = ",
            " = ",
            " <> ",
            " < ",
            " <= ",
            " > ",
            " >= ",
            " is distinct from ",
            " is not distinct from "),
        expressions.of(other, scope, depth).part());
  }

  private Part nullTest(Scope scope, int depth) {
    return Part.sorted(
        SORT, expressions.any(scope, depth).part(), choices.oneOf(" is null", " is not null"));
  }

  private Part between(Scope scope, int depth) {
    Type type = compared();
    return Part.sorted(
        SORT,
        expressions.of(type, scope, depth).part(),
        choices.oneOf(" between ", " not between "),
        expressions.of(type, scope, depth).part(),
        " and ",
        expressions.of(type, scope, depth).part());
  }

  private Part inList(Scope scope, int depth) {
    Type type = compared();
    List<Part> list = new ArrayList<>();
    boolean isLong = choices.chance(15);
    for (int i = isLong ? choices.between(20, 60) : choices.between(1, 4); i > 0; i--) {
      list.add(isLong ? Part.of(values.nullable(type)) : expressions.of(type, scope, 0).part());
    }
    return Part.sorted(
        SORT,
        expressions.of(type, scope, depth).part(),
        choices.oneOf(" in (", " not in ("),
        Part.list(", ", list),
        ")");
  }

  private Part like(Scope scope, int depth) {
    return Part.sorted(
        SORT,
        expressions.of(Type.TEXT, scope, depth).part(),
        choices.oneOf(" like ", " not like ", " ilike ", " not ilike "),
        choices.oneOf("'a%'", "'%b'", "'_'", "'%'", "'a!%b' escape '!'", "''", "'%A_'"));
  }

  private Part in(Scope scope, int depth) {
    Type type = compared();
    Part value = expressions.of(type, scope, depth).part();
    Part list = queries.column(type, scope, depth);
    return choices.chance(60)
        ? Part.sorted(SORT, value, choices.oneOf(" in (", " not in ("), list, ")")
        : Part.sorted(
            SORT,
            value,
            choices.oneOf(" = ", " <> ", " < ", " >= "),
            choices.oneOf("any (", "all ("),
            list,
            ")");
  }

  private Part rowIn(Scope scope, int depth) {
    List<Type> types = List.of(compared(), compared());
    List<Part> row = new ArrayList<>();
    types.forEach(type -> row.add(expressions.of(type, scope, 0).part()));
    Part list =
        choices.chance(50)
            ? queries.columns(types, depth)
            : Part.list(", ", List.of(rowOf(types), rowOf(types)));
    return Part.sorted(
        SORT,
        Part.of("(", row.get(0), ", ", row.get(1), ")"),
        choices.oneOf(" in (", " not in ("),
        list,
        ")");
  }

  private Part rowOf(List<Type> types) {
    return Part.of(
        "(" + values.nullable(types.get(0)) + ", " + values.nullable(types.get(1)) + ")");
  }

  private Part ofTexts(Scope scope, int depth) {
    return Part.sorted(
        SORT,
        choices.oneOf("contains(", "starts_with(", "regexp_matches(", "ends_with("),
        expressions.of(Type.TEXT, scope, depth).part(),
        choices.oneOf(", 'a')", ", 'b')", ", '')", ", 'A')"));
  }
}
