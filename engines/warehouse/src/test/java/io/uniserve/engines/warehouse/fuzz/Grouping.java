package io.uniserve.engines.warehouse.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A maker of random grouping keys. */
final class Grouping {
  /** The part after WHERE, and the names that are visible behind it. */
  record Grouped(Part part, Scope scope) {}

  private final Choices choices;
  private final Expressions expressions;

  Grouping(Choices choices, Expressions expressions) {
    this.choices = choices;
    this.expressions = expressions;
  }

  /** Groups of the rows of a scope; none if it has no columns to group by. */
  Optional<Grouped> of(Scope rows) {
    List<Expression> columns = rows.columns();
    if (columns.isEmpty()) {
      return Optional.empty();
    }
    List<Expression> keys = new ArrayList<>();
    for (Expression column : choices.some(columns)) {
      if (keys.size() < 3) {
        keys.add(choices.chance(80) ? column : computed(column));
      }
    }
    Scope scope = rows.groupedBy(keys);
    Part having =
        choices.chance(25)
            ? Part.optional(" having ", expressions.predicates().of(scope, 1))
            : Part.of("");
    return Optional.of(new Grouped(Part.of(" group by ", sets(keys), having), scope));
  }

  private Expression computed(Expression column) {
    return switch (column.type()) {
      case INTEGER, BIGINT -> Expression.of(column.type(), "(", column.part(), " + 1)");
      case TEXT -> Expression.of(Type.TEXT, "upper(", column.part(), ")");
      case BOOLEAN -> Expression.of(Type.BOOLEAN, "(", column.part(), " is true)");
      case DATE, TIMESTAMP -> Expression.of(Type.DATE, "cast(", column.part(), " as date)");
      case DOUBLE, DECIMAL -> Expression.of(column.type(), "(- ", column.part(), ")");
    };
  }

  private Part sets(List<Expression> keys) {
    List<String> texts = keys.stream().map(key -> key.part().text()).toList();
    String all = String.join(", ", texts);
    return switch (choices.below(10)) {
      case 0 -> Part.of("rollup (" + all + ")");
      case 1 -> Part.of("cube (" + all + ")");
      case 2 -> {
        List<Part> sets = new ArrayList<>();
        for (int i = choices.between(1, 3); i > 0; i--) {
          sets.add(
              Part.of(choices.some(texts).stream().collect(Collectors.joining(", ", "(", ")"))));
        }
        sets.add(Part.of(choices.oneOf("()", "(" + all + ")")));
        yield Part.of("grouping sets (", Part.list(", ", sets), ")");
      }
      default -> Part.of(all);
    };
  }
}
