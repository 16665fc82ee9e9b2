package io.uniserve.node.export;

import io.uniserve.api.RowFormat.Column;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The columns of a table's records and their types, for files that have to know them. */
public final class ExportColumns {
  private static final String ID = "id";
  private static final String SEVERAL = "[]";

  private ExportColumns() {}

  /**
   * Returns the columns of an export.
   *
   * @param table the document that describes the table
   * @param part the name of one of several SQL tables
   * @param fields the fields that are exported; none for all
   * @throws UniserveException if these are not known beforehand, naming why
   */
  public static List<Column> of(
      Map<String, Object> table, Optional<String> part, List<String> fields) {
    Map<String, Object> schema = Settings.object("the schema", table.get("schema"));
    String engine = String.valueOf(table.get("engine"));
    return switch (engine) {
      case "search" -> ofDocuments(Settings.object("fields", schema.get("fields")), fields);
      case "warehouse" -> ofRows(sqlTable(schema, part), fields);
      case "sharedscan" -> ofRows(schema, fields);
      case "olap" -> ofDatasource(schema, fields);
      default ->
          throw new UniserveException(
              ErrorCode.UNSUPPORTED,
              "tables of engine '" + engine + "' are exported as JSON lines, not with types");
    };
  }

  private static Map<String, Object> sqlTable(Map<String, Object> schema, Optional<String> part) {
    if (!schema.containsKey("tables")) {
      return schema;
    }
    Map<String, Object> tables = Settings.object("tables", schema.get("tables"));
    String name =
        part.or(() -> tables.size() == 1 ? tables.keySet().stream().findFirst() : Optional.empty())
            .orElseThrow(
                () ->
                    UniserveException.invalid(
                        "name the SQL table that is exported, one of " + tables.keySet()));
    if (!tables.containsKey(name)) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "the warehouse has no table '" + Excerpt.of(name) + "'");
    }
    return Settings.object(name, tables.get(name));
  }

  private static List<Column> ofRows(Map<String, Object> table, List<String> fields) {
    Map<String, String> types = new LinkedHashMap<>();
    Settings.object("columns", table.get("columns"))
        .forEach((name, type) -> types.put(name, sqlType(String.valueOf(type))));
    List<Column> columns = new ArrayList<>();
    for (String name : fields.isEmpty() ? types.keySet() : fields) {
      columns.add(column(name, types.get(name)));
    }
    return columns;
  }

  private static String sqlType(String declared) {
    String type = declared.replaceFirst("(?i)\\s+not\\s+null\\s*$", "");
    return type.regionMatches(true, 0, "enum", 0, "enum".length()) ? "varchar" : type;
  }

  /** Returns the columns of a datasource of Druid: its time, dimensions and metrics. */
  private static List<Column> ofDatasource(Map<String, Object> schema, List<String> fields) {
    Map<String, String> types = new LinkedHashMap<>();
    types.put("__time", "timestamp");
    Map<String, Object> spec = Settings.object("dimensionsSpec", schema.get("dimensionsSpec"));
    if (!(spec.get("dimensions") instanceof List<?> dimensions) || dimensions.isEmpty()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "the columns of a table without declared dimensions are not known beforehand; export it"
              + " as JSON lines");
    }
    for (Object dimension : dimensions) {
      if (dimension instanceof String name) {
        types.put(name, "varchar");
      } else {
        Map<String, Object> one = Settings.object("a dimension", dimension);
        types.put(String.valueOf(one.get("name")), druidType(String.valueOf(one.get("type"))));
      }
    }
    if (schema.get("metricsSpec") instanceof List<?> metrics) {
      for (Object metric : metrics) {
        Map<String, Object> one = Settings.object("a metric", metric);
        types.put(String.valueOf(one.get("name")), druidType(String.valueOf(one.get("type"))));
      }
    }
    List<Column> columns = new ArrayList<>();
    for (String name : fields.isEmpty() ? types.keySet() : fields) {
      columns.add(column(name, types.get(name)));
    }
    return columns;
  }

  /** Returns the type of what a type of dimensions or metrics stores; others have texts. */
  private static String druidType(String type) {
    if (type.equals("count") || type.equals("long") || type.matches("long(Sum|Min|Max)")) {
      return "bigint";
    }
    return type.matches("(double|float)(Sum|Min|Max)?") ? "double" : "varchar";
  }

  private static Column column(String name, String type) {
    if (type == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "the table has no column '" + Excerpt.of(name) + "'");
    }
    return new Column(name, type);
  }

  private static List<Column> ofDocuments(Map<String, Object> fields, List<String> wanted) {
    List<String> names = new ArrayList<>(List.of(ID));
    if (wanted.isEmpty()) {
      names.addAll(fields.keySet());
    }
    wanted.stream().filter(name -> !name.equals(ID)).forEach(names::add);
    List<Column> columns = new ArrayList<>();
    for (String name : names) {
      if (name.contains("*") || name.contains("?")) {
        throw new UniserveException(
            ErrorCode.UNSUPPORTED,
            "the fields of '" + name + "' are not known beforehand; name them by --fields");
      }
      columns.add(name.equals(ID) ? new Column(ID, "varchar") : ofField(name, fields));
    }
    return columns;
  }

  private static Column ofField(String name, Map<String, Object> fields) {
    String defined =
        fields.containsKey(name)
            ? name
            : fields.keySet().stream()
                .filter(pattern -> matches(pattern, name))
                .max((one, other) -> Integer.compare(one.length(), other.length()))
                .orElseThrow(
                    () ->
                        new UniserveException(
                            ErrorCode.NOT_FOUND, "undefined field '" + Excerpt.of(name) + "'"));
    Map<String, Object> field = Settings.object(defined, fields.get(defined));
    String type =
        switch (String.valueOf(field.getOrDefault("type", "text"))) {
          case "long" -> "bigint";
          case "double" -> "double";
          case "date" -> "timestamp";
          default -> "varchar";
        };
    boolean several = Boolean.TRUE.equals(field.get("multiValued"));
    return new Column(name, several ? type + SEVERAL : type);
  }

  private static boolean matches(String pattern, String name) {
    return pattern.startsWith("*") && name.endsWith(pattern.substring(1))
        || pattern.endsWith("*") && name.startsWith(pattern.substring(0, pattern.length() - 1));
  }
}
