package io.uniserve.gateways.druid;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.OlapEngine;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of answers that must not depend on the number of actors. */
class NumberOfActorsTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void theEmptyTextCounts(int actors, @TempDir Path directory) {
    try (LocalDruid druid = new LocalDruid(table(actors), directory)) {
      druid.client.load(
          List.of(edit(10, ""), edit(10, "Main"), edit(10, "Talk"), edit(10, "Main")));
      String statement =
          "SELECT COUNT(DISTINCT page), APPROX_COUNT_DISTINCT(pages), MIN(n) FROM edits, (SELECT"
              + " COUNT(DISTINCT page) AS n FROM edits GROUP BY FLOOR(__time TO DAY))";
      LocalDruid.Answer answer =
          druid.post(
              "/v2/sql", "{\"query\":\"%s\",\"resultFormat\":\"arrayLines\"}".formatted(statement));
      assertThat(answer.text().trim()).isEqualTo("[3,3,3]");
      LocalDruid.Answer top =
          druid.post(
              "/v2",
              """
          {"queryType":"topN","dataSource":"edits","intervals":["2024/2025"],"granularity":"all",
           "dimension":"page","metric":"n","threshold":1,
           "aggregations":[{"type":"cardinality","name":"n","fields":["page"],"round":true}]}""");
      assertThat(top.json().get(0).get("result").get(0).get("n").asLong()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void bucketsBetweenRowsAreGiven(int actors, @TempDir Path directory) {
    try (LocalDruid druid = new LocalDruid(table(actors), directory)) {
      druid.client.load(List.of(edit(2, "a"), edit(5, "b"), edit(9, "c")));
      assertThat(hours(druid, "T00/T24", false)).isEqualTo("2:1 3:0 4:0 5:1 6:0 7:0 8:0 9:1");
      assertThat(hours(druid, "T00/T24", true)).isEqualTo("9:1 8:0 7:0 6:0 5:1 4:0 3:0 2:1");
      assertThat(hours(druid, "T03/T05", false)).as("no row").isEqualTo("3:0 4:0");
      assertThat(hours(druid, "T08/T24", false)).isEqualTo("8:0 9:1");
      assertThat(hours(druid, "T10/T24", false)).as("after the last row").isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aResultForAllTimesHasTheTimeOfTheEarliest(boolean descending, @TempDir Path directory) {
    TableDefinition byTime =
        table(
            new Partitioner.Range(
                List.of(PartitionKey.of(Instant.parse("2024-05-01T05:00:00Z").toEpochMilli()))));
    try (LocalDruid druid = new LocalDruid(byTime, directory)) {
      druid.client.load(List.of(edit(2, "a"), edit(9, "c")));
      LocalDruid.Answer answer =
          druid.post(
              "/v2",
              """
              {"queryType":"timeseries","dataSource":"edits","intervals":["2024/2025"],
               "granularity":"all","descending":%s,
               "aggregations":[{"type":"count","name":"n"}]}"""
                  .formatted(descending));
      assertThat(answer.text())
          .isEqualTo("[{\"timestamp\":\"2024-05-01T02:00:00.000Z\",\"result\":{\"n\":2}}]");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void moreBucketsThanMemoryHoldsAreRefused(boolean descending, @TempDir Path directory) {
    try (LocalDruid druid = new LocalDruid(table(2), directory)) {
      druid.client.load(List.of(edit(2, "a"), edit(9, "c")));
      String query =
          """
          {"queryType":"timeseries","dataSource":"edits","intervals":["2024/2025"],
           "granularity":"none","descending":%s,"context":{"skipEmptyBuckets":%s},
           "aggregations":[{"type":"count","name":"n"}]}""";
      LocalDruid.Answer refused = druid.post("/v2", query.formatted(descending, false));
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.text()).contains("buckets of granularity").contains("at most 1000000");
      assertThat(druid.post("/v2", query.formatted(descending, true)).json()).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void theLastBucketsAreGivenIfSoManyAreAskedFor(int actors, @TempDir Path directory) {
    try (LocalDruid druid = new LocalDruid(table(actors), directory)) {
      druid.client.load(List.of(edit(2, "a"), edit(5, "b"), edit(7, "c"), edit(9, "d")));
      LocalDruid.Answer answer =
          druid.post(
              "/v2",
              """
              {"queryType":"timeseries","dataSource":"edits","intervals":["2024/2025"],
               "granularity":"hour","descending":true,"limit":2,
               "context":{"skipEmptyBuckets":true},
               "aggregations":[{"type":"count","name":"n"}]}""");
      assertThat(answer.json().findValuesAsText("timestamp"))
          .containsExactly("2024-05-01T09:00:00.000Z", "2024-05-01T07:00:00.000Z");
    }
  }

  /** Returns the hours of a timeseries, each with the number of its rows. */
  private static String hours(LocalDruid druid, String interval, boolean descending) {
    LocalDruid.Answer answer =
        druid.post(
            "/v2",
            """
            {"queryType":"timeseries","dataSource":"edits","intervals":["%s"],"granularity":"hour",
             "descending":%s,"aggregations":[{"type":"count","name":"n"}]}"""
                .formatted(
                    interval.replace("T24", "2024-05-02T00").replaceAll("(^|/)T", "$12024-05-01T"),
                    descending));
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return StreamSupport.stream(answer.json().spliterator(), false)
        .map(
            bucket ->
                Integer.parseInt(bucket.get("timestamp").asText().substring(11, 13))
                    + ":"
                    + bucket.get("result").get("n").asLong())
        .collect(Collectors.joining(" "));
  }

  private static TableDefinition table(int actors) {
    return table(new Partitioner.Hash(actors));
  }

  private static TableDefinition table(Partitioner partitioner) {
    return new TableDefinition(
        "edits",
        OlapEngine.NAME,
        partitioner,
        1,
        Durability.NONE,
        Map.of(
            "timestampSpec",
            Map.of("column", "time", "format", "iso"),
            "dimensionsSpec",
            Map.of("dimensions", List.of("page")),
            "metricsSpec",
            List.of(Map.of("type", "hyperUnique", "name", "pages", "fieldName", "page"))));
  }

  private static Map<String, Object> edit(int hour, String page) {
    return Map.of("time", "2024-05-01T%02d:00:00Z".formatted(hour), "page", page);
  }
}
