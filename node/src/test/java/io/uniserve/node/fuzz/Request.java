package io.uniserve.node.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A request over HTTP.
 *
 * @param line method and target
 * @param contentType the content type of the body
 * @param body may be empty
 */
record Request(String line, String contentType, byte[] body) {

  static Request get(String target) {
    return new Request("GET " + target, "text/plain", new byte[0]);
  }

  static Request post(String target, String contentType, String body) {
    return new Request("POST " + target, contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  Request withBody(byte[] changed) {
    return new Request(line, contentType, changed);
  }

  /** Returns the request as it is sent; the length is right. */
  byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String head =
        line
            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: "
            + contentType
            + "\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    out.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
    out.writeBytes(body);
    return out.toByteArray();
  }
}
