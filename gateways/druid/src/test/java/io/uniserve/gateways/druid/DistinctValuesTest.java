package io.uniserve.gateways.druid;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.OlapEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of counts of distinct values, whether results of several actors are merged or not. */
class DistinctValuesTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void theEmptyTextCounts(int actors, @TempDir Path directory) {
    TableDefinition table =
        new TableDefinition(
            "edits",
            OlapEngine.NAME,
            new Partitioner.Hash(actors),
            1,
            Durability.NONE,
            Map.of(
                "timestampSpec",
                Map.of("column", "time", "format", "iso"),
                "dimensionsSpec",
                Map.of("dimensions", List.of("page")),
                "metricsSpec",
                List.of(Map.of("type", "hyperUnique", "name", "pages", "fieldName", "page"))));
    try (LocalDruid druid = new LocalDruid(table, directory)) {
      druid.client.load(List.of(edit(""), edit("Main"), edit("Talk"), edit("Main")));
      String statement =
          "SELECT COUNT(DISTINCT page), APPROX_COUNT_DISTINCT(pages), MIN(n) FROM edits, (SELECT"
              + " COUNT(DISTINCT page) AS n FROM edits GROUP BY FLOOR(__time TO DAY))";
      LocalDruid.Answer answer =
          druid.post(
              "/v2/sql", "{\"query\":\"%s\",\"resultFormat\":\"arrayLines\"}".formatted(statement));
      assertThat(answer.text().trim()).isEqualTo("[3,3,3]");
    }
  }

  private static Map<String, Object> edit(String page) {
    return Map.of("time", "2024-05-01T10:00:00Z", "page", page);
  }
}
