package io.uniserve.bench.load;

import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Requests as the bytes that go over the wire, made before the measurement begins. */
public final class HttpRequests {

  private HttpRequests() {}

  public static byte[] get(InetSocketAddress host, String path, Map<String, String> parameters) {
    return head("GET", host, path, parameters, "").getBytes(StandardCharsets.US_ASCII);
  }

  public static byte[] postJson(
      InetSocketAddress host, String path, Map<String, String> parameters, byte[] body) {
    String headers =
        "Content-Type: application/json\r\nContent-Length: %d\r\n".formatted(body.length);
    ByteArrayOutputStream request = new ByteArrayOutputStream(body.length + 512);
    request.writeBytes(
        head("POST", host, path, parameters, headers).getBytes(StandardCharsets.US_ASCII));
    request.writeBytes(body);
    return request.toByteArray();
  }

  private static String head(
      String method,
      InetSocketAddress host,
      String path,
      Map<String, String> parameters,
      String headers) {
    String query =
        parameters.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + encode(entry.getValue()))
            .collect(Collectors.joining("&"));
    return "%s %s?%s HTTP/1.1\r\nHost: %s:%d\r\nAccept: application/json\r\n%s\r\n"
        .formatted(method, path, query, host.getHostString(), host.getPort(), headers);
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
