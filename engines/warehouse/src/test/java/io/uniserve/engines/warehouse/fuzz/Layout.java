package io.uniserve.engines.warehouse.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The partitioning of a database's tables over the actors of a warehouse.
 *
 * @param spread the end of each table's CREATE TABLE
 */
record Layout(Map<String, String> spread) {
  /** A random one. */
  static Layout random(Database database, Choices choices) {
    Map<String, String> spread = new LinkedHashMap<>();
    database.tables().forEach(table -> spread.put(table.name(), spread(table, choices)));
    return new Layout(spread);
  }

  private static String spread(Table table, Choices choices) {
    List<String> possible =
        table.columns().stream()
            .filter(column -> Type.SPREADING.contains(column.type()))
            .map(Table.Column::name)
            .filter(name -> table.primaryKey().isEmpty() || table.primaryKey().contains(name))
            .toList();
    return switch (choices.below(4)) {
      case 0 -> " replicated";
      case 1 -> "";
      default ->
          choices.some(possible).subList(0, 1).stream()
              .map(Table::quoted)
              .collect(Collectors.joining(", ", " partition by (", ")"));
    };
  }

  /** The columns that tell where the rows of a table are, if they say so. */
  Set<String> partitionColumns(Table table) {
    String clause = spread.get(table.name());
    return table.columns().stream()
        .map(Table.Column::name)
        .filter(name -> clause.isEmpty() || clause.contains("(" + Table.quoted(name) + ")"))
        .collect(Collectors.toSet());
  }

  /** The statements that make and fill the tables of a database. */
  List<String> script(Database database) {
    List<String> script = new ArrayList<>();
    for (Table table : database.tables()) {
      script.add(table.create() + spread.get(table.name()));
      script.addAll(table.insert());
    }
    return script;
  }
}
