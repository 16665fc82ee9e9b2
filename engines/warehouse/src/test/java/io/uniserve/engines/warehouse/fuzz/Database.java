package io.uniserve.engines.warehouse.fuzz;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Tables with rows. */
record Database(List<Table> tables) {
  private static final int ROWS_MAX = 14;

  /** Random ones. */
  static Database random(Choices choices) {
    Names names = new Names(choices);
    Values values = new Values(choices, choices.chance(15));
    List<Table> tables = new ArrayList<>();
    for (String name : names.tables(choices.between(1, 4))) {
      tables.add(table(name, names, values, choices));
    }
    return new Database(tables);
  }

  private static Table table(String name, Names names, Values values, Choices choices) {
    List<Table.Column> columns = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    int keyColumns = choices.oneOf(0, 1, 1, 2);
    for (String column : names.columns(choices.between(Math.max(1, keyColumns), 6))) {
      boolean key = columns.size() < keyColumns;
      // One column at least can tell where a row lies.
      Type type =
          columns.isEmpty() || key ? choices.oneOf(Type.SPREADING) : choices.oneOf(Type.values());
      if (key) {
        keys.add(column);
      }
      columns.add(new Table.Column(column, type, !key && choices.chance(80)));
    }
    Table empty = new Table(name, choices.shuffled(columns), keys, List.of());
    return empty.withRows(rows(empty, values, choices));
  }

  /** Some of them equal, where no key tells them from each other. */
  private static List<List<String>> rows(Table table, Values values, Choices choices) {
    int count = choices.chance(10) ? choices.below(2) : choices.between(2, ROWS_MAX);
    List<List<String>> rows = new ArrayList<>();
    Set<List<String>> known = new HashSet<>();
    for (int i = 0; i < count; i++) {
      List<String> row =
          !rows.isEmpty() && choices.chance(15)
              ? choices.oneOf(rows)
              : table.columns().stream()
                  .map(
                      each ->
                          each.nullable() ? values.nullable(each.type()) : values.of(each.type()))
                  .toList();
      if (table.primaryKey().isEmpty() || known.add(key(table, row))) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static List<String> key(Table table, List<String> row) {
    List<String> key = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      if (table.primaryKey().contains(table.columns().get(i).name())) {
        key.add(row.get(i));
      }
    }
    return key;
  }

  /** The same with another table by the name of one. */
  Database with(Table other) {
    return new Database(
        tables.stream().map(each -> each.name().equals(other.name()) ? other : each).toList());
  }

  /** The statements that make it in one database. */
  List<String> script() {
    List<String> script = new ArrayList<>();
    for (Table table : tables) {
      script.add(table.create());
      script.addAll(table.insert());
    }
    return script;
  }
}
