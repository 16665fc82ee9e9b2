package io.uniserve.sql.whole;

import com.fasterxml.jackson.databind.JsonNode;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.syntax.SqlTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names in a query: tables, functions and all others. A name that is neither a table of the
 * warehouse nor a query of {@code WITH} nor an allowed function is refused.
 */
final class Reading {
  private final Tree tree;
  private final String qualifier;
  private final Map<String, SqlTable> known = new LinkedHashMap<>();
  private final Map<String, SqlTable> read = new LinkedHashMap<>();
  private final List<JsonNode> qualified = new ArrayList<>();
  private final Set<String> words = new HashSet<>();
  private final List<JsonNode> names = new ArrayList<>();
  private final Set<String> aliases = new HashSet<>();
  private boolean needsAllColumns;

  /**
   * Makes a reading.
   *
   * @param qualifier the allowed qualifier of table names
   * @param tables the existing tables
   */
  private Reading(Tree tree, String qualifier, List<SqlTable> tables) {
    this.tree = tree;
    this.qualifier = qualifier;
    tables.forEach(table -> known.put(table.name(), table));
  }

  /**
   * Reads a query.
   *
   * @throws UniserveException naming the name that is not allowed, and its place
   */
  static Reading of(Tree tree, String qualifier, List<SqlTable> tables) {
    Reading reading = new Reading(tree, qualifier, tables);
    reading.visit(tree.root(), Scope.EMPTY);
    reading.checkNames();
    return reading;
  }

  /** Returns all qualifiers of table names, in lower case. */
  static Set<String> qualifiers(Tree tree) {
    Set<String> qualifiers = new TreeSet<>();
    for (JsonNode schema : tree.root().findValues("schema_name")) {
      if (!schema.asText().isEmpty()) {
        qualifiers.add(schema.asText().toLowerCase(Locale.ROOT));
      }
    }
    return qualifiers;
  }

  /** Returns whether a query names tables, or queries of {@code WITH}. */
  static boolean namesTables(Tree tree) {
    return tree.root().findValue("table_name") != null;
  }

  /** Returns the tables that it reads, in the order in which they are named first. */
  List<SqlTable> tables() {
    return List.copyOf(read.values());
  }

  /** Returns the parts that name a table, or a column of one, with its qualifier. */
  List<JsonNode> qualified() {
    return qualified;
  }

  /** Returns the columns of a table that the query may need, at least one. */
  List<String> columnsOf(SqlTable table) {
    List<String> all = table.columns().stream().map(column -> column.name()).toList();
    List<String> needed = needsAllColumns ? all : all.stream().filter(words::contains).toList();
    return needed.isEmpty() ? all.subList(0, 1) : needed;
  }

  private void visit(JsonNode node, Optional<Scope> scope) {
    if (node.isTextual()) {
      words.add(node.asText().toLowerCase(Locale.ROOT));
    } else if (node.isArray()) {
      node.forEach(each -> visit(each, scope));
    } else if (node.isObject()) {
      look(node, scope);
      Optional<Scope> inner = named(node, scope);
      node.properties()
          .forEach(
              field -> {
                if (!field.getKey().equals("cte_map")) {
                  visit(field.getValue(), inner);
                }
              });
    }
  }

  /** Reads the queries of {@code WITH} before a part; each sees those before it. */
  private Optional<Scope> named(JsonNode node, Optional<Scope> scope) {
    Optional<Scope> inner = scope;
    for (JsonNode entry : node.path("cte_map").path("map")) {
      String name = entry.path("key").asText();
      Optional<Scope> after = Scope.with(inner, name);
      JsonNode query = entry.path("value");
      boolean isRecursive =
          query.path("query").path("node").path("type").asText().equals("RECURSIVE_CTE_NODE");
      visit(query, isRecursive ? after : inner);
      inner = after;
    }
    return inner;
  }

  private void look(JsonNode node, Optional<Scope> scope) {
    switch (node.path("type").asText()) {
      case "BASE_TABLE" -> table(node, scope);
      case "TABLE_FUNCTION" ->
          refuse(
              node, Functions.refusalOfRows(node.path("function").path("function_name").asText()));
      case "SHOW_REF" -> show(node);
      case "STAR", "POSITIONAL_REFERENCE", "PIVOT" -> needsAllColumns = true;
      case "JOIN" -> needsAllColumns |= node.path("ref_type").asText().equals("NATURAL");
      case "COLUMN_REF" -> names.add(node);
      default -> {
        // other parts name nothing
      }
    }
    if (node.path("export_state").asBoolean()) {
      refuse(node, Optional.of("EXPORT_STATE" + Functions.OF_STATES));
    }
    if (node.has("function_name")) {
      refuse(node, Functions.refusal(node.path("function_name").asText()));
    }
  }

  private void refuse(JsonNode node, Optional<String> why) {
    if (why.isPresent()) {
      throw new UniserveException(ErrorCode.UNSUPPORTED, "SQL: " + tree.place(node) + why.get());
    }
  }

  /** Reads a SHOW or DESCRIBE, which is allowed for a query or a table but not for the catalog. */
  private void show(JsonNode node) {
    if (!node.path("query").isObject()) {
      refuse(node, Optional.of("SHOW " + node.path("table_name").asText() + " is not supported"));
    }
    needsAllColumns = true;
  }

  private void table(JsonNode node, Optional<Scope> scope) {
    String name = node.path("table_name").asText();
    String schema = node.path("schema_name").asText();
    String catalog = node.path("catalog_name").asText();
    boolean isQualified = !schema.isEmpty() || !catalog.isEmpty();
    if (Scope.has(scope, name)
        && (!isQualified || catalog.isEmpty() && schema.equals("recurring"))) {
      return;
    }
    SqlTable table = known.get(name.toLowerCase(Locale.ROOT));
    if (table == null
        || isQualified && !(catalog.isEmpty() && schema.equalsIgnoreCase(qualifier))) {
      throw UniserveException.invalid(
          "SQL: "
              + tree.place(node)
              + "Object '"
              + (catalog.isEmpty() ? "" : catalog + ".")
              + (schema.isEmpty() ? "" : schema + ".")
              + name
              + "' not found");
    }
    read.put(table.name(), table);
    aliases.add(name.toLowerCase(Locale.ROOT));
    aliases.add(node.path("alias").asText().toLowerCase(Locale.ROOT));
    needsAllColumns |= !node.path("column_name_alias").isEmpty();
    if (isQualified) {
      qualified.add(node);
    }
  }

  /** Checks names of columns after all tables are known. */
  private void checkNames() {
    for (JsonNode node : names) {
      List<String> parts = new ArrayList<>();
      node.path("column_names").forEach(part -> parts.add(part.asText().toLowerCase(Locale.ROOT)));
      String last = parts.getLast();
      boolean isColumn = words.contains(last) && isColumn(last);
      needsAllColumns |= aliases.contains(last) && !isColumn;
      if (parts.size() == 1 && !isColumn) {
        refuse(node, Functions.refusalOfWord(last));
      }
      if (last.equals("rowid") && !isColumn) {
        refuse(node, Optional.of("'rowid': rows have no numbers"));
      }
      if (parts.size() > 2
          && parts.getFirst().equalsIgnoreCase(qualifier)
          && read.containsKey(parts.get(1))) {
        qualified.add(node);
      }
    }
  }

  private boolean isColumn(String name) {
    return read.values().stream().anyMatch(table -> table.indexOf(name) >= 0);
  }
}
