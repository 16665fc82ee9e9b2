package io.uniserve.engines.warehouse;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlplanner.PartitionKind;
import io.uniserve.sqlplanner.SqlColumn;
import io.uniserve.sqlplanner.SqlTable;
import io.uniserve.sqlplanner.SqlType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The SQL tables of a warehouse, read from its schema: {@code {"tables": {NAME: TABLE}}}, or one
 * TABLE alone, which then has the warehouse's name. A TABLE is
 *
 * <pre>{@code
 * {"columns": {"o_orderkey": "bigint not null", "o_totalprice": "decimal(15,2)"},
 *  "partitionBy": ["o_orderkey"], "primaryKey": ["o_orderkey"]}
 * }</pre>
 *
 * or has {@code "replicated": true} in the place of {@code partitionBy}.
 *
 * @param tables by name
 */
public record WarehouseSchema(Map<String, SqlTable> tables) {
  private static final int TABLES_MAX = 200;
  private static final int COLUMNS_MAX = 1_000;
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
  private static final Pattern NOT_NULL = Pattern.compile("(?i)\\s+not\\s+null\\s*$");
  private static final Set<String> KEYS =
      Set.of("columns", "partitionBy", "primaryKey", "replicated");

  /**
   * Reads a schema.
   *
   * @throws UniserveException naming what is wrong in it
   */
  static WarehouseSchema of(TableDefinition definition) {
    Map<String, Object> schema = definition.schema();
    Map<String, SqlTable> tables = new LinkedHashMap<>();
    if (schema.containsKey("tables")) {
      require(schema.size() == 1, "schema: nothing stands beside 'tables'");
      Map<?, ?> all = object("tables", schema.get("tables"));
      require(!all.isEmpty() && all.size() <= TABLES_MAX, "schema: 1 to " + TABLES_MAX + " tables");
      all.forEach(
          (name, table) -> tables.put(name(name), table(name(name), object(name(name), table))));
    } else {
      String name = definition.name().replace('-', '_');
      tables.put(name, table(name, schema));
    }
    return new WarehouseSchema(tables);
  }

  private static SqlTable table(String name, Map<?, ?> document) {
    for (Object key : document.keySet()) {
      require(
          KEYS.contains(key), "table '" + name + "': unknown key '" + key + "', known are " + KEYS);
    }
    List<SqlColumn> columns = new ArrayList<>();
    object(name + ": columns", document.get("columns"))
        .forEach((column, type) -> columns.add(column(name(column), type)));
    require(
        !columns.isEmpty() && columns.size() <= COLUMNS_MAX,
        "table '" + name + "': 1 to " + COLUMNS_MAX + " columns");
    List<String> key = names(name + ": primaryKey", document.get("primaryKey"));
    List<String> spread = names(name + ": partitionBy", document.get("partitionBy"));
    boolean replicated = Boolean.TRUE.equals(document.get("replicated"));
    require(
        replicated == spread.isEmpty(),
        "table '" + name + "': needs either partitionBy or replicated: true");
    SqlTable table = new SqlTable(name, columns, spread, key);
    require(
        key.isEmpty() || key.containsAll(spread),
        "table '" + name + "': primaryKey lacks columns of partitionBy");
    key.forEach(column -> keyColumn(table, column));
    spread.forEach(
        column ->
            require(
                PartitionKind.of(keyColumn(table, column).type()) != PartitionKind.OTHER,
                "table '"
                    + name
                    + "': rows are spread by whole numbers, texts and dates, not by "
                    + column));
    return table;
  }

  private static SqlColumn keyColumn(SqlTable table, String name) {
    int index = table.indexOf(name);
    require(index >= 0, "table '" + table.name() + "': no column '" + name + "'");
    SqlColumn column = table.columns().get(index);
    require(
        !column.nullable(),
        "table '" + table.name() + "': column '" + name + "' of a key must be not null");
    return column;
  }

  private static SqlColumn column(String name, Object type) {
    require(type instanceof String, "column '" + name + "': its type must be a text, not " + type);
    String text = (String) type;
    String bare = NOT_NULL.matcher(text).replaceFirst("");
    return new SqlColumn(name, SqlType.of(bare), bare.length() == text.length());
  }

  private static String name(Object given) {
    String name = String.valueOf(given).toLowerCase(Locale.ROOT);
    require(
        NAME.matcher(name).matches(),
        "'" + name + "': letters, digits and _, at most 63, no digit first");
    return name;
  }

  private static List<String> names(String what, Object given) {
    return switch (given) {
      case null -> List.of();
      case String one -> List.of(name(one));
      case List<?> many -> many.stream().map(WarehouseSchema::name).distinct().toList();
      default -> throw UniserveException.invalid("schema: " + what + " must be a list of columns");
    };
  }

  private static Map<?, ?> object(String what, Object given) {
    if (given instanceof Map<?, ?> map) {
      return map;
    }
    throw UniserveException.invalid("schema: " + what + " must be an object");
  }

  private static void require(boolean met, String message) {
    if (!met) {
      throw UniserveException.invalid(message);
    }
  }

  /**
   * A SQL table.
   *
   * @throws UniserveException if there is none of this name
   */
  SqlTable table(String name) {
    SqlTable table = tables.get(name);
    require(table != null, "no table '" + name + "' in this warehouse");
    return table;
  }
}
