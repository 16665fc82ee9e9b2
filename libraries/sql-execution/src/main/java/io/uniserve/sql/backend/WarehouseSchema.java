package io.uniserve.sql.backend;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.planner.PartitionKind;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.SqlType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The SQL tables of a warehouse, read from its schema: {@code {"tables": {NAME: TABLE}}}, or a
 * single TABLE, which then has the warehouse's name; or nothing, if SQL statements create the
 * tables. A TABLE is
 *
 * <pre>{@code
 * {"columns": {"o_orderkey": "bigint not null", "o_totalprice": "decimal(15,2)"},
 *  "partitionBy": ["o_orderkey"], "primaryKey": ["o_orderkey"]}
 * }</pre>
 *
 * or has {@code "replicated": true} in the place of {@code partitionBy}. A table that SQL created
 * also has the name under which it is {@code stored}. After the first change the schema has its
 * {@code revision} and the tables that are {@code building}, which statements cannot name yet.
 *
 * @param revision the number of changes of the schema
 * @param tables the tables, by name
 * @param building the tables whose rows are being stored, each under a unique id
 */
public record WarehouseSchema(
    long revision, Map<String, SqlTable> tables, Map<String, Building> building) {
  /** The most columns of a table. */
  public static final int COLUMNS_MAX = 1_000;

  /** The longest name of a table or a column. */
  public static final int NAME_CHARS_MAX = 63;

  private static final int TABLES_MAX = 200;

  private static final String TABLES = "tables";
  private static final String REVISION = "revision";
  private static final String BUILDING = "building";
  private static final String STORED = "stored";
  private static final String SINCE = "sinceMillis";
  private static final Pattern NAME =
      Pattern.compile("[a-z_][a-z0-9_]{0," + (NAME_CHARS_MAX - 1) + "}");
  private static final Pattern STORED_NAME = Pattern.compile(NAME + "(#\\d{1,18})?");
  private static final Pattern NOT_NULL = Pattern.compile("(?i)\\s+not\\s+null\\s*$");
  private static final Set<String> KEYS =
      Set.of("columns", "partitionBy", "primaryKey", "replicated", STORED);

  /**
   * A table that becomes visible once it has its rows.
   *
   * @param table the table
   * @param sinceMillis the time at which it was begun, in milliseconds since 1970
   */
  public record Building(SqlTable table, long sinceMillis) {}

  /** Copies the maps, keeps their order, and checks that no two tables share a stored name. */
  public WarehouseSchema {
    tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
    building = Collections.unmodifiableMap(new LinkedHashMap<>(building));
    int size = tables.size() + building.size();
    require(size <= TABLES_MAX, "a warehouse has at most " + TABLES_MAX + " tables");
    Set<String> names = new HashSet<>();
    tables.values().forEach(table -> names.add(table.stored()));
    building.values().forEach(each -> names.add(each.table().stored()));
    require(names.size() == size, "schema: two tables are stored under one name");
  }

  /**
   * Reads a schema. *
   *
   * @throws UniserveException naming the part that is wrong
   */
  public static WarehouseSchema of(TableDefinition definition) {
    return of(definition.name(), definition.schema());
  }

  /**
   * Reads a schema.
   *
   * @param warehouse the warehouse's name, which a schema of one table may lack
   * @throws UniserveException naming the part that is wrong
   */
  public static WarehouseSchema of(String warehouse, Map<String, Object> schema) {
    Map<String, SqlTable> tables = new LinkedHashMap<>();
    Map<String, Building> building = new LinkedHashMap<>();
    if (schema.containsKey(TABLES)) {
      require(
          Set.of(TABLES, REVISION, BUILDING).containsAll(schema.keySet()),
          "schema: nothing stands beside 'tables'");
      object(TABLES, schema.get(TABLES))
          .forEach(
              (name, table) ->
                  tables.put(
                      tableName(name), table(tableName(name), object(tableName(name), table))));
      object(BUILDING, schema.getOrDefault(BUILDING, Map.of()))
          .forEach(
              (id, table) -> building.put(String.valueOf(id), building(object(BUILDING, table))));
    } else if (!schema.isEmpty()) {
      String name = warehouse.replace('-', '_');
      tables.put(name, table(name, schema));
    }
    return new WarehouseSchema(
        number(REVISION, schema.getOrDefault(REVISION, 0L)), tables, building);
  }

  private static Building building(Map<?, ?> document) {
    Map<Object, Object> table = new LinkedHashMap<>(document);
    long since = number(SINCE, table.remove(SINCE));
    return new Building(table(tableName(table.remove("name")), table), since);
  }

  private static long number(String what, Object given) {
    if (given instanceof Number number && number.longValue() >= 0) {
      return number.longValue();
    }
    throw UniserveException.invalid("schema: " + what + " must be a number of at least 0");
  }

  /** Returns the document that {@link #of} reads as this schema. */
  public Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put(REVISION, revision);
    Map<String, Object> all = new LinkedHashMap<>();
    tables.forEach((name, table) -> all.put(name, document(table)));
    document.put(TABLES, all);
    if (!building.isEmpty()) {
      Map<String, Object> begun = new LinkedHashMap<>();
      building.forEach(
          (id, each) -> {
            Map<String, Object> table = document(each.table());
            table.put("name", each.table().name());
            table.put(SINCE, each.sinceMillis());
            begun.put(id, table);
          });
      document.put(BUILDING, begun);
    }
    return document;
  }

  /**
   * Returns a document of the same schema in which every table has its name, so that the
   * warehouse's name does not matter.
   *
   * @param document the document that {@link #of} read
   */
  public Map<String, Object> named(Map<String, Object> document) {
    return document.isEmpty() || document.containsKey(TABLES) ? document : document();
  }

  /**
   * Checks that a warehouse can have a table, and returns it.
   *
   * @throws UniserveException naming the part that is wrong
   */
  public static SqlTable checked(SqlTable table) {
    return table(tableName(table.name()), document(table));
  }

  private static Map<String, Object> document(SqlTable table) {
    Map<String, Object> document = new LinkedHashMap<>();
    Map<String, Object> columns = new LinkedHashMap<>();
    table
        .columns()
        .forEach(
            column ->
                columns.put(
                    column.name(),
                    column.type().toString().toLowerCase(Locale.ROOT)
                        + (column.nullable() ? "" : " not null")));
    document.put("columns", columns);
    if (table.replicated()) {
      document.put("replicated", true);
    } else {
      document.put("partitionBy", table.partitionBy());
    }
    if (!table.primaryKey().isEmpty()) {
      document.put("primaryKey", table.primaryKey());
    }
    if (!table.stored().equals(table.name())) {
      document.put(STORED, table.stored());
    }
    return document;
  }

  /** Returns all tables in the databases of the actors, including those that are being built. */
  public Map<String, SqlTable> stored() {
    Map<String, SqlTable> all = new LinkedHashMap<>();
    tables.values().forEach(table -> all.put(table.stored(), table));
    building.values().forEach(each -> all.put(each.table().stored(), each.table()));
    return all;
  }

  /**
   * Returns a table in the databases of the actors.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if they do not have it yet, or any
   *     more
   */
  public SqlTable stored(String name) {
    SqlTable table = stored().get(name);
    if (table == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND,
          "table '" + name.replaceFirst("#.*", "") + "' was dropped, or made anew, meanwhile");
    }
    return table;
  }

  private static SqlTable table(String name, Map<?, ?> document) {
    for (Object key : document.keySet()) {
      require(
          KEYS.contains(key), "table '" + name + "': unknown key '" + key + "', known are " + KEYS);
    }
    List<SqlColumn> columns = new ArrayList<>();
    object(name + ": columns", document.get("columns"))
        .forEach((column, type) -> columns.add(column(columnName(column), type)));
    require(
        !columns.isEmpty() && columns.size() <= COLUMNS_MAX,
        "table '" + name + "': 1 to " + COLUMNS_MAX + " columns");
    List<String> key = columnNames(name + ": primaryKey", document.get("primaryKey"));
    List<String> spread = columnNames(name + ": partitionBy", document.get("partitionBy"));
    boolean replicated = Boolean.TRUE.equals(document.get("replicated"));
    require(
        replicated == spread.isEmpty(),
        "table '" + name + "': needs either partitionBy or replicated: true");
    Object stored = document.get(STORED);
    require(
        stored == null || stored instanceof String text && STORED_NAME.matcher(text).matches(),
        "table '" + name + "': it cannot be stored as " + stored);
    SqlTable table =
        new SqlTable(name, stored == null ? name : (String) stored, columns, spread, key);
    require(
        key.isEmpty() || key.containsAll(spread),
        "table '" + name + "': primaryKey lacks columns of partitionBy");
    key.forEach(column -> requireNotNull(table, column));
    spread.forEach(
        column ->
            require(
                PartitionKind.of(column(table, column).type()) != PartitionKind.OTHER,
                "table '"
                    + name
                    + "': rows are spread by whole numbers, texts and dates, not by "
                    + column));
    return table;
  }

  private static void requireNotNull(SqlTable table, String name) {
    require(
        !column(table, name).nullable(),
        "table '" + table.name() + "': column '" + name + "' of a key must be not null");
  }

  private static SqlColumn column(SqlTable table, String name) {
    int index = table.indexOf(name);
    require(index >= 0, "table '" + table.name() + "': no column '" + name + "'");
    return table.columns().get(index);
  }

  private static SqlColumn column(String name, Object type) {
    require(type instanceof String, "column '" + name + "': its type must be a text, not " + type);
    String text = (String) type;
    String bare = NOT_NULL.matcher(text).replaceFirst("");
    return new SqlColumn(name, SqlType.of(bare), bare.length() == text.length());
  }

  /** Returns the name of a column, in lower case. */
  private static String columnName(Object given) {
    return name("column", given);
  }

  /** Returns the name of a table, in lower case. */
  private static String tableName(Object given) {
    return name("table", given);
  }

  private static String name(String what, Object given) {
    String name = String.valueOf(given).toLowerCase(Locale.ROOT);
    require(
        NAME.matcher(name).matches(),
        ("'%s' is no name of a %s: one has 1 to %d letters a to z, digits and _, and does not"
                + " begin with a digit")
            .formatted(Excerpt.of(name), what, NAME_CHARS_MAX));
    return name;
  }

  private static List<String> columnNames(String what, Object given) {
    return switch (given) {
      case null -> List.of();
      case String one -> List.of(columnName(one));
      case List<?> many -> many.stream().map(WarehouseSchema::columnName).distinct().toList();
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
   * Returns a SQL table.
   *
   * @throws UniserveException if there is none of this name
   */
  public SqlTable table(String name) {
    SqlTable table = tables.get(name);
    require(table != null, "no table '" + name + "' in this warehouse");
    return table;
  }
}
