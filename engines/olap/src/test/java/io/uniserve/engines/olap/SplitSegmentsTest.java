package io.uniserve.engines.olap;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.query.Replay;
import io.uniserve.testkit.local.Batch;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of segments that hold some rows of other ones. */
class SplitSegmentsTest {
  @TempDir Path directory;

  /** The dictionary of such a segment has values that no row has, here all but two. */
  @Test
  void filtersReadTheIndexesOfValuesThatNoRowHas() throws IOException {
    TableDefinition definition =
        new TableDefinition(
            "edits",
            OlapEngine.NAME,
            new Partitioner.Hash(1),
            1,
            Durability.NONE,
            Map.of(
                "timestampSpec",
                Map.of("column", "time", "format", "millis"),
                "dimensionsSpec",
                Map.of("dimensions", List.of("page")),
                "metricsSpec",
                List.of(Map.of("type", "count", "name", "edits"))));
    try (LocalTable<?> table = LocalTable.create(new OlapEngine(), definition, directory)) {
      List<Map<String, Object>> edits =
          IntStream.range(0, 40)
              .<Map<String, Object>>mapToObj(
                  i -> Map.of("time", (long) i, "page", "page %02d".formatted(i)))
              .toList();
      table.update(Batch.of(new AppendRows(), new OlapPlanner().records(definition, edits)));
      table.updateAll(new Compact());
      table.updateAll(new ReplaceInterval(0, 7));
      table.updateAll(new ReplaceInterval(8, 31));
      table.updateAll(new ReplaceInterval(32, 40));

      assertThat(table.query(Replay.plan(counting("page 0", "page 4"))))
          .isEqualTo(
              List.of(
                  Map.of("timestamp", "1970-01-01T00:00:00.007Z", "result", Map.of("edits", 2L))));
    }
  }

  private static String counting(String from, String to) {
    return """
    {"queryType":"timeseries","dataSource":"edits","intervals":["1970/1971"],"granularity":"all",
     "filter":{"type":"range","column":"page","matchValueType":"STRING","lower":"%s","upper":"%s"},
     "aggregations":[{"type":"longSum","name":"edits","fieldName":"edits"}]}"""
        .formatted(from, to);
  }
}
