package io.uniserve.gateways.druid.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.avatica.Meta.Pat;
import org.apache.druid.sql.calcite.planner.Calcites;

/**
 * The questions of JDBC about catalogs, schemas, tables and columns, as queries of {@code
 * INFORMATION_SCHEMA}. Their columns are those that JDBC names.
 */
final class JdbcQuestions {
  static final String CATALOGS =
      "SELECT DISTINCT CATALOG_NAME AS TABLE_CAT FROM INFORMATION_SCHEMA.SCHEMATA ORDER BY 1";
  static final String TABLE_TYPES =
      "SELECT DISTINCT TABLE_TYPE FROM INFORMATION_SCHEMA.TABLES ORDER BY 1";

  private static final String NO_TEXT = "CAST(NULL AS VARCHAR)";
  private static final String NO_NUMBER = "CAST(NULL AS BIGINT)";

  private JdbcQuestions() {}

  static String schemas(String catalog, Pat schemas) {
    List<String> conditions = new ArrayList<>();
    equal(conditions, "CATALOG_NAME", catalog);
    like(conditions, "SCHEMA_NAME", schemas);
    return "SELECT SCHEMA_NAME AS TABLE_SCHEM, CATALOG_NAME AS TABLE_CATALOG FROM"
        + " INFORMATION_SCHEMA.SCHEMATA"
        + where(conditions)
        + " ORDER BY 2, 1";
  }

  static String tables(String catalog, Pat schemas, Pat tables, List<String> types) {
    List<String> conditions = new ArrayList<>();
    equal(conditions, "TABLE_CATALOG", catalog);
    like(conditions, "TABLE_SCHEMA", schemas);
    like(conditions, "TABLE_NAME", tables);
    if (types != null) {
      conditions.add(
          types.isEmpty()
              ? "1 = 0"
              : types.stream()
                  .map(Calcites::escapeStringLiteral)
                  .collect(Collectors.joining(", ", "TABLE_TYPE IN (", ")")));
    }
    return "SELECT TABLE_CATALOG AS TABLE_CAT, TABLE_SCHEMA AS TABLE_SCHEM, TABLE_NAME, TABLE_TYPE"
        + nulls(
            NO_TEXT,
            "REMARKS",
            "TYPE_CAT",
            "TYPE_SCHEM",
            "TYPE_NAME",
            "SELF_REFERENCING_COL_NAME",
            "REF_GENERATION")
        + " FROM INFORMATION_SCHEMA.TABLES"
        + where(conditions)
        + " ORDER BY 4, 1, 2, 3";
  }

  static String columns(String catalog, Pat schemas, Pat tables, Pat columns) {
    List<String> conditions = new ArrayList<>();
    equal(conditions, "TABLE_CATALOG", catalog);
    like(conditions, "TABLE_SCHEMA", schemas);
    like(conditions, "TABLE_NAME", tables);
    like(conditions, "COLUMN_NAME", columns);
    return "SELECT TABLE_CATALOG AS TABLE_CAT, TABLE_SCHEMA AS TABLE_SCHEM, TABLE_NAME,"
        + " COLUMN_NAME, CAST(JDBC_TYPE AS INTEGER) AS DATA_TYPE, DATA_TYPE AS TYPE_NAME"
        + nulls(NO_NUMBER, "COLUMN_SIZE", "BUFFER_LENGTH", "DECIMAL_DIGITS")
        + ", CAST(10 AS INTEGER) AS NUM_PREC_RADIX"
        + ", CASE IS_NULLABLE WHEN 'YES' THEN 1 ELSE 0 END AS NULLABLE"
        + nulls(NO_TEXT, "REMARKS", "COLUMN_DEF")
        + nulls(NO_NUMBER, "SQL_DATA_TYPE", "SQL_DATETIME_SUB", "CHAR_OCTET_LENGTH")
        + ", CAST(ORDINAL_POSITION AS INTEGER) AS ORDINAL_POSITION, IS_NULLABLE"
        + nulls(NO_TEXT, "SCOPE_CATALOG", "SCOPE_SCHEMA", "SCOPE_TABLE")
        + nulls(NO_NUMBER, "SOURCE_DATA_TYPE")
        + ", 'NO' AS IS_AUTOINCREMENT, 'NO' AS IS_GENERATEDCOLUMN"
        + " FROM INFORMATION_SCHEMA.COLUMNS"
        + where(conditions)
        + " ORDER BY 1, 2, 3, 17";
  }

  private static String nulls(String value, String... names) {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      text.append(", ").append(value).append(" AS ").append(name);
    }
    return text.toString();
  }

  private static void equal(List<String> conditions, String column, String value) {
    if (value != null) {
      conditions.add(column + " = " + Calcites.escapeStringLiteral(value));
    }
  }

  private static void like(List<String> conditions, String column, Pat pattern) {
    if (pattern.s != null) {
      conditions.add(column + " LIKE " + Calcites.escapeStringLiteral(pattern.s) + " ESCAPE '\\'");
    }
  }

  private static String where(List<String> conditions) {
    return conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
  }
}
