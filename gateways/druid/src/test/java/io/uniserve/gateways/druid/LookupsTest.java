package io.uniserve.gateways.druid;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.OlapEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of lookups: how they are defined over HTTP, and how queries use them. */
class LookupsTest {
  private static final String CONFIG = "/coordinator/v1/lookups/config";

  private LocalDruid druid;

  @BeforeEach
  void start(@TempDir Path directory) {
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
                    Map.of("column", "time", "format", "iso"),
                    "dimensionsSpec",
                    Map.of("dimensions", List.of("country")),
                    "metricsSpec",
                    List.of(Map.of("type", "longSum", "name", "added", "fieldName", "added")))),
            directory);
    druid.client.load(
        List.of(edit("de", 1), edit("fr", 2), edit("de", 4), edit("it", 8), edit("xx", 16)));
    put("countries", "v1", "\"de\":\"Germany\",\"fr\":\"France\",\"it\":\"Italy\"");
  }

  @AfterEach
  void stop() {
    druid.close();
  }

  private static Map<String, Object> edit(String country, long added) {
    return Map.of("time", "2024-05-01T10:00:00Z", "country", country, "added", added);
  }

  private static String spec(String version, String map) {
    return """
        {"version":"%s","lookupExtractorFactory":{"type":"map","map":{%s}}}"""
        .formatted(version, map);
  }

  private void put(String name, String version, String map) {
    LocalDruid.Answer answer =
        druid.post(CONFIG, "{\"__default\":{\"" + name + "\":" + spec(version, map) + "}}");
    assertThat(answer.status()).as(answer.text()).isEqualTo(202);
  }

  private String sql(String statement) {
    LocalDruid.Answer answer =
        druid.post("/v2/sql", "{\"query\":\"%s\",\"resultFormat\":\"csv\"}".formatted(statement));
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.text().strip();
  }

  @Test
  void theFunctionFindsValues() {
    assertThat(
            sql("SELECT LOOKUP(country, 'countries'), SUM(added) FROM edits GROUP BY 1 ORDER BY 2"))
        .isEqualTo("France,2\nGermany,5\nItaly,8\n,16");
    assertThat(
            sql(
                "SELECT SUM(added) FROM edits WHERE LOOKUP(country, 'countries', 'none') IN"
                    + " ('Germany', 'none')"))
        .isEqualTo("21");
    assertThat(
            sql(
                "SELECT UPPER(LOOKUP(country || '', 'countries')), SUM(added) FROM edits WHERE"
                    + " country <> 'xx' GROUP BY 1 ORDER BY 2"))
        .isEqualTo("FRANCE,2\nGERMANY,5\nITALY,8");
  }

  @Test
  void lookupsAreTablesOfSql() {
    assertThat(sql("SELECT v, k FROM lookup.countries WHERE v <> 'Italy' GROUP BY 1, 2 ORDER BY 1"))
        .isEqualTo("France,fr\nGermany,de");
    assertThat(
            sql(
                "SELECT c.v, SUM(e.added) FROM edits e JOIN lookup.countries c ON e.country = c.k"
                    + " GROUP BY 1 ORDER BY 2"))
        .isEqualTo("France,2\nGermany,5\nItaly,8");
    assertThat(
            sql("SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'lookup'"))
        .isEqualTo("countries");
  }

  @Test
  void nativeQueriesUseThem() {
    String query =
        """
        {"queryType":"groupBy","dataSource":%s,"intervals":["2024/2025"],"granularity":"all",
         "dimensions":[%s],"aggregations":[{"type":"longSum","name":"added","fieldName":"added"}]}""";

    assertThat(
            druid
                .post(
                    "/v2",
                    query.formatted(
                        "\"edits\"",
                        """
                        {"type":"extraction","dimension":"country","outputName":"country",
                         "extractionFn":{"type":"registeredLookup","lookup":"countries",
                           "retainMissingValue":true}}"""))
                .text())
        .contains("{\"country\":\"Germany\",\"added\":5}", "{\"country\":\"xx\",\"added\":16}");
    assertThat(
            druid
                .post(
                    "/v2",
                    query.formatted(
                        """
                        {"type":"join","left":"edits","right":{"type":"lookup","lookup":"countries"},
                         "rightPrefix":"c.","condition":"country == \\"c.k\\"","joinType":"INNER"}""",
                        "\"c.v\""))
                .text())
        .contains("{\"added\":5,\"c.v\":\"Germany\"}", "{\"added\":8,\"c.v\":\"Italy\"}")
        .doesNotContain("16");
    assertThat(
            druid
                .post(
                    "/v2",
                    """
                    {"queryType":"scan","dataSource":{"type":"lookup","lookup":"countries"},
                     "intervals":["1970/2100"],"columns":["k","v"],"resultFormat":"compactedList"}""")
                .text())
        .contains("[\"it\",\"Italy\"]");
  }

  @Test
  void aLaterVersionReplacesAnEarlierOne() {
    put("countries", "v2", "\"de\":\"Deutschland\"");

    assertThat(
            sql("SELECT LOOKUP(country, 'countries'), SUM(added) FROM edits GROUP BY 1 ORDER BY 2"))
        .isEqualTo("Deutschland,5\n,26");
    LocalDruid.Answer earlier =
        druid.post(CONFIG + "/__default/countries", spec("v1", "\"de\":\"Germany\""));
    assertThat(earlier.status()).as(earlier.text()).isEqualTo(400);
    assertThat(earlier.text()).contains("'v2'");
    put("countries", "v2", "\"de\":\"Deutschland\"");
  }

  @Test
  void lookupsAreShownAndDeleted() {
    put("letters", "v1", "\"a\":\"A\"");

    assertThat(druid.get(CONFIG).text()).isEqualTo("[\"__default\"]");
    assertThat(druid.get(CONFIG + "/__default").text()).isEqualTo("[\"countries\",\"letters\"]");
    assertThat(druid.get(CONFIG + "/all").json().at("/__default/letters"))
        .isEqualTo(druid.get(CONFIG + "/__default/letters").json());
    assertThat(druid.get(CONFIG + "/__default/letters").json())
        .isEqualTo(
            LocalDruid.json(
                "{\"version\":\"v1\",\"lookupExtractorFactory\":{\"type\":\"map\",\"map\":"
                    + "{\"a\":\"A\"},\"isOneToOne\":false}}"));
    assertThat(
            druid
                .get("/coordinator/v1/lookups/status/__default/letters")
                .json()
                .path("loaded")
                .asBoolean())
        .isTrue();

    assertThat(druid.delete(CONFIG + "/__default/countries").status()).isEqualTo(202);
    assertThat(druid.get(CONFIG + "/__default").text()).isEqualTo("[\"letters\"]");
    LocalDruid.Answer gone =
        druid.post("/v2/sql", "{\"query\":\"SELECT LOOKUP(country, 'countries') FROM edits\"}");
    assertThat(gone.status()).as(gone.text()).isEqualTo(404);
    assertThat(gone.text()).contains("countries");
    LocalDruid.Answer never =
        druid.post("/v2/sql", "{\"query\":\"SELECT LOOKUP('de', 'nowhere')\"}");
    assertThat(never.status()).as("one of a constant: " + never.text()).isEqualTo(404);
  }

  @Test
  void whatIsNotThereIsRefusedByName() {
    assertRefused(
        "/__default/far",
        "{\"version\":\"v1\",\"lookupExtractorFactory\":{\"type\":\"cachedNamespace\"}}",
        501,
        "'cachedNamespace'");
    assertRefused("/far_away/far", spec("v1", ""), 404, "'far_away'");
    assertRefused("", "{\"far_away\":{}}", 501, "'far_away'");
    assertRefused("/__default/two words", spec("v1", ""), 400, "two words");
    assertRefused(
        "/__default/far",
        "{\"lookupExtractorFactory\":{\"type\":\"map\",\"map\":{}}}",
        400,
        "version");
    assertRefused("/__default/far", spec("v1", "\"a\":1"), 400, "a is 1");
    assertRefused(
        "/__default/far", spec("v1", "\"a\":\"" + "x".repeat((4 << 20) + 1) + "\""), 413, "join");
    assertThat(druid.get(CONFIG + "/__default").text()).isEqualTo("[\"countries\"]");
  }

  private void assertRefused(String path, String body, int status, String named) {
    LocalDruid.Answer answer = druid.post(CONFIG + path.replace(" ", "%20"), body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.json().path("errorMessage").asText()).contains(named);
  }
}
