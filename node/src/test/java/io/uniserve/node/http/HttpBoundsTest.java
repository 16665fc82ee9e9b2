package io.uniserve.node.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.http.connection.BodyBudget;
import io.uniserve.node.notes.LocalClient;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of a request's cost before it is refused. */
@Timeout(60)
class HttpBoundsTest {
  private final LocalClient cluster = new LocalClient();
  private HttpService service;

  @BeforeEach
  void start() {
    cluster.createNotes("notes");
    service = new HttpService(cluster, List.of(), HttpSettings.onPort(0));
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private String send(String head, byte[] body) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", service.port())) {
      socket.setSoTimeout(20_000);
      String whole = head + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
      socket.getOutputStream().write(whole.replace("HEADERS", "").getBytes());
      socket.getOutputStream().write(("Content-Length: " + body.length + "\r\n\r\n").getBytes());
      socket.getOutputStream().write(body);
      return read(socket.getInputStream());
    }
  }

  private static String read(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void headers() throws IOException {
    assertThat(send("GET /health?" + "x".repeat(20_000), new byte[0])).contains(" 414 ");
    try (Socket socket = new Socket("127.0.0.1", service.port())) {
      socket
          .getOutputStream()
          .write(bytes("GET /health HTTP/1.1\r\nX: " + "y".repeat(20_000) + "\r\n\r\n"));
      assertThat(read(socket.getInputStream())).contains(" 431 ");
    }
  }

  /** The sender of a body that comes after its refusal gets the answer, not a reset. */
  @ParameterizedTest
  @ValueSource(strings = {"/api/tables/none/records", "/api/nothing", "/api/tables/none/nothing"})
  void aRefusalArrivesThoughItsBodyIsStillUnderWay(String path) throws IOException {
    String body = "x".repeat(20_000);
    try (Socket socket = new Socket("127.0.0.1", service.port())) {
      socket.setSoTimeout(20_000);
      String head = "POST " + path + "?timeoutMillis=none HTTP/1.1\r\nHost: localhost\r\n";
      for (int request = 0; request < 2; request++) {
        socket
            .getOutputStream()
            .write(bytes(head + "Content-Length: " + body.length() + "\r\n\r\n"));
        BufferedReader answer =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
        assertThat(answer.readLine()).matches("HTTP/1.1 40[04] .*");
        socket.getOutputStream().write(bytes(body));
        drop(answer);
      }
    }
  }

  private static void drop(BufferedReader answer) throws IOException {
    int length = -1;
    for (String line = answer.readLine(); !line.isEmpty(); line = answer.readLine()) {
      String lower = line.toLowerCase(Locale.ROOT);
      assertThat(lower).isNotEqualTo("connection: close");
      if (lower.startsWith("content-length: ")) {
        length = Integer.parseInt(lower.substring("content-length: ".length()));
      }
    }
    assertThat(answer.skip(length)).isEqualTo(length).isPositive();
  }

  /** Jetty refuses these itself. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /api/tables/a%2Fb/query?q=x",
        "GET /api/..%2Ftables",
        "GET /api/tables/notes;x=1/../query",
        "GET /api/%2e%2e/api/tables",
        "GET /api//tables",
        "GET /../api/tables",
        "GET /api/a%00b",
        "POST /api/tables/a%2Fb/records",
        "HEAD2 /api/tables",
        "GET /solr/a%2Fb/select",
        "GET http://[::1/api/tables",
        "TRACE /api/tables",
        "DELETE /",
        "GET /favicon.ico2"
      })
  void everyRefusalIsJson(String request) throws IOException {
    String answer = send(request, new byte[0]);
    assertThat(answer.toLowerCase(Locale.ROOT)).doesNotContain("html").contains("application/json");
    assertThat(answer).contains("{\"error\":{\"code\":\"").contains("\"retryable\":false");
  }

  @Test
  void whatIsNoHttpIsRefusedInJson() throws IOException {
    for (String text :
        List.of("GARBAGE\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u0001\u0002\r\n\r\n")) {
      try (Socket socket = new Socket("127.0.0.1", service.port())) {
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(bytes(text));
        assertThat(read(socket.getInputStream()))
            .contains(": application/json")
            .contains("\"party\":\"CALLER\"");
      }
    }
  }

  @Test
  void nesting() throws IOException {
    assertThat(send("POST /api/tables/notes/query", bytes("[".repeat(100_000))))
        .contains(" 400 ")
        .contains("nesting depth");
  }

  @Test
  void valuesOfABody() throws IOException {
    String path = "POST /api/tables/notes/records";
    assertThat(send(path, bytes("[{\"a\":[0" + ",0".repeat(2_000_100) + "]}]")))
        .contains("\"error\"")
        .contains("Token count");
    String line = "{\"a\":[0" + ",0".repeat(900_000) + "]}\n";
    assertThat(send(path, bytes(line.repeat(3))))
        .as("several lines together")
        .contains(" 413 ")
        .contains("more than 2000000 JSON tokens");
  }

  @Test
  void compressedBodiesAreNotExpanded() throws IOException {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bomb)) {
      out.write(new byte[50 << 20]);
    }
    String head = "POST /api/tables/notes/records HTTP/1.1\r\nHost: localhost\r\n";
    try (Socket socket = new Socket("127.0.0.1", service.port())) {
      socket
          .getOutputStream()
          .write(
              bytes(
                  head
                      + "Connection: close\r\nContent-Encoding: gzip\r\nContent-Length: "
                      + bomb.size()
                      + "\r\n\r\n"));
      socket.getOutputStream().write(bomb.toByteArray());
      assertThat(read(socket.getInputStream())).contains(" 501 ").contains("taken uncompressed");
    }
  }

  @Test
  void bodiesOfAllRequestsTogether() {
    BodyBudget budget = new BodyBudget(1000);
    budget.take(600);
    assertThatThrownBy(() -> budget.take(401))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED));
    assertThat(budget.taken()).isEqualTo(600);
    budget.giveBack(600);
    budget.take(1000);
  }
}
