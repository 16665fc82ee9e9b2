package io.uniserve.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every parameter and member that the documentation of the JSON interface lists, with values that
 * nobody should give it: the answer is right, or an error that names what is wrong.
 */
@Timeout(180)
class HttpParametersTest {
  private static final Path DOCUMENTATION = Path.of("../docs/http.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** The documented parameters of a query, those of the table's engine included. */
  private static final Map<String, String> OF_QUERIES =
      Map.ofEntries(
          Map.entry("q", "metropolis"),
          Map.entry("partial", "true"),
          Map.entry("read", "basic"),
          Map.entry("timeoutMillis", "5000"),
          Map.entry("rows", "3"),
          Map.entry("offset", "1"),
          Map.entry("sort", "year desc"),
          Map.entry("filter", "year:1927"),
          Map.entry("fields", "title"),
          Map.entry("facets", "year"),
          Map.entry("cursor", ""));

  private static final Map<String, String> OF_RECORDS =
      Map.of("acknowledge", "all", "skipBad", "true", "visible", "true", "timeoutMillis", "20000");

  private static final Map<String, String> OF_CHANGES = Map.of("timeoutMillis", "20000");

  private static final List<String> ODD =
      List.of(
          "",
          " ",
          "x",
          "-1",
          "0",
          "1.5",
          "1e9",
          "9".repeat(30),
          "TRUE",
          "yes",
          "\u0000",
          "caf\u00e9",
          "[",
          "(((",
          "nofield",
          "nofield:x",
          "year:many",
          "a,,b",
          "x".repeat(2_000));

  @TempDir static Path directory;
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static EmbeddedCluster cluster;
  private static HttpService service;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.start(directory, 1, new SearchEngine());
    Map<String, Object> fields =
        Map.of("title", Map.of("type", "text"), "year", Map.of("type", "long"));
    cluster
        .client()
        .createTable(
            new TableDefinition(
                "films",
                "search",
                new Partitioner.Hash(2),
                1,
                Durability.NONE,
                Map.of("fields", fields, "defaultField", "title")),
            Duration.ofSeconds(60));
    service = new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0));
  }

  @AfterAll
  static void stop() {
    service.close();
    cluster.close();
    HTTP.close();
  }

  private record Answer(int status, String body) {
    String message() {
      Object error = Settings.object("the answer", Json.parse(body)).get("error");
      return (String) Settings.object("the error", error).get("message");
    }
  }

  private static Answer send(String method, String path, String body) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + service.port() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString(body)).build();
    HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static Answer query(String name, String... values) throws Exception {
    StringBuilder path = new StringBuilder("/api/tables/films/query?");
    path.append(name.equals("q") ? "" : "q=metropolis&");
    for (String value : values) {
      path.append(encoded(name)).append('=').append(encoded(value)).append('&');
    }
    return send("GET", path.toString(), "");
  }

  private static Answer records(String name, String... values) throws Exception {
    StringBuilder path = new StringBuilder("/api/tables/films/records?");
    for (String value : values) {
      path.append(encoded(name)).append('=').append(encoded(value)).append('&');
    }
    return send("POST", path.toString(), "{\"id\":\"1\",\"title\":\"Metropolis\"}");
  }

  private static Answer change(String name, String... values) throws Exception {
    return send("POST", "/api/placement/preview?" + name + "=" + encoded(values[0]), "");
  }

  private static void assertRefused(Answer answer, String what, String... named) {
    assertThat(answer.status()).as("%s: %s", what, answer.body()).isBetween(400, 499);
    assertThat(answer.message())
        .as(what)
        .hasSizeLessThanOrEqualTo(500)
        .doesNotContainPattern("(java|org|com)\\.[a-z]+\\.|Exception|Error:|Source:|enum constant");
    for (String each : named) {
      assertThat(answer.message()).as(what).contains(each);
    }
  }

  /** Returns the code in the middle column of the table whose first column has this heading. */
  private static Set<String> documented(String row) throws IOException {
    Set<String> names = new TreeSet<>();
    for (String line : Files.readAllLines(DOCUMENTATION)) {
      if (line.startsWith("| " + row)) {
        Matcher name = CODE.matcher(line.split("\\|")[2]);
        while (name.find()) {
          names.add(name.group(1));
        }
      }
    }
    assertThat(names).as(row).isNotEmpty();
    return names;
  }

  @Test
  void theDocumentationListsThemAll() throws IOException {
    assertThat(documented("that store records")).isEqualTo(new TreeSet<>(OF_RECORDS.keySet()));
    assertThat(documented("that change anything")).isEqualTo(new TreeSet<>(OF_CHANGES.keySet()));
    assertThat(OF_QUERIES.keySet()).containsAll(documented("that read a table by query"));
    String search = Files.readString(Path.of("../docs/search.md"));
    Set<String> ofTheEngine = new TreeSet<>(OF_QUERIES.keySet());
    ofTheEngine.removeAll(documented("that read a table by query"));
    assertThat(ofTheEngine).allSatisfy(name -> assertThat(search).contains("`" + name + "`"));
  }

  @Test
  void whatIsRightIsAnswered() throws Exception {
    for (Map.Entry<String, String> each : OF_RECORDS.entrySet()) {
      Answer answer = records(each.getKey(), each.getValue());
      assertThat(answer.status()).as(each + answer.body()).isEqualTo(200);
      assertThat(records(each.getKey(), each.getValue(), each.getValue()).status()).isEqualTo(200);
    }
    for (Map.Entry<String, String> each : OF_QUERIES.entrySet()) {
      Answer answer = query(each.getKey(), each.getValue());
      assertThat(answer.status()).as(each + answer.body()).isEqualTo(200);
    }
    assertThat(change("timeoutMillis", "20000").status()).isEqualTo(200);
  }

  @Test
  void oddValuesAreAnsweredOrNamed() throws Exception {
    List<String> unnamed = new ArrayList<>();
    for (String value : ODD) {
      for (String name : OF_QUERIES.keySet()) {
        check(query(name, value), name, value, unnamed);
      }
      for (String name : OF_RECORDS.keySet()) {
        check(records(name, value), name, value, unnamed);
      }
      check(change("timeoutMillis", value), "timeoutMillis", value, unnamed);
    }
    assertThat(unnamed).isEmpty();
  }

  private static void check(Answer answer, String name, String value, List<String> unnamed) {
    String what = name + "=" + value.substring(0, Math.min(60, value.length()));
    if (answer.status() != 200) {
      assertRefused(answer, what);
      String message = answer.message();
      boolean shown = !value.isBlank() && message.contains(value.split(",")[0].strip());
      if (!message.contains(name) && !shown && !message.contains("xxx… (2000")) {
        unnamed.add(what + " -> " + message);
      }
    }
  }

  @Test
  void twoValuesOfOneThatHasOneAreRefused() throws Exception {
    for (String name : OF_QUERIES.keySet()) {
      assertRefused(query(name, "1", "2"), name, "'" + name + "'", "several values");
    }
    for (String name : OF_RECORDS.keySet()) {
      assertRefused(records(name, "true", "false"), name, "'" + name + "'", "several values");
    }
  }

  /** A parameter that the documentation of a request does not have is refused. */
  @Test
  void unknownParametersAreRefusedEverywhere() throws Exception {
    Map<String, String> paths = new LinkedHashMap<>();
    for (String line : Files.readAllLines(DOCUMENTATION)) {
      Matcher code = CODE.matcher(line.startsWith("| `") ? line.split("\\|")[1] : "");
      String methods = "";
      while (code.find()) {
        String[] words = code.group(1).split(" ");
        methods += words[0] + " ";
        if (words.length > 1 && words[1].startsWith("/api/")) {
          paths.merge(words[1].replaceFirst("\\?.*", ""), methods, String::concat);
          methods = "";
        }
      }
    }
    assertThat(paths).hasSizeGreaterThan(15).containsKey("/api/tables/T/records");
    for (Map.Entry<String, String> each : paths.entrySet()) {
      String path =
          each.getKey()
              .replace("/T", "/films")
              .replace("/N/", "/0/")
              .replaceAll("/[SR](?=/|$)", "/s1");
      for (String method : each.getValue().trim().split(" ")) {
        if (List.of("GET", "POST", "DELETE").contains(method)) {
          boolean needsQuery = method.equals("GET") && path.endsWith("/query");
          String query = needsQuery ? "?q=x&nonsense=1" : "?nonsense=1";
          String what = method + " " + path;
          assertRefused(send(method, path + query, "{\"query\":\"x\"}"), what, "'nonsense'");
        }
      }
    }
    assertRefused(query("x".repeat(2_000), "1"), "a long name", "(2000 characters)");
    String login = "/api/session?timeoutMillis=1";
    assertRefused(send("POST", login, "{\"token\":\"x\"}"), login, "'timeoutMillis'");
  }

  /** A member of a table's definition that has the wrong kind is named. */
  @Test
  void membersOfTheWrongKindAreNamed() throws Exception {
    Map<String, Object> right = new LinkedHashMap<>();
    right.put("name", "made");
    right.put("engine", "search");
    right.put("actors", 1L);
    right.put("replicas", 1L);
    right.put("durability", "none");
    right.put("consistency", "eventual");
    right.put("schema", Map.of());
    List<Object> odd =
        List.of("", "x".repeat(40_000), -1L, 1e300, true, List.of(1L), Map.of("a", 1L));
    for (String member : right.keySet()) {
      for (Object value : odd) {
        Map<String, Object> table = new LinkedHashMap<>(right);
        table.put(member, value);
        Answer answer = send("POST", "/api/tables", Json.text(table));
        assertRefused(answer, member + " " + value.toString().length(), member);
      }
    }
    for (String setting : List.of("type", "analyzer", "indexed", "stored", "copyTo", "nonsense")) {
      for (Object value : odd) {
        Map<String, Object> table = new LinkedHashMap<>(right);
        table.put("schema", Map.of("fields", Map.of("title", Map.of(setting, value))));
        Answer answer = send("POST", "/api/tables", Json.text(table));
        if (answer.status() == 201) {
          assertThat(send("DELETE", "/api/tables/made", "").status()).isEqualTo(204);
        } else {
          assertRefused(answer, setting + " " + value.toString().length(), "field");
        }
      }
    }
    assertRefused(
        send("POST", "/api/tables", "{\"" + "x".repeat(40_000) + "\":1}"), "name", "table:");
  }
}
