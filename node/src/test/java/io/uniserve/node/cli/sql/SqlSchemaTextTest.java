package io.uniserve.node.cli.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SqlSchemaTextTest {
  private static final Map<String, Object> SALES =
      Map.of("columns", Map.of("id", "bigint not null"));
  private static final Map<String, Object> SHOPS = Map.of("columns", Map.of("name", "varchar"));

  @Test
  void theOnlyTableOfAWarehouseHasItsName() {
    SqlSchemaText schema = SqlSchemaText.of("sales", Map.of("schema", SALES));
    assertThat(schema.lines())
        .containsExactly("table  column  type", "sales  id      bigint not null");
    assertThat(schema.names()).containsExactly("id", "sales");
  }

  @Test
  void severalTablesHaveNamesOfTheirOwn() {
    SqlSchemaText schema =
        SqlSchemaText.of(
            "trade", Map.of("schema", Map.of("tables", Map.of("sales", SALES, "shops", SHOPS))));
    assertThat(schema.lines())
        .containsExactly(
            "table  column  type", "sales  id      bigint not null", "shops  name    varchar");
    assertThat(schema.names()).containsExactly("id", "name", "sales", "shops");
  }
}
