package io.uniserve.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.gateways.solr.SolrGateway;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.notes.LocalClient;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text of requests is read in its charset or refused; nothing is replaced. */
class HttpTextTest {
  private static final String RECORDS = "POST /api/tables/notes/records";

  private final LocalClient cluster = new LocalClient();
  private HttpService service;

  @BeforeEach
  void start() {
    cluster.createNotes("notes");
    service = new HttpService(cluster, List.of(new SolrGateway()), HttpSettings.onPort(0));
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private record Answer(int status, Map<String, Object> document) {
    Map<String, Object> error() {
      return Settings.object("the error", document.get("error"));
    }
  }

  /** Sends a request byte by byte as it is given: a client would encode it. */
  private Answer send(String start, String type, byte[] body) throws IOException {
    String answer = sent(start, type, body);
    String content = answer.substring(answer.indexOf("\r\n\r\n") + 4);
    return new Answer(
        Integer.parseInt(answer.substring(9, 12)),
        Settings.object("the answer", Json.parse(content)));
  }

  private String sent(String start, String type, byte[] body) throws IOException {
    String head =
        start
            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: "
            + type
            + "\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    try (Socket socket = new Socket("127.0.0.1", service.port())) {
      socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().write(body);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private Answer get(String path) throws IOException {
    return send("GET " + path, "text/plain", new byte[0]);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/tables/caf%E9",
        "/api/tables/%ED%A0%80/query?q=x",
        "/api/tables/notes/query?q=caf%E9",
        "/api/tables/notes/query?q=caf\u00e9",
        "/api/tables/notes/query?q=%zz",
        "/api/tables/notes/query?q=x&%E9=1",
        "/caf%E9"
      })
  void whatIsNoTextIsRefusedInJson(String path) throws IOException {
    Answer refused = get(path);

    assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
    assertThat(refused.error()).containsEntry("code", "INVALID_ARGUMENT");
    assertThat((String) refused.error().get("message"))
        .containsAnyOf("not UTF-8", "cannot be decoded");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/solr/caf%E9/select?q=x",
        "/solr/notes/sel%E9ct",
        "/solr/notes/select?q=%E9",
        "/solr/notes/select?q=\u00e9"
      })
  void ofAGatewayInItsOwnForm(String path) throws IOException {
    Answer refused = get(path);

    assertThat(refused.status()).isEqualTo(400);
    assertThat((String) refused.error().get("msg")).containsAnyOf("not UTF-8", "cannot be decoded");
  }

  /** The server itself refuses paths that no server can read. */
  @ParameterizedTest
  @ValueSource(strings = {"/api/tables/%zz", "/solr/%zz/select", "/solr/caf\u00e9/select"})
  void whatIsNoPathIsRefused(String path) throws IOException {
    assertThat(sent("GET " + path, "text/plain", new byte[0])).startsWith("HTTP/1.1 400 ");
  }

  private long found(String word) throws IOException {
    Object result = get("/api/tables/notes/query?q=" + word).document().get("result");
    return (Long) ((Map<?, ?>) result).get("total");
  }

  @Test
  void bodiesAreReadInTheirCharset() throws IOException {
    String lines = "{\"id\":\"a\",\"text\":\"plain\"}\n{\"id\":\"b\",\"text\":\"caf\u00e9\"}\n";
    Charset latin = StandardCharsets.ISO_8859_1;
    Answer refused = send(RECORDS, "application/json", lines.getBytes(latin));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.error())
        .containsEntry("message", "the body is not UTF-8: byte 0xE9 on line 2");
    assertThat(found("plain")).as("of the first record").isZero();

    String type = "application/x-ndjson; charset=iso-8859-1";
    assertThat(send(RECORDS, type, lines.getBytes(latin)).status()).isEqualTo(200);
    assertThat(found("caf%C3%A9")).isEqualTo(1);
    assertThat(send(RECORDS, "text/plain;charset=klingon", new byte[0]).error().get("message"))
        .isEqualTo("charset 'klingon' is not known");
    byte[] query = "{\"query\":\"caf\u00e9\"}".getBytes(latin);
    assertThat(send("POST /api/tables/notes/query", type, query).status()).isEqualTo(200);
    assertThat(send("POST /api/tables/notes/query", "text/json", query).status()).isEqualTo(400);
  }

  @Test
  void aByteOrderMarkIsNoPartOfABody() throws IOException {
    for (String records :
        new String[] {
          "\ufeff{\"id\":\"a\",\"text\":\"one\"}\n{\"id\":\"b\",\"text\":\"one\"}",
          "\ufeff[\n{\"id\":\"a\",\"text\":\"two\"},\n{\"id\":\"b\",\"text\":\"two\"}]"
        }) {
      Answer stored = send(RECORDS, "text/json", records.getBytes(StandardCharsets.UTF_8));
      assertThat(stored.document()).as(records).containsEntry("stored", 2L);
      byte[] utf16 = records.getBytes(StandardCharsets.UTF_16LE);
      assertThat(send(RECORDS, "text/json;charset=utf-16", utf16).document())
          .containsEntry("stored", 2L);
    }
    assertThat(found("two")).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"id\":\"a\",\"text\":\"kept out\"}] [{\"id\":\"b\",\"text\":\"x\"}]",
        "[{\"id\":\"a\",\"text\":\"kept out\"}] x",
        "[{\"id\":\"a\",\"text\":\"kept out\"}]]",
        "[{\"id\":\"a\",\"text\":\"kept out\"}",
        "{\"id\":\"a\",\"text\":\"kept out\"} {\"id\":\"b\",\"text\":\"x\"}",
        "{\"id\":\"a\",\"text\":\"kept out\"}\n{\"id\":\"b\",\"text\":\"x\"} x",
        "{\"id\":\"a\",\"text\":\"kept out\"}\n}",
        "{\"id\":\"a\",\"text\":\"kept out\"}\n{\"id\":\"b\",\"text\":\"\\ud83c\"}",
        "{\"id\":\"a\",\"text\":\"kept out\"}\n{\"id\":\"b\",\"\\udfac\":\"\"}"
      })
  void nothingIsStoredOfABodyThatGoesWrongAtItsEnd(String body) throws IOException {
    Answer refused = send(RECORDS, "application/json", body.getBytes(StandardCharsets.UTF_8));

    assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
    assertThat((String) refused.error().get("message"))
        .hasSizeLessThan(500)
        .doesNotContain("Source", "StreamRead", "java");
    assertThat(cluster.updateCount()).isZero();
  }
}
