package io.uniserve.gateways.druid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.OlapEngine;
import io.uniserve.gateways.druid.tasks.AllowedInputs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of tasks over HTTP, on a table of three actors. */
class TasksTest {
  private static final String HEAD = "time,page,added\\n";

  private LocalDruid druid;
  private HttpServer web;
  private Path inputs;
  private Path actors;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    inputs = Files.createDirectories(directory.resolve("inputs"));
    actors = directory.resolve("actors");
    web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    web.createContext(
        "/more.csv",
        exchange -> {
          byte[] rows =
              "time,page,added\n2024-05-01T00:00:00Z,Web,64\n".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, rows.length);
          exchange.getResponseBody().write(rows);
          exchange.close();
        });
    web.createContext(
        "/moved.csv",
        exchange -> {
          exchange.getResponseHeaders().add("Location", "/more.csv");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    web.start();
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
                    Map.of("dimensions", List.of("page")),
                    "metricsSpec",
                    List.of(Map.of("type", "longSum", "name", "added", "fieldName", "added")),
                    "granularitySpec",
                    Map.of("queryGranularity", "hour"))),
            actors,
            new AllowedInputs(List.of(inputs), List.of("127.0.0.1:" + web.getAddress().getPort())));
    assertThat(
            run(
                inline(
                    "2024-05-01T00:00:00Z,Main,1\\n2024-05-01T07:00:00Z,Talk,2\\n"
                        + "2024-05-02T00:00:00Z,Main,4"),
                "\"appendToExisting\":true",
                ""))
        .isNotNull();
  }

  @AfterEach
  void stop() {
    druid.close();
    web.stop(0);
  }

  @Test
  void aTaskHasTheIdThatItsSenderGaveIt() {
    String task =
        """
        {"type":"index","id":%s,"spec":{
         "ioConfig":{"inputSource":%s,"inputFormat":{"type":"csv","findColumnsFromHeader":true},
                     "appendToExisting":true},
         "dataSchema":{"dataSource":"edits"}}}""";
    String rows = inline("2024-05-03T00:00:00Z,Main,8");
    LocalDruid.Answer done = druid.post("/indexer/v1/task", task.formatted("\"mine\"", rows));
    assertThat(done.json().get("task").asText()).as(done.text()).isEqualTo("mine");
    LocalDruid.Answer other =
        druid.post(
            "/indexer/v1/task",
            task.formatted("\"mine\"", inline("2024-05-03T00:00:00Z,Other,16")));
    assertThat(other.text()).contains("another task 'mine' has ended here");
    assertRows("01 00,Main,1", "01 07,Talk,2", "02 00,Main,4", "03 00,Main,8");
    for (String bad : List.of("\"a/b\"", "7", "\" \"")) {
      LocalDruid.Answer refused = druid.post("/indexer/v1/task", task.formatted(bad, rows));
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.text()).contains("is no id of a task");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTaskOfTheSameIdThatIsSentAgainStoresNothingTwice(boolean restarted) {
    String task =
        """
        {"type":"index","id":"mine","spec":{
         "ioConfig":{"inputSource":%s,"inputFormat":{"type":"csv","findColumnsFromHeader":true},
                     "appendToExisting":true},
         "dataSchema":{"dataSource":"edits"}}}"""
            .formatted(inline("2024-05-02T00:00:00Z,More,8\\n2024-05-03T00:00:00Z,Main,16"));
    for (int time = 0; time < 3; time++) {
      LocalDruid.Answer done = druid.post("/indexer/v1/task", task);
      assertThat(done.status()).as(done.text()).isEqualTo(200);
      assertThat(done.json().get("task").asText()).isEqualTo("mine");
      assertRows("01 00,Main,1", "01 07,Talk,2", "02 00,Main,4", "02 00,More,8", "03 00,Main,16");
      if (restarted) {
        druid.restart();
      }
    }
  }

  @Test
  void aTaskThatReplacesAndIsSentAgainDeletesNothingThatCameSince() {
    String task =
        """
        {"type":"index","id":"mine","spec":{
         "ioConfig":{"inputSource":%s,"inputFormat":{"type":"csv","findColumnsFromHeader":true}},
         "dataSchema":{"dataSource":"edits","timestampSpec":{"column":"time","format":"iso"},
           "dimensionsSpec":{"dimensions":["page"]},
           "granularitySpec":{"segmentGranularity":"day","queryGranularity":"hour"}}}}"""
            .formatted(inline("2024-05-02T00:00:00Z,More,8"));
    assertThat(druid.post("/indexer/v1/task", task).status()).isEqualTo(200);
    run(inline("2024-05-02T01:00:00Z,Since,16"), "\"appendToExisting\":true", "");
    assertThat(druid.post("/indexer/v1/task", task).status()).isEqualTo(200);
    assertRows("01 00,Main,1", "01 07,Talk,2", "02 00,More,8", "02 01,Since,16");
  }

  private static String inline(String rows) {
    return "{\"type\":\"inline\",\"data\":\"" + HEAD + rows + "\"}";
  }

  private LocalDruid.Answer send(String source, String io, String granularity) {
    return druid.post(
        "/indexer/v1/task",
        """
        {"type":"index_parallel","spec":{
          "dataSchema":{"dataSource":"edits","timestampSpec":{"column":"time","format":"iso"},
            "dimensionsSpec":{"dimensions":["page"]},
            "granularitySpec":{"segmentGranularity":"day","queryGranularity":"hour"%s}},
          "ioConfig":{"type":"index_parallel","inputSource":%s,%s,
            "inputFormat":{"type":"csv","findColumnsFromHeader":true}}}}"""
            .formatted(granularity, source, io));
  }

  private String run(String source, String io, String granularity) {
    LocalDruid.Answer answer = send(source, io, granularity);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.json().path("task").asText();
  }

  private void assertRows(String... rows) {
    LocalDruid.Answer answer =
        druid.post(
            "/v2/sql",
            """
            {"query":"SELECT TIME_FORMAT(__time, 'dd HH'), page, SUM(added) FROM edits GROUP BY 1, 2 ORDER BY 1, 2",
             "resultFormat":"csv"}""");
    assertThat(answer.text().strip().lines()).containsExactly(rows);
  }

  @Test
  void rowsAreAppended() {
    assertRows("01 00,Main,1", "01 07,Talk,2", "02 00,Main,4");
  }

  @Test
  void rowsAreInSegmentsOnceATaskHasEnded() throws IOException {
    try (Stream<Path> files = Files.walk(actors)) {
      assertThat(files.filter(file -> file.endsWith("version.bin"))).isNotEmpty();
    }
  }

  @Test
  void rowsWithTabsBetweenTheirValuesAreAppended() {
    LocalDruid.Answer answer =
        druid.post(
            "/indexer/v1/task",
            """
            {"type":"index_parallel","spec":{
              "dataSchema":{"dataSource":"edits","timestampSpec":{"column":"time","format":"iso"},
                "dimensionsSpec":{"dimensions":["page"]}},
              "ioConfig":{"type":"index_parallel","appendToExisting":true,
                "inputSource":{"type":"inline","data":"2024-05-03T00:00:00Z\\tTabs\\t32\\n"},
                "inputFormat":{"type":"tsv","columns":["time","page","added"]}}}}""");

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertRows("01 00,Main,1", "01 07,Talk,2", "02 00,Main,4", "03 00,Tabs,32");
  }

  @Test
  void aTaskThatDoesNotAppendReplacesTheDaysOfItsRows() {
    run(inline("2024-05-01T09:00:00Z,New,8"), "\"appendToExisting\":false", "");

    assertRows("01 09,New,8", "02 00,Main,4");
  }

  @Test
  void aTaskThatDropsReplacesItsIntervals() {
    String id =
        run(
            inline("2024-05-01T09:00:00Z,New,8\\n2024-06-01T00:00:00Z,Late,16"),
            "\"dropExisting\":true",
            ",\"intervals\":[\"2024-05-01/2024-05-03\"]");

    assertRows("01 09,New,8");
    JsonNode rows =
        druid
            .get("/indexer/v1/task/" + id + "/reports")
            .json()
            .at("/ingestionStatsAndErrors/payload/rowStats/buildSegments");
    assertThat(rows.path("processed").asInt()).isEqualTo(1);
    assertThat(rows.path("thrownAway").asInt()).isEqualTo(1);
  }

  @Test
  void aWrongRowLeavesEverythingAsItWas() {
    LocalDruid.Answer answer =
        send(
            inline("2024-05-01T09:00:00Z,New,8\\nyesterday,New,8"),
            "\"appendToExisting\":false",
            "");

    assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    assertThat(answer.text()).contains("yesterday");
    assertRows("01 00,Main,1", "01 07,Talk,2", "02 00,Main,4");
  }

  @Test
  void tasksAreListedWithTheirStatus() {
    String id = run(inline("2024-05-03T00:00:00Z,New,8"), "\"appendToExisting\":true", "");

    JsonNode status = druid.get("/indexer/v1/task/" + id + "/status").json();
    assertThat(status.path("task").asText()).isEqualTo(id);
    assertThat(status.at("/status/statusCode").asText()).isEqualTo("SUCCESS");
    assertThat(druid.get("/indexer/v1/tasks").json().at("/0/id").asText()).isEqualTo(id);
    assertThat(druid.get("/indexer/v1/tasks?state=complete&datasource=edits&max=1").json())
        .hasSize(1);
    assertThat(druid.get("/indexer/v1/tasks?state=running").json()).isEmpty();
    assertThat(druid.get("/indexer/v1/tasks?datasource=other").json()).isEmpty();
    assertThat(druid.get("/indexer/v1/tasks?state=lost").text()).contains("'lost' is no state");
    assertThat(druid.get("/indexer/v1/runningTasks").text()).isEqualTo("[]");
    assertThat(
            druid
                .post(
                    "/v2/sql",
                    "{\"query\":\"SELECT datasource, status, COUNT(*) FROM sys.tasks GROUP BY 1,"
                        + " 2\",\"resultFormat\":\"csv\"}")
                .text()
                .strip())
        .isEqualTo("edits,SUCCESS,2");
  }

  @Test
  void filesAndHostsAreReadIfTheyAreAllowed() throws IOException {
    Files.writeString(inputs.resolve("a.csv"), "time,page,added\n2024-05-04T00:00:00Z,File,32\n");

    run(
        "{\"type\":\"local\",\"baseDir\":\"" + inputs + "\",\"filter\":\"*.csv\"}",
        "\"appendToExisting\":true",
        "");
    run(http("more.csv"), "\"appendToExisting\":false", "");

    assertRows("01 00,Web,64", "02 00,Main,4", "04 00,File,32");
  }

  private String http(String path) {
    return "{\"type\":\"http\",\"uris\":[\"http://127.0.0.1:"
        + web.getAddress().getPort()
        + "/"
        + path
        + "\"]}";
  }

  private void assertRefused(String source, String io, int status, String reason) {
    LocalDruid.Answer answer = send(source, io, "");
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.text()).contains(reason);
  }

  @Test
  void whatIsNotAllowedIsRefusedByName() throws IOException {
    String append = "\"appendToExisting\":true";
    Path secret = Files.writeString(inputs.resolveSibling("secret.csv"), "time,page,added\n");
    Path link = Files.createSymbolicLink(inputs.resolve("link.csv"), secret);

    assertRefused("{\"type\":\"local\",\"files\":[\"" + secret + "\"]}", append, 403, "secret.csv");
    assertRefused("{\"type\":\"local\",\"files\":[\"" + link + "\"]}", append, 403, "link.csv");
    assertRefused(
        "{\"type\":\"local\",\"files\":[\"" + inputs.resolve("../secret.csv") + "\"]}",
        append,
        403,
        "secret.csv");
    assertRefused(
        "{\"type\":\"http\",\"uris\":[\"http://example.org/a.csv\"]}", append, 403, "example.org");
    assertRefused(
        "{\"type\":\"http\",\"uris\":[\"file:///etc/passwd\"]}", append, 400, "file:///etc/passwd");
    assertRefused(http("moved.csv"), append, 400, "302");
    assertRefused(
        "{\"type\":\"http\",\"uris\":[],\"requestHeaders\":{}}", append, 501, "requestHeaders");
    assertRefused("{\"type\":\"s3\"}", append, 501, "'s3'");
    assertRefused(
        inline("2024-05-01T09:00:00Z,New,8"), "\"dropExisting\":true", 400, "dropExisting");
    LocalDruid.Answer kill = druid.post("/indexer/v1/task", "{\"type\":\"kill\"}");
    assertThat(kill.status()).isEqualTo(501);
    assertThat(kill.text()).contains("'kill'");
    LocalDruid.Answer empty = druid.post("/indexer/v1/task", "{\"type\":\"index\"}");
    assertThat(empty.status()).isEqualTo(400);
    assertThat(empty.text()).contains("no 'dataSchema'");
    assertThat(druid.get("/indexer/v1/task/none/status").status()).isEqualTo(404);
  }
}
