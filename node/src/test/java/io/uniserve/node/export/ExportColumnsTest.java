package io.uniserve.node.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.RowFormat.Column;
import io.uniserve.api.error.UniserveException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the columns that files with types have. */
class ExportColumnsTest {
  private static Map<String, Object> table(String engine, Map<String, Object> schema) {
    return Map.of("engine", engine, "schema", schema);
  }

  private static List<Column> columns(Map<String, Object> table, String... fields) {
    return ExportColumns.of(table, Optional.empty(), List.of(fields));
  }

  @Test
  void aTableOfSharedScansHasItsTypes() {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("rloc", "varchar(6) not null");
    columns.put("class", "ENUM('F','Y') not null");
    columns.put("fare", "decimal(10,2)");
    Map<String, Object> table =
        table("sharedscan", Map.of("columns", columns, "partitionBy", "rloc"));
    assertThat(columns(table))
        .containsExactly(
            new Column("rloc", "varchar(6)"),
            new Column("class", "varchar"),
            new Column("fare", "decimal(10,2)"));
    assertThat(columns(table, "fare")).containsExactly(new Column("fare", "decimal(10,2)"));
    assertThatThrownBy(() -> columns(table, "none"))
        .isInstanceOf(UniserveException.class)
        .hasMessage("the table has no column 'none'");
  }

  @Test
  void aDatasourceHasItsTimeDimensionsAndMetrics() {
    Map<String, Object> table =
        table(
            "olap",
            Map.of(
                "dimensionsSpec",
                Map.of("dimensions", List.of("page", Map.of("type", "long", "name", "size"))),
                "metricsSpec",
                List.of(
                    Map.of("type", "count", "name", "edits"),
                    Map.of("type", "doubleSum", "name", "cost", "fieldName", "cost"),
                    Map.of("type", "hyperUnique", "name", "users", "fieldName", "user"))));
    assertThat(columns(table))
        .containsExactly(
            new Column("__time", "timestamp"),
            new Column("page", "varchar"),
            new Column("size", "bigint"),
            new Column("edits", "bigint"),
            new Column("cost", "double"),
            new Column("users", "varchar"));
    assertThatThrownBy(() -> columns(table("olap", Map.of("dimensionsSpec", Map.of()))))
        .hasMessageContaining("not known beforehand");
  }
}
