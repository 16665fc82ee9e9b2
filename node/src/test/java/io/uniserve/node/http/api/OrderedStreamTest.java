package io.uniserve.node.http.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of ordered tables over HTTP. */
@Timeout(180)
class OrderedStreamTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private EmbeddedCluster cluster;
  private HttpService service;
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void start() throws Exception {
    cluster =
        EmbeddedCluster.start(
            new EmbeddedSettings(directory, 2, Plugins.load().engines(), Optional.empty()));
    create("notes", Consistency.ORDERED);
    service = new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0));
  }

  private void create(String name, Consistency level) {
    cluster
        .client()
        .createTable(
            new TableDefinition(
                name,
                "search",
                new Partitioner.Hash(2),
                1,
                Durability.NONE,
                level,
                Map.of("fields", Map.of("text", Map.of("type", "text")), "defaultField", "text")),
            TIMEOUT);
  }

  @AfterEach
  void stop() throws Exception {
    http.close();
    service.close();
    cluster.close();
  }

  private HttpRequest request(String path, HttpRequest.BodyPublisher body) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + service.port() + path))
        .POST(body)
        .build();
  }

  private static Map<?, ?> document(String line) {
    return (Map<?, ?>) Json.parse(line);
  }

  @Test
  void eachLineHasItsTwoMomentsAndABadLineItsError() throws Exception {
    HttpResponse<String> answer =
        http.send(
            request(
                "/api/tables/notes/ordered",
                BodyPublishers.ofString(
                    "{\"id\":\"a\",\"text\":\"x\"}\n\n[{\"id\":\"b\",\"text\":\"x\"},{\"id\":\"c\",\"text\":\"x\"}]\n{nonsense\n{\"id\":\"d\",\"text\":\"x\"}")),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    List<? extends Map<?, ?>> lines =
        answer.body().lines().map(OrderedStreamTest::document).toList();
    for (long line : List.of(1L, 3L, 5L)) {
      assertThat(lines)
          .filteredOn(document -> document.get("line").equals(line))
          .anySatisfy(document -> assertThat((Long) document.get("stable")).isPositive())
          .anySatisfy(document -> assertThat(document.get("applied")).isEqualTo(true));
    }
    assertThat(lines)
        .filteredOn(document -> document.get("line").equals(4L))
        .singleElement()
        .satisfies(
            document ->
                assertThat(((Map<?, ?>) document.get("error")).get("code"))
                    .isEqualTo("INVALID_ARGUMENT"));
  }

  @Test
  void aReadSeesTheLinesBeforeItAndNoneAfterIt() throws Exception {
    HttpResponse<String> answer =
        http.send(
            request(
                "/api/tables/notes/ordered",
                BodyPublishers.ofString(
                    """
                    {"id":"a","text":"x"}
                    [{"id":"b","text":"x"},{"id":"c","text":"x"}]
                    {"$query":"text:x","options":{"rows":0}}
                    {"id":"d","text":"x"}
                    {"$query":"text:x","options":{"rows":0},"more":1}
                    """)),
            BodyHandlers.ofString());
    assertThat(answer.body().lines().map(OrderedStreamTest::document))
        .filteredOn(document -> document.containsKey("result"))
        .singleElement()
        .satisfies(
            document -> {
              assertThat(document.get("line")).isEqualTo(3L);
              assertThat(((Map<?, ?>) document.get("result")).get("total")).isEqualTo(3L);
            });
    assertThat(answer.body()).contains("\"line\":5,\"error\"").contains("'more'");
    for (String level : List.of("snapshot", "sequential")) {
      assertThat(query("read=" + level).body()).contains("\"total\":4");
    }
    HttpResponse<String> order = get("/api/tables/notes/ordered");
    assertThat(document(order.body()).get("head")).isEqualTo(5L);
    assertThat(document(order.body()).get("waiting")).isIn(0L, 1L);
    assertThat(query("read=newest").body())
        .contains("INVALID_ARGUMENT")
        .contains("read=newest: one of basic, snapshot and sequential");
  }

  @Test
  void updatesOfOneActorMayTakeTheShortWayAndReadsSeeThemInTheirOrder() throws Exception {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      body.append("{\"id\":\"s%d\",\"text\":\"x\"}\n".formatted(i));
    }
    body.append("{\"$query\":\"text:x\",\"options\":{\"read\":\"snapshot\"}}\n");
    body.append("[{\"id\":\"t1\",\"text\":\"x\"},{\"id\":\"t2\",\"text\":\"x\"}]\n");
    body.append("{\"$query\":\"text:x\"}\n{\"$query\":\"x\",\"options\":{\"read\":\"basic\"}}\n");
    HttpResponse<String> answer =
        http.send(
            request(
                "/api/tables/notes/ordered?way=short", BodyPublishers.ofString(body.toString())),
            BodyHandlers.ofString());
    List<? extends Map<?, ?>> lines =
        answer.body().lines().map(OrderedStreamTest::document).toList();
    assertThat(lines)
        .filteredOn(document -> Boolean.TRUE.equals(document.get("applied")))
        .hasSize(21);
    List<Object> totals = new ArrayList<>();
    for (Map<?, ?> line : lines) {
      if (line.get("result") instanceof Map<?, ?> result) {
        totals.add(result.get("total"));
      }
    }
    assertThat(totals).containsExactlyInAnyOrder(20L, 22L);
    assertThat(answer.body()).contains("\"line\":24,\"error\"").contains("UNSUPPORTED");
    assertThat(document(get("/api/tables/notes/ordered").body()).get("head"))
        .as("only the update of two records and the sequential read may have places")
        .isIn(1L, 2L);
    HttpResponse<String> unknown =
        http.send(
            request("/api/tables/notes/ordered?way=long", BodyPublishers.noBody()),
            BodyHandlers.ofString());
    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(unknown.body()).contains("'way'").contains("'long'");
  }

  private HttpResponse<String> query(String parameters) throws Exception {
    return get("/api/tables/notes/query?q=text:x&rows=0&" + parameters);
  }

  private HttpResponse<String> get(String path) throws Exception {
    URI uri = URI.create("http://localhost:" + service.port() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  @Test
  void outcomesComeWhileTheRequestGoesOn() throws Exception {
    try (Socket socket = new Socket("localhost", service.port());
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      send(
          socket,
          "POST /api/tables/notes/ordered HTTP/1.1\r\nHost: localhost\r\n"
              + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
      for (int line = 1; line <= 2; line++) {
        String record = "{\"id\":\"r" + line + "\",\"text\":\"x\"}\n";
        send(socket, Integer.toHexString(record.length()) + "\r\n" + record + "\r\n");
        assertThat(moment(lines)).contains("\"line\":" + line).contains("\"stable\"");
        assertThat(moment(lines)).contains("\"line\":" + line).contains("\"applied\":true");
      }
      send(socket, "0\r\n\r\n");
    }
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the next line of the answer's body, without headers and the sizes of chunks. */
  private static String moment(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.startsWith("{")) {
      line = lines.readLine();
    }
    return line;
  }

  @Test
  void whatIsNoOrderedTableOrNoStalledUpdateIsRefused() throws Exception {
    create("plain", Consistency.EVENTUAL);
    HttpResponse<String> plain =
        http.send(
            request(
                "/api/tables/plain/ordered",
                BodyPublishers.ofString("{\"id\":\"a\",\"text\":\"x\"}")),
            BodyHandlers.ofString());
    assertThat(plain.statusCode()).isEqualTo(501);
    assertThat(plain.body()).contains("only ordered tables have sessions");
    HttpResponse<String> parameter =
        http.send(
            request("/api/tables/notes/ordered?acknowledge=all", BodyPublishers.noBody()),
            BodyHandlers.ofString());
    assertThat(parameter.statusCode()).isEqualTo(400);
    HttpResponse<String> dropped =
        http.send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://localhost:" + service.port() + "/api/tables/notes/ordered/7"))
                .DELETE()
                .build(),
            BodyHandlers.ofString());
    assertThat(dropped.statusCode()).isEqualTo(400);
    assertThat(dropped.body()).contains("no actor of table 'notes' stalls");
  }
}
