package io.uniserve.gateways.druid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.OlapEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of scans that are streamed, beside the same scans that are not, on three actors with
 * segments and rows in memory.
 */
class StreamedScanTest {
  private static final int ROWS = 200;

  private static LocalDruid druid;

  @BeforeAll
  static void start(@TempDir Path directory) {
    druid =
        new LocalDruid(
            new TableDefinition(
                "edits",
                OlapEngine.NAME,
                new Partitioner.Hash(3),
                1,
                Durability.NONE,
                Map.of(
                    "timestampSpec",
                    Map.of("column", "time", "format", "millis"),
                    "dimensionsSpec",
                    Map.of("dimensions", List.of("page", "tags")),
                    "metricsSpec",
                    List.of(Map.of("type", "longSum", "name", "added", "fieldName", "added")),
                    "granularitySpec",
                    Map.of("queryGranularity", "minute", "rollup", false),
                    "maxRowsInMemory",
                    20L)),
            directory);
    druid.client.load(IntStream.range(0, ROWS).mapToObj(StreamedScanTest::edit).toList());
  }

  @AfterAll
  static void stop() {
    druid.close();
  }

  private static Map<String, Object> edit(int number) {
    List<String> tags = number % 3 == 0 ? List.of() : List.of("t" + number % 7, "u");
    return Map.of(
        "time", 20_000L * number, "page", "p" + number % 11, "added", (long) number, "tags", tags);
  }

  private static JsonNode scan(String more) {
    LocalDruid.Answer answer =
        druid.post(
            "/v2",
            "{\"queryType\":\"scan\",\"dataSource\":\"edits\",\"intervals\":[\"1970/1971\"]"
                + more
                + "}");
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.json();
  }

  private static List<String> events(JsonNode batches) {
    List<String> events = new ArrayList<>();
    for (JsonNode batch : batches) {
      batch.path("events").forEach(event -> events.add(event.toString()));
    }
    return events.stream().sorted().toList();
  }

  @Test
  void aScanWithoutAnOrderGivesTheRowsOfOneWithAnOrder() {
    for (String form : List.of("list", "compactedList")) {
      String columns =
          ",\"columns\":[\"__time\",\"page\",\"tags\",\"added\"],\"resultFormat\":\"" + form + "\"";
      JsonNode streamed = scan(columns);
      assertThat(streamed.size()).as("batches").isGreaterThan(3);
      assertThat(events(streamed))
          .hasSize(ROWS)
          .isEqualTo(events(scan(columns + ",\"order\":\"ascending\"")));
    }
  }

  @Test
  void aFilterAndAnIntervalHold() {
    String part =
        ",\"columns\":[\"__time\",\"added\"],\"filter\":{\"type\":\"selector\",\"dimension\":\"page\",\"value\":\"p3\"}";

    assertThat(events(scan(part)))
        .hasSize(18)
        .isEqualTo(events(scan(part + ",\"order\":\"descending\"")));
    assertThat(
            events(
                druid
                    .post(
                        "/v2",
                        """
                        {"queryType":"scan","dataSource":"edits","columns":["added"],
                         "intervals":["1970-01-01T00:10:00Z/1970-01-01T00:11:00Z"]}""")
                    .json()))
        .containsExactly("{\"added\":30}", "{\"added\":31}", "{\"added\":32}");
  }

  @Test
  void columnsHaveTheirTypes() {
    JsonNode batch = scan("").path(0);

    assertThat(batch.path("columns").toString())
        .isEqualTo("[\"__time\",\"page\",\"tags\",\"added\"]");
    assertThat(batch.path("rowSignature").toString())
        .isEqualTo(
            "[{\"name\":\"__time\",\"type\":\"LONG\"},{\"name\":\"page\",\"type\":\"STRING\"},"
                + "{\"name\":\"tags\",\"type\":\"STRING\"},{\"name\":\"added\",\"type\":\"LONG\"}]");
  }

  @Test
  void aScanPastItsTimeoutFails() {
    LocalDruid.Answer answer =
        druid.post(
            "/v2",
            """
            {"queryType":"scan","dataSource":"edits","intervals":["1970/1971"],"context":{"timeout":-1}}""");

    assertThat(answer.status()).isEqualTo(400);
  }
}
