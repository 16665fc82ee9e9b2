package io.uniserve.engines.olap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.query.Replay;
import io.uniserve.engines.olap.rows.OlapRow;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of schemas, of rows against them, and of queries that are refused. */
class OlapSchemaTest {
  private static TableDefinition table(Map<String, Object> schema) {
    return new TableDefinition(
        "edits", OlapEngine.NAME, new Partitioner.Hash(1), 1, Durability.NONE, schema);
  }

  private static final Map<String, Object> SCHEMA =
      Map.of(
          "timestampSpec",
          Map.of("column", "time", "format", "iso"),
          "dimensionsSpec",
          Map.of("dimensions", List.of("page", Map.of("type", "long", "name", "size"))),
          "metricsSpec",
          List.of(Map.of("type", "longSum", "name", "sum", "fieldName", "added")),
          "granularitySpec",
          Map.of("queryGranularity", "hour"));

  private static OlapRow row(Map<String, Object> row) {
    return new OlapPlanner().records(table(SCHEMA), List.of(row)).getFirst();
  }

  @Test
  void aKeyIsTheCutTimeAndAHashOfTheDimensionsAsTheyAreStored() {
    OlapRow one = row(Map.of("time", "2024-05-01T10:05:00Z", "page", "Main", "size", "7"));
    OlapRow same =
        row(
            Map.of(
                "time", "2024-05-01T10:55:00Z", "page", List.of("Main"), "size", 7L, "added", 3L));
    OlapRow other = row(Map.of("time", "2024-05-01T10:05:00Z", "page", "Talk", "size", 7L));

    assertThat(same.partitionKey()).isEqualTo(one.partitionKey());
    assertThat(other.partitionKey()).isNotEqualTo(one.partitionKey());
    assertThat(other.keyMillis()).isEqualTo(one.keyMillis());
  }

  @Test
  void columnsOfJsonKeepObjects() {
    TableDefinition json =
        table(
            Map.of(
                "timestampSpec",
                Map.of("column", "time", "format", "iso"),
                "dimensionsSpec",
                Map.of("dimensions", List.of(Map.of("type", "json", "name", "meta")))));
    Map<String, Object> row = Map.of("time", "2024-05-01", "meta", Map.of("os", List.of("x", 1L)));

    assertThat(new OlapPlanner().records(json, List.of(row)).getFirst().values()).isEqualTo(row);
    Map<String, Object> large =
        Map.of("time", "2024-05-01", "meta", Map.of("n", BigInteger.TWO.pow(70)));
    assertThat(new OlapPlanner().records(json, List.of(large)).getFirst().values())
        .containsEntry("meta", Map.of("n", "1180591620717411303424"));
  }

  @Test
  void aRowThatDoesNotFitIsRefusedByItsPlaceAndField() {
    assertThatThrownBy(
            () ->
                new OlapPlanner()
                    .records(
                        table(SCHEMA),
                        List.of(
                            Map.of("time", "2024-05-01T10:05:00Z"),
                            Map.of("time", "2024-05-01T10:05:00Z", "added", "many"))))
        .isInstanceOfSatisfying(RejectedRowException.class, e -> assertThat(e.row()).isEqualTo(1))
        .hasMessageContaining("added");
    assertThatThrownBy(() -> row(Map.of("page", "Main"))).hasMessageContaining("imestamp");
    assertThatThrownBy(() -> row(Map.of("time", "2024-05-01T10:05:00Z", "size", "large")))
        .hasMessageContaining("size");
  }

  @Test
  void aSchemaWithAnUnknownPartIsRefusedByName() {
    assertThatThrownBy(() -> new OlapEngine().validate(table(Map.of("dimensions", List.of()))))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("'dimensions'");
    assertThatThrownBy(
            () ->
                new OlapEngine()
                    .validate(table(Map.of("metricsSpec", List.of(Map.of("type", "sum"))))))
        .hasMessageContaining("sum");
    assertThatThrownBy(() -> new OlapEngine().validate(table(Map.of("maxRowsInMemory", 1L))))
        .hasMessageContaining("maxRowsInMemory");
  }

  @Test
  void aQueryThatIsNotServedIsRefusedByName() {
    assertThatThrownBy(() -> Replay.plan("{\"queryType\":\"fetch\"}"))
        .hasMessageContaining("fetch");
    assertThatThrownBy(
            () ->
                Replay.plan(
                    """
                    {"queryType":"timeBoundary","dataSource":"edits","context":{"bySegment":true}}"""))
        .hasMessageContaining("'bySegment'");
  }
}
