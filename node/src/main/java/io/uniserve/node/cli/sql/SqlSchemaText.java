package io.uniserve.node.cli.sql;

import io.uniserve.node.json.Settings;
import io.uniserve.node.text.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The schema of a warehouse, for people.
 *
 * @param tables the columns of each SQL table and their types, by name
 */
record SqlSchemaText(SortedMap<String, Map<String, Object>> tables) {

  /**
   * Returns the schema in the document that describes a warehouse.
   *
   * @param warehouse its name, which the only table of a warehouse without names has
   */
  static SqlSchemaText of(String warehouse, Map<String, Object> document) {
    Map<String, Object> schema = Settings.object("schema", document.get("schema"));
    Map<String, Object> all =
        schema.containsKey("tables")
            ? Settings.object("tables", schema.get("tables"))
            : schema.isEmpty() ? Map.of() : Map.of(warehouse, schema);
    SortedMap<String, Map<String, Object>> tables = new TreeMap<>();
    all.forEach(
        (name, table) ->
            tables.put(
                name, Settings.object("columns", Settings.object(name, table).get("columns"))));
    return new SqlSchemaText(tables);
  }

  /** Returns a line for each column. */
  List<String> lines() {
    Columns text = new Columns();
    text.row("table", "column", "type");
    tables.forEach(
        (table, columns) -> columns.forEach((name, type) -> text.row(table, name, type)));
    return text.lines();
  }

  /** Returns the names of tables and columns. */
  List<String> names() {
    SortedSet<String> names = new TreeSet<>(tables.keySet());
    tables.values().forEach(columns -> names.addAll(columns.keySet()));
    return new ArrayList<>(names);
  }
}
