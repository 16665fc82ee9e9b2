package io.uniserve.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.notes.LocalClient;
import io.uniserve.runtime.client.Coverage;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class HttpServiceTest {
  private final LocalClient cluster = new LocalClient();
  private final HttpClient http = HttpClient.newHttpClient();
  private HttpService service;

  @BeforeEach
  void start() {
    cluster.createNotes("notes");
    service = new HttpService(cluster, List.of(), HttpSettings.onPort(0));
  }

  @AfterEach
  void stop() {
    service.close();
    http.close();
  }

  @Test
  void storesRecordsAndFindsThem() throws Exception {
    Answer stored =
        post(
            "/api/tables/notes/records",
            "{\"id\":\"a\",\"text\":\"one two\"}\n\n{\"id\":\"b\",\"text\":\"two\"}");
    assertThat(stored.status()).isEqualTo(200);
    assertThat(stored.document()).containsEntry("stored", 2L);

    Answer found = get("/api/tables/notes/query?q=two&rows=1");
    assertThat(found.status()).isEqualTo(200);
    Map<?, ?> result = (Map<?, ?>) found.document().get("result");
    assertThat(result.get("total")).isEqualTo(2L);
    assertThat((List<?>) result.get("hits")).hasSize(1);

    Answer posted = post("/api/tables/notes/query", "{\"query\":\"one\",\"options\":{\"rows\":5}}");
    assertThat(((Map<?, ?>) posted.document().get("result")).get("total")).isEqualTo(1L);
  }

  @Test
  void anErrorOfAPlannerIsAFailureOfTheSystemAndIsLogged() throws Exception {
    Logger log = (Logger) LoggerFactory.getLogger("io.uniserve.node.http");
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    log.addAppender(logged);
    try {
      Answer refused = get("/api/tables/notes/query?q=defect");

      assertThat(refused.status()).isEqualTo(500);
      assertThat(refused.error())
          .containsEntry("code", "INTERNAL")
          .containsEntry("party", "SYSTEM")
          .containsEntry("message", "assertion error: a planner's defect");
      assertThat(logged.list)
          .anySatisfy(
              event ->
                  assertThat(event.getThrowableProxy().getMessage())
                      .isEqualTo("a planner's defect"));
    } finally {
      log.detachAppender(logged);
    }
  }

  @Test
  void theFormerPathOfControllersAnswersAndSaysWhatReplacesIt() throws Exception {
    HttpResponse<String> now = answered("/api/controllers");
    HttpResponse<String> former = answered("/api/routers");
    assertThat(former.statusCode()).isEqualTo(now.statusCode());
    assertThat(former.headers().firstValue("Deprecation")).contains("true");
    assertThat(former.headers().firstValue("Link"))
        .contains("</api/controllers>; rel=\"successor-version\"");
    assertThat(now.headers().firstValue("Deprecation")).isEmpty();
    assertThat(former.body().replace("\"routers\"", "\"controllers\"")).isEqualTo(now.body());
  }

  @Test
  void theFormerPathOfControllersRefusesAsTheNewOneDoes() throws Exception {
    for (String path : List.of("/api/controllers", "/api/routers")) {
      assertThat(asked("POST", path, "{}").statusCode()).as(path).isEqualTo(400);
    }
    HttpResponse<String> now = asked("DELETE", "/api/controllers/nobody:1", "");
    HttpResponse<String> former = asked("DELETE", "/api/routers/nobody:1", "");
    assertThat(now.statusCode()).as("a cluster in one process has one controller").isEqualTo(501);
    assertThat(former.statusCode()).isEqualTo(now.statusCode());
    assertThat(former.body()).isEqualTo(now.body());
    assertThat(former.headers().firstValue("Deprecation")).contains("true");
  }

  private HttpResponse<String> asked(String method, String path, String body) throws Exception {
    return http.send(
        request(path)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> answered(String path) throws Exception {
    return http.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void takesAnArrayOfRecords() throws Exception {
    Answer stored =
        post(
            "/api/tables/notes/records",
            " [{\"id\":\"a\",\"text\":\"x\"},\n{\"id\":\"b\",\"text\":\"x\"}]");
    assertThat(stored.document()).containsEntry("stored", 2L);
  }

  @Test
  void storesNothingOfABatchWithABadRecordAndNamesItsLine() throws Exception {
    String batch = "{\"id\":\"a\",\"text\":\"kept out\"}\n\n{\"id\":\"b\"}\n";
    Answer refused = post("/api/tables/notes/records", batch);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.error())
        .containsEntry("code", "INVALID_ARGUMENT")
        .containsEntry("party", "CALLER")
        .containsEntry("retryable", false)
        .containsEntry("line", 3L)
        .containsEntry("message", "line 3: 'text' must be a string");
    assertThat(total("kept out")).isZero();
  }

  @Test
  void skipsBadRecordsOnDemand() throws Exception {
    String batch =
        "{\"id\":\"a\",\"text\":\"good\"}\n"
            + "not json\n"
            + "{\"id\":7}\n"
            + "{\"id\":\"b\",\"text\":\"good\"}\n"
            + "[1]";
    Answer stored = post("/api/tables/notes/records?skipBad=true", batch);
    assertThat(stored.document()).containsEntry("stored", 2L).containsEntry("skipped", 3L);
    assertThat((List<?>) stored.document().get("rejected")).hasSize(3);
    assertThat(total("good")).isEqualTo(2);
  }

  @Test
  void appliesABatchSentTwiceOnce() throws Exception {
    String batch = "{\"id\":\"a\",\"text\":\"x\"}";
    for (int attempt = 0; attempt < 2; attempt++) {
      HttpRequest request =
          request("/api/tables/notes/records")
              .header("Idempotency-Key", "key-1")
              .POST(BodyPublishers.ofString(batch))
              .build();
      assertThat(send(request).status()).isEqualTo(200);
    }
    assertThat(cluster.updateCount()).isEqualTo(1);
  }

  @Test
  void saysWhatAPartialAnswerLacks() throws Exception {
    cluster.cover(new Coverage(4, List.of(new Coverage.Missing("notes", 2, "is gone"))));
    Map<String, Object> coverage =
        Settings.object(
            "coverage", get("/api/tables/notes/query?q=x&partial=true").document().get("coverage"));
    assertThat(coverage)
        .containsEntry("asked", 4L)
        .containsEntry("answered", 3L)
        .containsEntry("missing", List.of(Map.of("table", "notes", "actor", 2L, "why", "is gone")));
    assertThat(get("/api/tables/notes/query?q=x").document()).doesNotContainKey("coverage");
  }

  @Test
  void answersErrorsWithTheirStatus() throws Exception {
    assertThat(get("/api/tables/films/query?q=x").status()).isEqualTo(404);
    assertThat(get("/api/tables/notes/query").error())
        .containsEntry("message", "the parameter 'q', the query, is missing");
    assertThat(get("/api/tables/notes/query?q=x&rwos=1").error())
        .containsEntry("message", "unknown option 'rwos'");
    assertThat(get("/api/tables/notes/query?q=x&timeoutMillis=0").status()).isEqualTo(400);
    assertThat(post("/api/tables/notes/records", "{\"id\":").error()).containsEntry("line", 1L);
    assertThat(get("/nothing").status()).isEqualTo(404);
    cluster.failNextUpdate(new UniserveException(ErrorCode.UNAVAILABLE, "actor 1/0 has no copy"));
    Answer failed = post("/api/tables/notes/records", "{\"id\":\"a\",\"text\":\"x\"}");
    assertThat(failed.status()).isEqualTo(503);
    assertThat(failed.error()).containsEntry("retryable", true).containsEntry("party", "SYSTEM");
    cluster.failNextUpdate(
        new UniserveException(ErrorCode.UNAVAILABLE, "no answer").ofUnknownOutcome());
    Answer unknown = post("/api/tables/notes/records", "{\"id\":\"a\",\"text\":\"x\"}");
    assertThat(unknown.status()).isEqualTo(503);
    assertThat(unknown.error())
        .containsEntry("retryable", false)
        .containsEntry("message", "the outcome is unknown, it may have been applied: no answer");
  }

  @Test
  void boundsBodies() throws Exception {
    Answer tooLarge =
        post("/api/tables/notes/query", "{\"query\":\"" + "x".repeat(1 << 20) + "\"}");
    assertThat(tooLarge.status()).isEqualTo(413);
    assertThat(tooLarge.error()).containsEntry("code", "TOO_LARGE");
    String records = "{\"id\":\"a\",\"text\":\"x\"}\n".repeat(100_001);
    assertThat(post("/api/tables/notes/records", records).error())
        .containsEntry("message", "a request carries at most 100000 records");
  }

  @Test
  void createsShowsAndDropsTables() throws Exception {
    Answer created =
        post("/api/tables", "{\"name\":\"more\",\"engine\":\"notes\",\"actors\":1,\"replicas\":1}");
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.document()).containsEntry("durability", "asynchronous");
    assertThat(post("/api/tables", "{\"name\":\"x\",\"engin\":\"notes\"}").error())
        .containsEntry("message", "table: 'engine' is missing");
    assertThat(post("/api/tables", "{\"name\":\"x\",\"engine\":\"notes\",\"replica\":2}").error())
        .containsEntry("message", "table: unknown 'replica'; did you mean 'replicas'?");
    assertThat(get("/api/tables/more").document()).containsEntry("engine", "notes");
    assertThat(send(request("/api/tables/more").DELETE().build()).status()).isEqualTo(204);
    assertThat(get("/api/tables/more").status()).isEqualTo(404);
  }

  @Test
  void showsTheClusterAndItsHealth() throws Exception {
    Answer shown = get("/api/cluster");
    Map<?, ?> server = (Map<?, ?>) ((List<?>) shown.document().get("servers")).getFirst();
    assertThat(server.get("name")).isEqualTo("s1");
    assertThat(server.get("operatorsWaiting")).isEqualTo(2L);
    assertThat(server.get("diskBytes")).isEqualTo(2000L);
    assertThat(get("/health").status()).isEqualTo(200);
  }

  @Test
  void exposesMetrics() throws Exception {
    post("/api/tables/notes/records", "{\"id\":\"a\",\"text\":\"x\"}");
    get("/api/tables/notes/query?q=x");
    String metrics = text("/metrics");
    assertThat(metrics)
        .contains("uniserve_queries_seconds_count{outcome=\"ok\",table=\"notes\"} 1")
        .contains("uniserve_queries_seconds_bucket{outcome=\"ok\",table=\"notes\",le=\"0.001\"}")
        .contains("uniserve_records_stored_total{table=\"notes\"} 1.0")
        .contains("uniserve_operators_total{server=\"s1\",table=\"notes\"} 3.0")
        .contains("uniserve_backup_lag_updates{server=\"s1\",table=\"notes\"} 3.0")
        .contains("uniserve_server_alive{server=\"s1\"} 1.0")
        .contains("jvm_memory_used_bytes");
  }

  @Test
  void countsActorsThatWaitAndLossesThatWereAccepted() throws Exception {
    ActorId actor = new ActorId(cluster.state().requireTable("notes").id(), 0);
    assertThat(text("/metrics"))
        .contains("uniserve_actors_waiting{table=\"notes\"} 0.0")
        .doesNotContain("uniserve_losses_accepted_total{");
    cluster.change(new ControlRecord.ServerFailed("s1", 1, "no answer"));
    assertThat(text("/metrics")).contains("uniserve_actors_waiting{table=\"notes\"} 1.0");
    cluster.change(new ControlRecord.LossAccepted(actor, "updates may be lost"));
    assertThat(text("/metrics"))
        .contains("uniserve_actors_waiting{table=\"notes\"} 0.0")
        .contains("uniserve_losses_accepted_total{table=\"notes\"} 1.0");
    cluster.change(new ControlRecord.ActorEmptied(actor, 7, List.of("s1"), "nothing is stored"));
    cluster.recover("notes", "updates may be lost");
    assertThat(text("/metrics")).contains("uniserve_losses_accepted_total{table=\"notes\"} 3.0");
  }

  @Test
  void refusesAPortInUse() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> new HttpService(cluster, List.of(), HttpSettings.onPort(port)))
          .isInstanceOf(UniserveException.class)
          .hasMessage("port " + port + " on 127.0.0.1 is in use; choose another");
    }
  }

  private record Answer(int status, String body) {
    Map<String, Object> document() {
      return io.uniserve.node.json.Settings.object("the answer", Json.parse(body));
    }

    Map<String, Object> error() {
      return io.uniserve.node.json.Settings.object("the error", document().get("error"));
    }
  }

  private long total(String part) throws Exception {
    Answer found = get("/api/tables/notes/query?q=" + part.replace(" ", "%20"));
    return (Long) ((Map<?, ?>) found.document().get("result")).get("total");
  }

  private Answer get(String path) throws Exception {
    return send(request(path).build());
  }

  private Answer post(String path, String body) throws Exception {
    return send(request(path).POST(BodyPublishers.ofString(body)).build());
  }

  private String text(String path) throws Exception {
    return get(path).body();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + path));
  }

  private Answer send(HttpRequest request) throws Exception {
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body());
  }
}
