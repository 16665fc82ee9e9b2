package io.uniserve.engines.olap.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.AppendRows;
import io.uniserve.engines.olap.OlapEngine;
import io.uniserve.engines.olap.OlapPlanner;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.storage.Contents;
import io.uniserve.engines.olap.storage.LiveDatasource;
import io.uniserve.testkit.local.Batch;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of groups that segments give in order, beside Druid's own merging of the same groups. */
class OrderedGroupsTest {
  private static final int ROWS = 930;

  /** Texts of which UTF-8 and Java have other orders. */
  private static final List<String> PAGES =
      List.of("", "A", "Z", "a", "ab", "\u00e9", "\uffee", "\ud83d\ude00", "page");

  @TempDir private Path directory;

  private static TableDefinition table(int actors) {
    return new TableDefinition(
        "edits",
        OlapEngine.NAME,
        new Partitioner.Hash(actors),
        1,
        Durability.NONE,
        Map.of(
            "timestampSpec",
            Map.of("column", "time", "format", "millis"),
            "dimensionsSpec",
            Map.of("dimensions", List.of("page", "tags", Map.of("type", "long", "name", "size"))),
            "granularitySpec",
            Map.of("rollup", false),
            "maxRowsInMemory",
            70L,
            "segmentsPerSize",
            100L));
  }

  private static List<OlapRow> rows() {
    Random random = new Random(1);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      Map<String, Object> row = new HashMap<>();
      row.put("time", (long) i);
      int page = random.nextInt(40);
      if (page > 0) {
        row.put("page", page <= PAGES.size() ? PAGES.get(page - 1) : "page " + page);
      }
      row.put("tags", List.of("t" + i % 3, "t" + i % 5));
      row.put("size", (long) random.nextInt(100));
      rows.add(row);
    }
    return new OlapPlanner().records(table(1), rows);
  }

  private static String query(String dimension, String more) {
    return """
    {"queryType":"groupBy","dataSource":"edits","intervals":["1970/1971"],"granularity":"all",
     "dimensions":["%s"],"aggregations":[{"type":"count","name":"rows"},
      {"type":"longSum","name":"sum","fieldName":"size"},
      {"type":"longMax","name":"most","fieldName":"size"}]%s}"""
        .formatted(dimension, more);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",\"context\":{\"vectorize\":false}",
        ",\"filter\":{\"type\":\"range\",\"column\":\"page\",\"matchValueType\":\"STRING\",\"lower\":\"B\"}",
        ",\"having\":{\"type\":\"greaterThan\",\"aggregation\":\"rows\",\"value\":20}",
        ",\"limitSpec\":{\"type\":\"default\",\"limit\":3,\"columns\":[\"page\"]}",
        ",\"limitSpec\":{\"type\":\"default\",\"limit\":3,\"columns\":[\"sum\"]}",
        ",\"subtotalsSpec\":[[\"page\"],[]]",
      })
  void groupsAreThoseOfDruid(String more) throws IOException {
    try (LocalTable<?> local = LocalTable.create(new OlapEngine(), table(2), directory)) {
      List<OlapRow> rows = rows();
      for (int i = 0; i < ROWS; i += 30) {
        local.update(Batch.of(new AppendRows(), rows.subList(i, i + 30)));
      }
      String text = query("page", more);
      String hashed =
          text.contains("context")
              ? text.replace("{\"vectorize\"", "{\"forceHashAggregation\":true,\"vectorize\"")
              : text.substring(0, text.length() - 1)
                  + ",\"context\":{\"forceHashAggregation\":true}}";

      assertThat((List<?>) local.query(Replay.plan(text)))
          .hasSizeGreaterThan(2)
          .isEqualTo(local.query(Replay.plan(hashed)));
    }
  }

  @Test
  void segmentsGiveGroupsOfOneTextInOrder() throws IOException {
    try (LiveDatasource datasource =
        LiveDatasource.create(new ActorContext(table(1), 0, directory))) {
      List<OlapRow> rows = rows();
      for (int i = 0; i < ROWS; i += 30) {
        datasource.appending(rows.subList(i, i + 30)).apply();
      }
      try (Contents now = datasource.contents()) {
        long ordered = ordered(now, query("page", ""));
        assertThat(ordered).isEqualTo(now.segments().size() - 1).isEqualTo(10);
        assertThat(ordered(now, query("page", ",\"context\":{\"forceHashAggregation\":true}")))
            .isZero();
        assertThat(ordered(now, query("tags", ""))).as("several texts in a row").isZero();
        assertThat(ordered(now, query("size", ""))).as("numbers").isZero();
        assertThat(ordered(now, query("none", ""))).as("no such column").isZero();
        assertThat(ordered(now, query("page\",\"size", ""))).as("two columns").isZero();
        assertThat(
                ordered(
                    now,
                    query(
                        "page",
                        ",\"virtualColumns\":[{\"type\":\"expression\",\"name\":\"page\","
                            + "\"expression\":\"concat(tags, '')\",\"outputType\":\"STRING\"}]")))
            .as("another column of this name")
            .isZero();
      }
    }
  }

  private static long ordered(Contents contents, String query) {
    return contents.segments().stream()
        .filter(segment -> OrderedGroups.areGivenBy(Queries.read(query), segment))
        .count();
  }
}
