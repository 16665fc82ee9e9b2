package io.uniserve.gateways.druid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.OlapEngine;
import io.uniserve.runtime.wire.stream.SkippedRecord;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import io.uniserve.runtime.wire.stream.StreamDefinition.OnBad;
import io.uniserve.runtime.wire.stream.StreamDefinition.Start;
import io.uniserve.runtime.wire.stream.StreamPartition;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of supervisors over HTTP, on a table whose streams nobody reads. */
class SupervisorsTest {
  private static final String ROOT = "/indexer/v1/supervisor";
  private static final String SPEC =
      """
      {"type":"kafka","spec":{
        "dataSchema":{"dataSource":"edits","timestampSpec":{"column":"time","format":"iso"},
          "dimensionsSpec":{"dimensions":["page"]},
          "metricsSpec":[{"type":"longSum","name":"added","fieldName":"added"}],
          "granularitySpec":{"queryGranularity":"hour"}},
        "ioConfig":{"type":"kafka","topic":"changes","inputFormat":{"type":"json"},
          "consumerProperties":{"bootstrap.servers":"localhost:9092"},
          "useEarliestOffset":true,"taskCount":1,"replicas":1,"taskDuration":"PT1H"},
        "tuningConfig":{"type":"kafka","maxRowsPerSegment":5000000}}}""";

  private LocalDruid druid;
  private LocalStreams streams;

  @BeforeEach
  void start(@TempDir Path directory) {
    druid =
        new LocalDruid(
            new TableDefinition(
                "edits",
                OlapEngine.NAME,
                new Partitioner.Hash(2),
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
            directory);
    streams = druid.client.streams;
  }

  @AfterEach
  void stop() {
    druid.close();
  }

  private JsonNode get(String path) {
    LocalDruid.Answer answer = druid.get(ROOT + path);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.json();
  }

  private JsonNode post(String path, String body) {
    LocalDruid.Answer answer = druid.post(ROOT + path, body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.json();
  }

  @Test
  void aSupervisorIsAStreamOfItsDatasource() {
    assertThat(post("", SPEC).path("id").asText()).isEqualTo("edits");

    assertThat(streams.definition("edits"))
        .isEqualTo(
            new StreamDefinition(
                "edits",
                "edits",
                "kafka",
                "localhost:9092",
                "changes",
                "jsonl",
                Start.EARLIEST,
                OnBad.SKIP));
    assertThat(get("").toString()).isEqualTo("[\"edits\"]");
  }

  @Test
  void readingBeginsAtTheEndUnlessTheEarliestOffsetIsAskedFor() {
    post("", SPEC.replace("\"useEarliestOffset\":true,", ""));

    assertThat(streams.definition("edits").start()).isEqualTo(Start.LATEST);
  }

  @Test
  void aRecordThatCannotBeReadStopsASupervisorThatAllowsNone() {
    post("", SPEC.replace("\"maxRowsPerSegment\":5000000", "\"maxParseExceptions\":0"));

    assertThat(streams.definition("edits").onBad()).isEqualTo(OnBad.STOP);
  }

  @Test
  void itsSpecCanBeSentAgain() {
    post("", SPEC);
    String identity = streams.identity("edits");

    assertThat(post("", get("/edits").toString()).path("id").asText()).isEqualTo("edits");
    assertThat(streams.identity("edits")).isEqualTo(identity);
  }

  @Test
  void statusTellsProgress() {
    post("", SPEC);
    streams.read(
        "edits",
        List.of(new StreamPartition(0, 5, 12, 20, 1), new StreamPartition(1, 0, 7, 7, 0)),
        List.of(new SkippedRecord(0, 9, "no time")));

    JsonNode status = get("/edits/status");
    JsonNode payload = status.path("payload");
    assertThat(status.path("id").asText()).isEqualTo("edits");
    assertThat(payload.path("state").asText()).isEqualTo("RUNNING");
    assertThat(payload.path("stream").asText()).isEqualTo("changes");
    assertThat(payload.path("partitions").asInt()).isEqualTo(2);
    assertThat(payload.path("latestOffsets").toString()).isEqualTo("{\"0\":20,\"1\":7}");
    assertThat(payload.path("minimumLag").toString()).isEqualTo("{\"0\":8,\"1\":0}");
    assertThat(payload.path("aggregateLag").asInt()).isEqualTo(8);
    assertThat(payload.path("activeTasks").path(0).path("currentOffsets").toString())
        .isEqualTo("{\"0\":12,\"1\":7}");
    assertThat(payload.path("recentErrors").path(0).path("message").asText())
        .isEqualTo("record 9 of partition 0 was skipped: no time");
    assertThat(get("/edits/health").path("healthy").asBoolean()).isTrue();
  }

  @Test
  void aStreamThatHasStoppedIsNotHealthy() {
    post("", SPEC);
    streams.fail("edits", "the topic was deleted");

    LocalDruid.Answer health = druid.get(ROOT + "/edits/health");
    assertThat(health.status()).isEqualTo(503);
    assertThat(health.json().path("healthy").asBoolean()).isFalse();
    assertThat(get("/edits/status").path("payload").path("recentErrors").toString())
        .contains("the topic was deleted");
  }

  @Test
  void itIsSuspendedAndResumed() {
    post("", SPEC);

    assertThat(post("/edits/suspend", "").path("suspended").asBoolean()).isTrue();
    assertThat(get("?state=true").path(0).path("state").asText()).isEqualTo("SUSPENDED");
    assertThat(druid.post(ROOT + "/edits/suspend", "").status()).isEqualTo(400);
    assertThat(druid.post(ROOT, "").status()).isEqualTo(400);
    assertThat(druid.post(ROOT, "[]").status()).isEqualTo(400);
    assertThat(post("/edits/resume", "").path("suspended").asBoolean()).isFalse();
    assertThat(get("?full").path(0).path("spec").path("type").asText()).isEqualTo("kafka");
    assertThat(post("/suspendAll", "").path("status").asText()).isEqualTo("success");
    assertThat(get("/edits").path("suspended").asBoolean()).isTrue();
  }

  @Test
  void oneThatIsSentSuspendedIsNotRead() {
    post(
        "",
        SPEC.replace(
            "{\"type\":\"kafka\",\"spec\"", "{\"type\":\"kafka\",\"suspended\":true,\"spec\""));

    assertThat(get("/edits/status").path("payload").path("state").asText()).isEqualTo("SUSPENDED");
  }

  @Test
  void oneThatWasTerminatedGoesOnIfItIsSentAgain() {
    post("", SPEC);
    String identity = streams.identity("edits");

    assertThat(post("/edits/terminate", "").path("id").asText()).isEqualTo("edits");
    assertThat(get("").isEmpty()).isTrue();
    assertThat(druid.get(ROOT + "/edits").status()).isEqualTo(404);
    post("", SPEC);
    assertThat(get("").toString()).isEqualTo("[\"edits\"]");
    assertThat(streams.identity("edits")).isEqualTo(identity);
  }

  @Test
  void aResetReadsEverythingAgain() {
    post("", SPEC);
    String identity = streams.identity("edits");

    assertThat(post("/edits/reset", "").path("id").asText()).isEqualTo("edits");
    assertThat(streams.identity("edits")).isNotEqualTo(identity);
  }

  @Test
  void supervisorsAreRowsOfSys() {
    post("", SPEC);

    LocalDruid.Answer answer =
        druid.post(
            "/v2/sql",
            """
            {"query":"SELECT supervisor_id, state, healthy, type, source, suspended FROM sys.supervisors",
             "resultFormat":"csv"}""");
    assertThat(answer.text().strip()).isEqualTo("edits,PENDING,1,kafka,changes,0");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "\"type\":\"kafka\",\"spec\" | \"type\":\"kinesis\",\"spec\" | 501 | type 'kinesis'",
        "\"taskCount\":1 | \"taskCount\":2 | 501 | taskCount",
        "\"replicas\":1 | \"replicas\":3 | 501 | replicas",
        "\"topic\":\"changes\" | \"topicPattern\":\"ch.*\" | 501 | 'topicPattern'",
        "\"topic\":\"changes\" | \"topic\":\"changes\",\"lateMessageRejectionPeriod\":\"PT1H\" | 501 | 'lateMessageRejectionPeriod'",
        "\"topic\":\"changes\" | \"topic\":\"\" | 400 | topic",
        "{\"type\":\"json\"} | {\"type\":\"csv\"} | 501 | type 'csv'",
        "{\"type\":\"json\"} | {\"type\":\"json\",\"flattenSpec\":{\"useFieldDiscovery\":true}} | 501 | 'flattenSpec'",
        "localhost:9092\"} | localhost:9092\",\"ssl.key.password\":\"x\"} | 501 | 'ssl.key.password'",
        "localhost:9092 | localhost | 400 | bootstrap.servers",
        "\"maxRowsPerSegment\":5000000 | \"resetOffsetAutomatically\":true | 501 | 'resetOffsetAutomatically'",
        "\"maxRowsPerSegment\":5000000 | \"maxParseExceptions\":7 | 501 | maxParseExceptions",
        "\"queryGranularity\":\"hour\" | \"queryGranularity\":\"day\" | 400 | granularitySpec",
        "[\"page\"] | [\"page\",\"user\"] | 400 | dimensionsSpec"
      })
  void whatIsNotThereIsRefusedByName(String part, String other, int status, String named) {
    assertThat(SPEC).contains(part);

    LocalDruid.Answer answer = druid.post(ROOT, SPEC.replace(part, other));

    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.json().path("errorMessage").asText()).contains(named);
    assertThat(get("").isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "/edits/history, 501",
    "/edits/stats, 501",
    "/edits/nonsense, 404",
    "/other/status, 404"
  })
  void otherQuestionsAreRefused(String path, int status) {
    post("", SPEC);

    assertThat(druid.get(ROOT + path).status()).isEqualTo(status);
  }

  @Test
  void anUnknownWordForAllIsRefused() {
    assertThat(druid.post(ROOT + "/forgetAll", "").status()).isEqualTo(404);
  }
}
