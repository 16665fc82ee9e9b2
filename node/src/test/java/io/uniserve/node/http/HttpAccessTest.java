package io.uniserve.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.access.Access;
import io.uniserve.node.access.Rights;
import io.uniserve.node.access.TokenFile;
import io.uniserve.node.access.Tokens;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.notes.LocalClient;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The access of callers over HTTP. */
class HttpAccessTest {
  private final LocalClient cluster = new LocalClient();
  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir private Path directory;
  private TokenFile tokens;
  private String admin;
  private String reader;
  private String writer;
  private HttpService service;

  @BeforeEach
  void start() {
    cluster.createNotes("notes");
    cluster.createNotes("secret");
    tokens = new TokenFile(directory.resolve("tokens"));
    admin = tokens.create("admin", Rights.ALL);
    reader = tokens.create("reader", new Rights(false, tables("notes"), tables()));
    writer = tokens.create("writer", new Rights(false, tables(), tables("notes")));
    service = serve(Access.byToken(new Tokens(tokens)));
  }

  private static TreeSet<String> tables(String... names) {
    return new TreeSet<>(Set.of(names));
  }

  private HttpService serve(Access access) {
    return new HttpService(
        cluster, List.of(), HttpSettings.onPort(0).secured(access, Optional.empty()));
  }

  @AfterEach
  void stop() {
    service.close();
    http.close();
  }

  private record Answer(int status, String body, java.net.http.HttpHeaders headers) {
    Map<String, Object> document() {
      return Settings.object("the answer", Json.parse(body));
    }

    Map<String, Object> error() {
      return Settings.object("the error", document().get("error"));
    }
  }

  private Answer send(String token, String method, String path, String body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + path))
            .method(method, BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<String> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body(), response.headers());
  }

  private int get(String token, String path) throws Exception {
    return send(token, "GET", path, "").status();
  }

  private static final String RECORD = "{\"id\":\"a\",\"text\":\"x\"}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/cluster",
        "/api/tables",
        "/api/tables/notes",
        "/api/tables/notes/query?q=x",
        "/api/events",
        "/api/events/recent",
        "/metrics",
        "/nothing",
        "/api/nothing",
        "/health/",
        "/health;x=1",
        "/%68ealth/../metrics",
        "/api/session/../cluster",
        "//metrics"
      })
  void everythingElseIsClosed(String path) throws Exception {
    // The client would tidy the path up, so it is written by hand.
    try (Socket socket = new Socket("127.0.0.1", service.port())) {
      String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      BufferedReader answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      assertThat(answer.readLine()).matches("HTTP/1.1 (401|400|404) .*");
      assertThat(answer.lines().toList())
          .noneMatch(line -> line.contains("\"servers\"") || line.contains("jvm_memory"));
    }
  }

  @Test
  void healthAndTheConsolesPagesAreOpen() throws Exception {
    assertThat(get("", "/health")).isEqualTo(200);
    assertThat(get("", "/")).isEqualTo(200);
    assertThat(get("", "/console.js")).isEqualTo(200);
  }

  @Test
  void aTokenIsAskedForAndChecked() throws Exception {
    Answer none = send("", "GET", "/api/cluster", "");
    assertThat(none.status()).isEqualTo(401);
    assertThat(none.error())
        .containsEntry("code", "UNAUTHENTICATED")
        .containsEntry("party", "CALLER")
        .containsEntry("retryable", false);
    assertThat(none.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    assertThat(send("uniserve_wrong", "GET", "/api/cluster", "").error())
        .containsEntry("message", "no such token, or it was revoked");
    assertThat(get(admin, "/api/cluster")).isEqualTo(200);
    assertThat(get(admin, "/metrics")).isEqualTo(200);
    String basic = Base64.getEncoder().encodeToString(("any:" + admin).getBytes());
    assertThat(send("", "GET", "/api/cluster", "", "Authorization", "Basic " + basic).status())
        .isEqualTo(200);
    assertThat(send("", "GET", "/api/cluster", "", "Authorization", "Basic %%%").status())
        .isEqualTo(401);
    assertThat(get("", "/api/cluster?token=" + admin)).isEqualTo(401);
  }

  @Test
  void aReaderReadsItsTableAlone() throws Exception {
    assertThat(get(reader, "/api/tables/notes/query?q=x")).isEqualTo(200);
    assertThat(get(reader, "/api/tables/notes")).isEqualTo(200);
    Answer refused = send(reader, "POST", "/api/tables/notes/records", RECORD);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.error())
        .containsEntry("code", "FORBIDDEN")
        .containsEntry("message", "token 'reader' may not write table 'notes'");
    assertThat(cluster.updateCount()).isZero();
    assertThat(get(reader, "/api/tables/secret/query?q=x")).isEqualTo(403);
    assertThat(get(reader, "/api/tables/secret")).isEqualTo(403);
    assertThat(get(reader, "/api/cluster")).isEqualTo(403);
    assertThat(get(reader, "/metrics")).isEqualTo(403);
    assertThat(get(reader, "/api/events/recent")).isEqualTo(403);
    assertThat(send(reader, "DELETE", "/api/tables/notes", "").status()).isEqualTo(403);
    assertThat(send(reader, "GET", "/api/tables", "").body())
        .contains("notes")
        .doesNotContain("secret");
  }

  @Test
  void aWriterOnlyWrites() throws Exception {
    assertThat(send(writer, "POST", "/api/tables/notes/records", RECORD).status()).isEqualTo(200);
    assertThat(get(writer, "/api/tables/notes/query?q=x")).isEqualTo(403);
    assertThat(send(writer, "POST", "/api/tables/secret/records", RECORD).status()).isEqualTo(403);
    String table = "{\"name\":\"more\",\"engine\":\"notes\",\"actors\":1,\"replicas\":1}";
    assertThat(send(writer, "POST", "/api/tables", table).status()).isEqualTo(403);
    assertThat(send(admin, "POST", "/api/tables", table).status()).isEqualTo(201);
  }

  @Test
  void aRevokedTokenIsOfNoUse() throws Exception {
    assertThat(get(reader, "/api/tables/notes")).isEqualTo(200);
    tokens.revoke("reader");
    assertThat(get(reader, "/api/tables/notes")).isEqualTo(401);
  }

  private String login(String token) throws Exception {
    Answer answer = send("", "POST", "/api/session", "{\"token\":\"" + token + "\"}");
    assertThat(answer.status()).isEqualTo(204);
    String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie)
        .matches("uniserve_session=[^;]+; Path=/api; HttpOnly; SameSite=Strict")
        .doesNotContain(token);
    return cookie.substring(0, cookie.indexOf(';'));
  }

  @Test
  void aBrowserLogsInAndOut() throws Exception {
    Answer wrong = send("", "POST", "/api/session", "{\"token\":\"uniserve_wrong\"}");
    assertThat(wrong.status()).isEqualTo(401);
    String cookie = login(admin);
    assertThat(send("", "GET", "/api/cluster", "", "Cookie", cookie).status()).isEqualTo(200);
    assertThat(send("", "GET", "/api/session", "", "Cookie", cookie).document())
        .containsEntry("caller", "admin");
    assertThat(send("", "DELETE", "/api/session", "", "Cookie", cookie).status()).isEqualTo(204);
    assertThat(send("", "GET", "/api/cluster", "", "Cookie", cookie).status()).isEqualTo(401);
    assertThat(send("", "GET", "/api/session", "").document()).containsEntry("caller", null);
  }

  @Test
  void aSessionEndsWithItsToken() throws Exception {
    String cookie = login(admin);
    tokens.revoke("admin");
    assertThat(send("", "GET", "/api/cluster", "", "Cookie", cookie).status()).isEqualTo(401);
  }

  @Test
  void pagesOfOthersChangeNothing() throws Exception {
    String cookie = login(admin);
    Answer answer =
        send("", "DELETE", "/api/tables/notes", "", "Cookie", cookie, "Origin", "http://evil.test");
    assertThat(answer.status()).isEqualTo(403);
    assertThat(cluster.state().table("notes")).isPresent();
    String own = "http://127.0.0.1:" + service.port();
    assertThat(
            send("", "DELETE", "/api/tables/notes", "", "Cookie", cookie, "Origin", own).status())
        .isEqualTo(204);
  }

  @Test
  void withoutTokensOnlyThisMachineIsAnswered() throws Exception {
    service.close();
    service = serve(Access.onThisMachine());
    assertThat(get("", "/api/cluster")).isEqualTo(200);
    assertThat(statusOf("evil.test")).contains("403");
    assertThat(statusOf("localhost:1")).contains("200");
    service.close();
    service = serve(Access.insecure());
    assertThat(statusOf("evil.test")).contains("200");
    assertThat(send("", "GET", "/api/session", "").document()).containsEntry("insecure", true);
  }

  /** The client does not let its user choose the host. */
  private String statusOf(String host) throws Exception {
    try (Socket socket = new Socket("127.0.0.1", service.port())) {
      String request =
          "GET /api/tables HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
          .readLine();
    }
  }
}
