package io.uniserve.node.remote;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.wire.tls.TlsFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The JSON interface of a running cluster. Its errors are thrown here as they were there. */
public final class RemoteCluster implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(2);

  private static final int ANSWER_BYTES_MAX = 256 << 20;
  private static final int ERROR_BYTES_MAX = 1 << 20;

  private final RemoteAddress address;
  private final Optional<String> authorization;
  private final HttpClient http;
  private final String url;

  /**
   * @param url the cluster's, for instance {@code http://localhost:8080}
   */
  public RemoteCluster(String url) {
    this(new RemoteAddress(url, Optional.empty(), Optional.empty()));
  }

  /** Creates a client of a cluster that may ask for a token. */
  public RemoteCluster(RemoteAddress address) {
    this.address = address;
    url = address.url();
    authorization = address.authorization();
    http =
        address
            .trusting(HttpClient.newBuilder())
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
  }

  /** Returns the document at a path. */
  public Map<String, Object> get(String path) {
    return send(HttpRequest.newBuilder(address.uri(path)).GET());
  }

  /** Sends a document. */
  public Map<String, Object> post(String path, Object document) {
    return send(HttpRequest.newBuilder(address.uri(path)).POST(json(document)));
  }

  /** Sends a document that asks for a change, with the key that makes it safe to send it again. */
  public Map<String, Object> post(String path, Object document, String idempotencyKey) {
    return send(
        HttpRequest.newBuilder(address.uri(path))
            .header("Idempotency-Key", idempotencyKey)
            .POST(json(document)));
  }

  /** Sends records as JSON lines, which an array backs; they are not copied. */
  public Map<String, Object> postRecords(String path, ByteBuffer lines, String idempotencyKey) {
    int start = lines.arrayOffset() + lines.position();
    return send(
        HttpRequest.newBuilder(address.uri(path))
            .header("Content-Type", "application/x-ndjson")
            .header("Idempotency-Key", idempotencyKey)
            .POST(
                BodyPublishers.ofInputStream(
                    () -> new ByteArrayInputStream(lines.array(), start, lines.remaining()))));
  }

  /** Deletes the resource at a path. */
  public void delete(String path) {
    send(HttpRequest.newBuilder(address.uri(path)).DELETE());
  }

  /** Returns a name as one part of a path. */
  public static String part(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Returns parameters as the end of a path. */
  public static String parameters(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(entry -> part(entry.getKey()) + "=" + part(entry.getValue()))
        .collect(Collectors.joining("&", parameters.isEmpty() ? "" : "?", ""));
  }

  private static BodyPublisher json(Object document) {
    return BodyPublishers.ofByteArray(Json.bytes(document));
  }

  /** Sends a document and returns the answer as it comes. The caller closes it. */
  public InputStream stream(String path, Object document) {
    return stream(HttpRequest.newBuilder(address.uri(path)).POST(json(document)));
  }

  /** Sends JSON lines and returns the answer as it comes. The caller closes it. */
  public InputStream streamLines(String path, byte[] lines) {
    return stream(
        HttpRequest.newBuilder(address.uri(path))
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofByteArray(lines)));
  }

  private InputStream stream(HttpRequest.Builder request) {
    HttpResponse<InputStream> response = exchange(request, BodyHandlers.ofInputStream());
    if (response.statusCode() / 100 == 2) {
      return response.body();
    }
    try (InputStream body = response.body()) {
      throw refusal(response.statusCode(), body.readNBytes(ERROR_BYTES_MAX));
    } catch (IOException e) {
      throw unreached(e);
    }
  }

  private Map<String, Object> send(HttpRequest.Builder request) {
    return answer(
        exchange(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), ANSWER_BYTES_MAX)));
  }

  private <T> HttpResponse<T> exchange(HttpRequest.Builder request, BodyHandler<T> body) {
    authorization.ifPresent(value -> request.header("Authorization", value));
    try {
      return http.send(request.timeout(REQUEST_TIMEOUT).build(), body);
    } catch (HttpTimeoutException e) {
      throw new UniserveException(ErrorCode.DEADLINE_EXCEEDED, url + " does not answer in time", e);
    } catch (ConnectException e) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "no cluster answers at " + url + "; start one or pass --url", e);
    } catch (IOException e) {
      throw unreached(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
    }
  }

  /** A refused handshake is not tried again: who set up the certificates has to mend it. */
  private UniserveException unreached(IOException failure) {
    return TlsFailure.describe(failure)
        .map(why -> new UniserveException(ErrorCode.UNAUTHENTICATED, url + ": " + why, failure))
        .orElseGet(
            () -> new UniserveException(ErrorCode.UNAVAILABLE, url + ": " + failure, failure));
  }

  private Map<String, Object> answer(HttpResponse<byte[]> response) {
    byte[] body = response.body();
    if (response.statusCode() / 100 == 2) {
      return body.length == 0
          ? Map.of()
          : Settings.object("the answer", Json.parse(body, 0, body.length));
    }
    throw refusal(response.statusCode(), body);
  }

  private UniserveException refusal(int status, byte[] body) {
    return error(body)
        .orElseGet(
            () ->
                new UniserveException(
                    ErrorCode.INTERNAL,
                    url + " answers with status " + status + "; is it Uniserve?"));
  }

  private static Optional<UniserveException> error(byte[] body) {
    try {
      Settings answer = new Settings("the answer", Json.parse(body, 0, body.length));
      Map<String, Object> error = answer.object("error");
      ErrorCode code = ErrorCode.valueOf(String.valueOf(error.get("code")));
      String message = String.valueOf(error.get("message"));
      return Optional.of(
          error.get("line") instanceof Long line
              ? new RefusedLineException(code, message, line)
              : code.retryable() && Boolean.FALSE.equals(error.get("retryable"))
                  ? UniserveException.unknownOutcome(code, message)
                  : new UniserveException(code, message));
    } catch (UniserveException | IllegalArgumentException e) {
      return Optional.empty(); // another program answers there, and its status is reported instead
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
