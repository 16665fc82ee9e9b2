package io.uniserve.gateways.druid;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.OlapEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of native queries and SQL over HTTP, on a table of three actors. */
class DruidGatewayTest {
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
                    Map.of("column", "time", "format", "iso"),
                    "dimensionsSpec",
                    Map.of("dimensions", List.of("page", "tags")),
                    "metricsSpec",
                    List.of(
                        Map.of("type", "count", "name", "edits"),
                        Map.of("type", "longSum", "name", "added", "fieldName", "added")),
                    "granularitySpec",
                    Map.of("queryGranularity", "hour"))),
            directory);
    druid.client.load(
        List.of(
            edit("10:01", "Main", 1, "a", "b"),
            edit("10:02", "Main", 2, "a", "b"),
            edit("10:03", "Talk", 4),
            edit("11:00", "Main", 8, "c"),
            edit("12:00", "Help", 16)));
  }

  @AfterAll
  static void stop() {
    druid.close();
  }

  private static Map<String, Object> edit(String time, String page, long added, String... tags) {
    return Map.of(
        "time", "2024-05-01T" + time + ":00Z", "page", page, "added", added, "tags", List.of(tags));
  }

  private static String sql(String statement) {
    LocalDruid.Answer answer =
        druid.post(
            "/v2/sql", "{\"query\":\"%s\",\"resultFormat\":\"arrayLines\"}".formatted(statement));
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.text().trim();
  }

  @Test
  void aNativeQueryIsMergedOfAllActors() {
    LocalDruid.Answer answer =
        druid.post(
            "/v2",
            """
            {"queryType":"topN","dataSource":"edits","intervals":["2024/2025"],"granularity":"all",
             "dimension":"page","metric":"added","threshold":2,
             "aggregations":[{"type":"longSum","name":"added","fieldName":"added"}]}""");

    assertThat(answer.json())
        .isEqualTo(
            LocalDruid.json(
                "[{\"timestamp\":\"2024-05-01T10:00:00.000Z\",\"result\":"
                    + "[{\"page\":\"Help\",\"added\":16},{\"page\":\"Main\",\"added\":11}]}]"));
  }

  @Test
  void timesAreNumbersWhereThatIsAskedFor() {
    LocalDruid.Answer answer =
        druid.post(
            "/v2",
            """
            {"queryType":"timeseries","dataSource":"edits","intervals":["2024/2025"],"granularity":"all",
             "context":{"serializeDateTimeAsLong":true},
             "aggregations":[{"type":"longSum","name":"added","fieldName":"added"}]}""");

    assertThat(answer.text())
        .isEqualTo("[{\"timestamp\":1714557600000,\"result\":{\"added\":31}}]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"priority\":5",
        "\"lane\":\"low\"",
        "\"bySegment\":true",
        "\"brokerService\":\"druid/broker\"",
        "\"maxScatterGatherBytes\":1000",
        "\"maxQueuedBytes\":1000",
        "\"uncoveredIntervalsLimit\":3",
        "\"realtimeSegmentsOnly\":true"
      })
  void aParameterThatWouldNotBeHonouredIsRefused(String parameter) {
    LocalDruid.Answer answer =
        druid.post(
            "/v2",
            "{\"queryType\":\"timeBoundary\",\"dataSource\":\"edits\",\"context\":{"
                + parameter
                + "}}");

    String name = parameter.replaceAll("\"(\\w+)\".*", "'$1'");
    assertRefused(answer, 501, name);
  }

  @Test
  void aSubqueryRunsFirst() {
    LocalDruid.Answer answer =
        druid.post(
            "/v2",
            """
            {"queryType":"timeseries","intervals":["1970/2100"],"granularity":"all",
             "dataSource":{"type":"query","query":{"queryType":"groupBy","dataSource":"edits",
               "intervals":["2024/2025"],"granularity":"all","dimensions":["page"],
               "aggregations":[{"type":"longSum","name":"added","fieldName":"added"}]}},
             "aggregations":[{"type":"longMax","name":"most","fieldName":"added"},
                             {"type":"count","name":"pages"}]}""");

    assertThat(answer.json().get(0).get("result").toString())
        .isEqualTo("{\"most\":16,\"pages\":3}");
  }

  @Test
  void sqlIsPlannedAndRun() {
    assertThat(
            sql(
                "SELECT page, SUM(added) FROM edits WHERE page <> 'Late' GROUP BY 1 ORDER BY 2 DESC"))
        .isEqualTo("[\"Help\",16]\n[\"Main\",11]\n[\"Talk\",4]");
    assertThat(sql("SELECT COUNT(*), SUM(edits) FROM edits WHERE __time < TIMESTAMP '2030-01-01'"))
        .isEqualTo("[4,5]");
    assertThat(
            sql(
                "SELECT FLOOR(__time TO HOUR), SUM(added) FROM edits WHERE page = 'Main' GROUP BY 1"))
        .isEqualTo("[\"2024-05-01T10:00:00.000Z\",3]\n[\"2024-05-01T11:00:00.000Z\",8]");
    assertThat(
            sql(
                "SELECT e.page, SUM(e.added) FROM edits e JOIN (SELECT page FROM edits GROUP BY"
                    + " page HAVING SUM(edits) > 1) m ON e.page = m.page GROUP BY 1"))
        .isEqualTo("[\"Main\",11]");
    assertThat(sql("SELECT tags, COUNT(*) FROM edits WHERE tags IS NOT NULL GROUP BY 1 ORDER BY 1"))
        .isEqualTo("[\"a\",1]\n[\"b\",1]\n[\"c\",1]");
  }

  @Test
  void toolsFindSchemasTablesAndColumns() {
    assertThat(sql("SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'druid'"))
        .isEqualTo("[\"edits\"]");
    assertThat(
            sql(
                "SELECT COLUMN_NAME, DATA_TYPE FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME ="
                    + " 'edits' ORDER BY ORDINAL_POSITION"))
        .isEqualTo(
            "[\"__time\",\"TIMESTAMP\"]\n[\"page\",\"VARCHAR\"]\n[\"tags\",\"VARCHAR\"]\n"
                + "[\"edits\",\"BIGINT\"]\n[\"added\",\"BIGINT\"]");
    assertThat(druid.get("/v2/datasources").text()).isEqualTo("[\"edits\"]");
  }

  @Test
  void nothingIsCountedAsZero() {
    assertThat(
            sql(
                "SELECT COUNT(*), COUNT(*) > 0 FROM INFORMATION_SCHEMA.TABLES"
                    + " WHERE TABLE_NAME = 'absent'"))
        .isEqualTo("[0,false]");
    assertThat(
            sql(
                "SELECT COUNT(*), COUNT(*) > 0 FROM INFORMATION_SCHEMA.TABLES"
                    + " WHERE TABLE_NAME = 'edits'"))
        .isEqualTo("[1,true]");
    assertThat(sql("SELECT COUNT(task_id), SUM(duration) FROM sys.tasks")).isEqualTo("[0,null]");
    assertThat(sql("SELECT type, COUNT(*) FROM sys.tasks GROUP BY 1")).isEmpty();
  }

  @Test
  void systemTablesShowActorsAsSegments() {
    assertThat(
            sql(
                "SELECT SUM(num_rows) FROM sys.segments WHERE datasource = 'edits' AND"
                    + " \\\"start\\\" >= '2024-05-01T10:00:00.000Z' AND \\\"end\\\" <="
                    + " '2024-05-01T12:00:00.000Z'"))
        .isEqualTo("[4]");
    assertThat(
            sql(
                "SELECT s.server, COUNT(*) FROM sys.server_segments s JOIN sys.segments g ON"
                    + " s.segment_id = g.segment_id GROUP BY 1"))
        .isEqualTo("[\"s1\",3]");
    assertThat(sql("SELECT server, host, plaintext_port FROM sys.servers"))
        .isEqualTo("[\"s1\",\"localhost\",7001]");
    assertThat(sql("SELECT task_id FROM sys.tasks")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT 1/0", "SELECT added/(added-added) FROM edits"})
  void aStatementThatCannotBeComputedIsTheCallers(String statement) {
    assertThat(druid.post("/v2/sql", "{\"query\":\"%s\"}".formatted(statement)).status())
        .isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "REPEAT(page, 1000000000)",
        "REPEAT(REPEAT(page, 1000000), 1000000)",
        "REPEAT('x', 1000000000)",
        "LPAD(page, 1000000000, 'y')",
        "RPAD(page, 2147483647, 'y')",
        "REPLACE(REPEAT(page, 100000), SUBSTRING(page, 1, 1), REPEAT(page, 10000))",
        "STRING_FORMAT('%1000000000d', added)",
        "STRING_FORMAT('%2$-99999999999s', page, page)"
      })
  void aTextThatMemoryMayNotHoldIsTheCallers(String text) {
    LocalDruid.Answer answer =
        druid.post("/v2/sql", "{\"query\":\"SELECT CHAR_LENGTH(%s) FROM edits\"}".formatted(text));
    assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    assertThat(answer.text()).contains("would make a text of");
  }

  @Test
  void textsAreMadeAsByDruid() {
    assertThat(
            sql(
                "SELECT REPEAT(page, added), REPEAT(page, 0), LPAD(page, 6, 'xy'), RPAD(page, 6),"
                    + " LPAD(page, 0, 'x'), LPAD(page, -3, 'x'), REPLACE(page, 'a', 'aba'),"
                    + " REPLACE(page, '', '-'), STRING_FORMAT('%6s|%2$05d', page, added)"
                    + " FROM edits WHERE page = 'Talk'"))
        .isEqualTo(
            "[\"TalkTalkTalkTalk\",null,\"xyTalk\",\"Talk  \",null,\"\",\"Tabalk\",\"-T-a-l-k-\","
                + "\"  Talk|00004\"]");
    assertThat(sql("SELECT REPEAT(tags, 2), REPLACE(tags, 'c', 'cc') FROM edits WHERE tags = 'c'"))
        .isEqualTo("[\"cc\",\"cc\"]");
    assertThat(
            sql(
                "SELECT REPEAT(tags, 2), REPLACE(page, CAST(NULL AS VARCHAR), 'x') FROM edits WHERE"
                    + " page = 'Talk'"))
        .isEqualTo("[null,null]");
  }

  @Test
  void wrongNumbersAndDepthsAreTheCallers() {
    LocalDruid.Answer parameter =
        druid.post(
            "/v2/sql",
            "{\"query\":\"SELECT ?\",\"parameters\":[{\"type\":\"BIGINT\",\"value\":\"x\"}]}");
    assertThat(parameter.status()).isEqualTo(400);
    assertThat(parameter.text()).contains("'x' is no value of a parameter of type BIGINT");
    LocalDruid.Answer deep =
        druid.post("/v2/sql", "{\"query\":\"SELECT %s1\"}".formatted("1+".repeat(20_000)));
    assertThat(deep.status()).as(deep.text()).isEqualTo(400);
    LocalDruid.Answer top =
        druid.post(
            "/v2",
            """
            {"queryType":"topN","dataSource":"edits","intervals":["2024/2025"],"granularity":"all",
             "dimension":"page","metric":"added","threshold":2147483646,
             "aggregations":[{"type":"longSum","name":"added","fieldName":"added"}]}""");
    assertThat(top.status()).isEqualTo(400);
    assertThat(top.text()).contains("at most 1000000");
    LocalDruid.Answer expression =
        druid.post(
            "/v2",
            """
            {"queryType":"timeseries","dataSource":"edits","intervals":["2024/2025"],
             "granularity":"all",
             "aggregations":[{"type":"longSum","name":"added","expression":"foo("}]}""");
    assertThat(expression.status()).as(expression.text()).isEqualTo(400);
  }

  @Test
  void systemTablesStandTheSqlOfOtherTables() {
    assertThat(
            sql(
                "SELECT COUNT(DISTINCT datasource), COUNT(DISTINCT segment_id), COUNT(*) FROM"
                    + " sys.segments"))
        .isEqualTo("[1,3,3]");
    assertThat(
            sql(
                "SELECT MIN(COLUMN_NAME), MAX(COLUMN_NAME) FROM INFORMATION_SCHEMA.COLUMNS"
                    + " WHERE TABLE_NAME = 'edits'"))
        .isEqualTo("[\"__time\",\"tags\"]");
    assertThat(
            sql(
                "SELECT COUNT(*) FROM sys.segments WHERE num_rows ="
                    + " (SELECT MAX(num_rows) FROM sys.segments)"))
        .isEqualTo("[1]");
    assertThat(
            sql(
                "SELECT server FROM sys.servers WHERE server NOT IN (SELECT server FROM"
                    + " sys.server_segments)"))
        .isEmpty();
    assertThat(
            sql(
                "SELECT COLUMN_NAME FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME IN (SELECT"
                    + " TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'druid')"
                    + " ORDER BY COLUMN_NAME DESC LIMIT 2 OFFSET 1"))
        .isEqualTo("[\"page\"]\n[\"edits\"]");
    assertThat(
            sql(
                "SELECT UPPER(COLUMN_NAME) || '.', CASE WHEN DATA_TYPE LIKE"
                    + " '%INT' THEN 1 END, RANK() OVER (ORDER BY COLUMN_NAME) FROM"
                    + " INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = 'edits' UNION ALL SELECT"
                    + " server, CAST(plaintext_port AS INTEGER), 0 FROM sys.servers ORDER BY 1"))
        .isEqualTo(
            "[\"ADDED.\",1,2]\n[\"EDITS.\",1,3]\n[\"PAGE.\",null,4]\n[\"TAGS.\",null,5]\n"
                + "[\"__TIME.\",null,1]\n[\"s1\",7001,0]");
    assertThat(
            sql(
                "SELECT TABLE_NAME, COUNT(*) * 1.0 / 2, AVG(ORDINAL_POSITION) FROM"
                    + " INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = 'druid' GROUP BY TABLE_NAME"
                    + " HAVING COUNT(*) > 1"))
        .isEqualTo("[\"edits\",2.5,3.0]");
  }

  @Test
  void resultsHaveTheFormsThatAreAskedFor() {
    String query =
        "\"query\":\"SELECT page, added FROM edits WHERE page = ?\","
            + "\"parameters\":[{\"type\":\"VARCHAR\",\"value\":\"Talk\"}]";

    assertThat(druid.post("/v2/sql", "{" + query + "}").text())
        .isEqualTo("[{\"page\":\"Talk\",\"added\":4}]\n");
    assertThat(
            druid
                .post("/v2/sql", "{\"resultFormat\":\"csv\",\"header\":true," + query + "}")
                .text())
        .isEqualTo("page,added\nTalk,4\n\n");
    assertThat(
            druid
                .post(
                    "/v2/sql",
                    "{\"resultFormat\":\"array\",\"header\":true,\"typesHeader\":true,"
                        + query
                        + "}")
                .text())
        .isEqualTo("[[\"page\",\"added\"],[\"STRING\",\"LONG\"],[\"Talk\",4]]\n");
  }

  @Test
  void whatIsWrongIsRefusedByName() {
    assertRefused(druid.post("/v2", "{\"queryType\":\"fetch\"}"), 400, "fetch");
    assertRefused(
        druid.post("/v2", "{\"queryType\":\"timeBoundary\",\"dataSource\":\"none\"}"),
        404,
        "'none'");
    assertRefused(
        druid.post(
            "/v2",
            """
            {"queryType":"timeBoundary","dataSource":"edits","context":{"priority":5}}"""),
        501,
        "'priority'");
    assertRefused(
        druid.post(
            "/v2",
            """
            {"queryType":"timeseries","dataSource":"edits","intervals":["2024/2025"],
             "granularity":"all","filter":{"type":"javascript","dimension":"page",
             "function":"function(x) { return true }"}}"""),
        501,
        "JavaScript");
    assertRefused(druid.post("/v2/sql", "{\"query\":\"SELECT x FROM edits\"}"), 400, "'x'");
    assertRefused(druid.post("/v2/sql", "{\"query\":\"SELECT 1 FROM absent\"}"), 400, "absent");
    assertRefused(
        druid.post("/v2/sql", "{\"query\":\"INSERT INTO edits SELECT 1\"}"), 400, "INSERT");
    assertRefused(druid.get("/coordinator/v1/leader"), 404, "/druid/coordinator");
  }

  private static void assertRefused(LocalDruid.Answer answer, int status, String named) {
    assertThat(answer.json().path("errorMessage").asText()).contains(named);
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
  }
}
