package io.uniserve.engines.warehouse.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A maker of random statements that change rows. */
public final class Changes {
  private final Choices choices;
  private final Expressions expressions;
  private final Queries queries;
  private final Values values;

  Changes(Choices choices, Expressions expressions, Queries queries) {
    this.choices = choices;
    this.expressions = expressions;
    this.queries = queries;
    values = new Values(choices, false);
  }

  /**
   * One.
   *
   * @param fixed names of the columns that must stay as they are
   */
  Change of(Table table, Set<String> fixed) {
    List<Table.Column> free =
        table.columns().stream().filter(column -> !fixed.contains(column.name())).toList();
    return switch (choices.below(4)) {
      case 0, 1 -> insert(table);
      case 2 -> free.isEmpty() ? insert(table) : update(table, free);
      default -> alike(table, "delete from " + Table.quoted(table.name()) + where(table));
    };
  }

  private static Change alike(Table table, String sql) {
    return new Change(table.name(), sql, sql);
  }

  private Change insert(Table table) {
    String into = "into " + Table.quoted(table.name()) + " " + rows(table);
    return new Change(
        table.name(),
        "insert " + into,
        table.primaryKey().isEmpty() ? "insert " + into : "insert or replace " + into);
  }

  /** One row where there is a key: of two in one statement nobody says which replaces the other. */
  private String rows(Table table) {
    List<Type> types = table.columns().stream().map(Table.Column::type).toList();
    boolean all = table.columns().stream().allMatch(Table.Column::nullable);
    if (table.primaryKey().isEmpty() && all && choices.chance(40)) {
      return queries.ofTypes(types).part().text();
    }
    List<String> rows = new ArrayList<>();
    for (int i = table.primaryKey().isEmpty() ? choices.between(1, 3) : 1; i > 0; i--) {
      rows.add(
          table.columns().stream()
              .map(each -> each.nullable() ? values.nullable(each.type()) : values.of(each.type()))
              .collect(Collectors.joining(", ", "(", ")")));
    }
    return "values " + String.join(", ", rows);
  }

  private Change update(Table table, List<Table.Column> free) {
    List<String> set = new ArrayList<>();
    for (Table.Column column : choices.some(free)) {
      Part value = ofOneRow(() -> expressions.of(column.type(), scope(table), 1).part());
      set.add(Table.quoted(column.name()) + " = " + value.text());
    }
    return alike(
        table,
        "update " + Table.quoted(table.name()) + " set " + String.join(", ", set) + where(table));
  }

  private String where(Table table) {
    return " where " + ofOneRow(() -> expressions.predicates().of(scope(table), 1)).text();
  }

  /** Gives what follows from a row alone, as a change must. */
  private static Part ofOneRow(Supplier<Part> maker) {
    Part part = maker.get();
    while (part.text().contains("select ")) {
      part = maker.get();
    }
    return part;
  }

  private static Scope scope(Table table) {
    List<Source.Column> columns =
        table.columns().stream()
            .map(each -> new Source.Column(Table.quoted(each.name()), each.type(), true))
            .toList();
    return Scope.of(List.of(new Source(Table.quoted(table.name()), columns)), Optional.empty());
  }
}
