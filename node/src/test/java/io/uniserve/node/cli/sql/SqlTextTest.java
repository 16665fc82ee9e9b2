package io.uniserve.node.cli.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.text.Style;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SqlTextTest {
  private static final List<Map<String, String>> COLUMNS =
      List.of(Map.of("name", "region"), Map.of("name", "total"));

  private static List<String> shown(String statement, List<?> columns, List<?> rows) {
    return new SqlText(new Style(false))
        .lines(
            statement,
            Map.of("result", Map.of("columns", columns, "rows", rows), "tookMillis", 12.0));
  }

  @Test
  void nullIsToldFromAnEmptyText() {
    assertThat(
            shown(
                "select region, total from t",
                COLUMNS,
                List.of(Arrays.asList(null, 1_200L), List.of("", -5L), Arrays.asList("x", null))))
        .containsExactly(
            "region  total", "NULL     1200", "           -5", "x        NULL", "3 rows in 12 ms");
  }

  @Test
  void aChangeSaysWhatItHasDone() {
    assertThat(changed("create table t (a int)", 0)).isEqualTo("created in 12 ms");
    assertThat(changed("CREATE TABLE t AS SELECT 1", 1)).isEqualTo("created with 1 row in 12 ms");
    assertThat(changed("drop table t", 0)).isEqualTo("dropped in 12 ms");
    assertThat(changed("insert into t values (1)", 1)).isEqualTo("1 row changed in 12 ms");
    assertThat(changed("-- all\n/* of\nit */ delete from t", 1_500))
        .isEqualTo("1,500 rows changed in 12 ms");
  }

  private static String changed(String statement, long rows) {
    List<String> lines =
        shown(statement, List.of(Map.of("name", "changed")), List.of(List.of(rows)));
    assertThat(lines).hasSize(1);
    return lines.getFirst();
  }
}
