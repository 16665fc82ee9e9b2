package io.uniserve.node.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.solr.common.util.JavaBinCodec;
import org.apache.solr.common.util.NamedList;

/**
 * An answer over HTTP.
 *
 * @param status the status of HTTP
 * @param headers the headers, by their names in lower case
 * @param body the body, without chunks
 */
record Answer(int status, Map<String, String> headers, byte[] body) {

  /** Reads one answer, and refuses one that is malformed or cut short. */
  static Answer of(byte[] sent) {
    String text = new String(sent, StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    assertThat(end).as("no headers: %s", text).isPositive();
    String[] lines = text.substring(0, end).split("\r\n");
    assertThat(lines[0]).matches("HTTP/1\\.[01] [1-5][0-9][0-9].*");
    Map<String, String> headers = new LinkedHashMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      assertThat(colon).as(lines[i]).isPositive();
      headers.put(
          lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
          lines[i].substring(colon + 1).strip());
    }
    byte[] rest = Arrays.copyOfRange(sent, end + 4, sent.length);
    int status = Integer.parseInt(lines[0].substring(9, 12));
    boolean chunked = "chunked".equals(headers.get("transfer-encoding"));
    if (headers.containsKey("content-length")) {
      int length = Integer.parseInt(headers.get("content-length"));
      assertThat(rest.length).as("the body is cut short").isGreaterThanOrEqualTo(length);
      rest = Arrays.copyOf(rest, length); // later answers follow this one
    }
    return new Answer(status, headers, chunked ? unchunked(rest) : rest);
  }

  private static byte[] unchunked(byte[] chunks) {
    String text = new String(chunks, StandardCharsets.ISO_8859_1);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    int at = 0;
    while (true) {
      int line = text.indexOf("\r\n", at);
      assertThat(line).as("a chunk without an end").isPositive();
      int length = Integer.parseInt(text.substring(at, line), 16);
      if (length == 0) {
        return whole.toByteArray();
      }
      assertThat(chunks.length).as("a chunk is cut short").isGreaterThan(line + 2 + length);
      whole.write(chunks, line + 2, length);
      at = line + 2 + length + 2;
    }
  }

  /** Checks that an answer to a request that is well-formed HTTP has the form of its surface. */
  void check(boolean solr) throws IOException {
    assertThat(status).as(text()).isNotEqualTo(500);
    String type = headers.getOrDefault("content-type", "");
    if (type.startsWith("application/json")) {
      Map<?, ?> document = (Map<?, ?>) Json.parse(body, 0, body.length);
      if (status >= 400 && status != 503) {
        Map<?, ?> error = (Map<?, ?>) document.get("error");
        assertThat(error).as(text()).isNotNull();
        assertThat((Object) error.get(solr ? "msg" : "message")).as(text()).isNotNull();
      }
    } else if (type.startsWith("application/octet-stream")) {
      try (JavaBinCodec codec = new JavaBinCodec()) {
        NamedList<?> document = (NamedList<?>) codec.unmarshal(new ByteArrayInputStream(body));
        assertThat(status < 400 || document.get("error") != null).isTrue();
      }
    }
  }

  String text() {
    return status + " " + new String(body, StandardCharsets.UTF_8);
  }
}
