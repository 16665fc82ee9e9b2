package io.uniserve.runtime.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.location.DurableStores;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An object store that answers what a test wants. */
class S3FailuresTest {
  private static final S3Credentials CREDENTIALS =
      new S3Credentials("some-user", "the-secret-of-some-user", Optional.of("the-token"));

  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicReference<String> writer = new AtomicReference<>();
  private HttpServer server;
  private volatile Answer answer = exchange -> respond(exchange, 200, "");

  @FunctionalInterface
  private interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          exchange.getRequestBody().readAllBytes();
          answer.to(exchange);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static void respond(HttpExchange exchange, int status, String body) throws IOException {
    boolean head = exchange.getRequestMethod().equals("HEAD");
    byte[] bytes = head ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
  }

  private DurableStore open() {
    S3Settings settings =
        S3Settings.of("bucket", "", "us-east-1")
            .withEndpoint(URI.create("http://127.0.0.1:" + server.getAddress().getPort()), true)
            .withCredentials(Optional.of(CREDENTIALS))
            .withLimits(5 << 20, Duration.ofSeconds(10), 3);
    return new S3Store(settings, ProductionEnvironment.unseeded());
  }

  @ParameterizedTest
  @CsvSource({
    "500, InternalError, UNAVAILABLE, 3",
    "503, SlowDown, UNAVAILABLE, 3",
    "507, XMinioStorageFull, EXHAUSTED, 1",
    "403, AccessDenied, INVALID_ARGUMENT, 1",
    "403, QuotaExceeded, EXHAUSTED, 1",
    "404, NoSuchBucket, NOT_FOUND, 1"
  })
  void answersBecomeErrorsAfterSoManyAttempts(
      int status, String name, ErrorCode expected, int attempts) {
    try (DurableStore store = open()) {
      requests.set(0);
      answer =
          exchange ->
              respond(
                  exchange, status, "<Error><Code>" + name + "</Code><Message>m</Message></Error>");
      assertThatThrownBy(() -> store.put("some/key", Content.of(new byte[10])))
          .hasMessageContaining("some/key")
          .hasMessageContaining(name)
          .isInstanceOfSatisfying(
              UniserveException.class, e -> assertThat(e.code()).isEqualTo(expected));
      assertThat(requests).hasValue(attempts);
    }
  }

  @Test
  void aRepeatedWriteKnowsItsOwn() {
    try (DurableStore store = open()) {
      requests.set(0);
      answer = this::loseTheFirstAnswer;
      assertThat(store.putIfAbsent("key", Content.of(new byte[10]))).isTrue();
      assertThat(requests).as("put, put again, look").hasValue(3);
      writer.set("another");
      requests.set(1);
      assertThat(store.putIfAbsent("key", Content.of(new byte[10]))).isFalse();
    }
  }

  private void loseTheFirstAnswer(HttpExchange exchange) throws IOException {
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().add("x-amz-meta-writer", writer.get());
      respond(exchange, 200, "");
    } else if (requests.get() == 1) {
      writer.set(exchange.getRequestHeaders().getFirst("x-amz-meta-writer"));
      respond(exchange, 500, "");
    } else {
      respond(exchange, 412, "<Error><Code>PreconditionFailed</Code></Error>");
    }
  }

  /** Another's write fails in the end, or its object is deleted at once. */
  @ParameterizedTest
  @CsvSource({"409, ConditionalRequestConflict", "412, PreconditionFailed"})
  void aRefusalBecauseOfWhatIsNotThereIsTriedAgain(int status, String name) {
    try (DurableStore store = open()) {
      requests.set(0);
      answer =
          exchange -> {
            if (exchange.getRequestMethod().equals("HEAD")) {
              respond(exchange, 404, "");
            } else {
              boolean first = requests.get() == 1;
              respond(exchange, first ? status : 200, "<Error><Code>" + name + "</Code></Error>");
            }
          };
      assertThat(store.putIfAbsent("key", Content.of(new byte[10]))).isTrue();
      assertThat(requests).as("put, look, put again").hasValue(3);
    }
  }

  @Test
  void aRefusalThatNeverEndsMayBeTriedLater() {
    try (DurableStore store = open()) {
      requests.set(0);
      answer =
          exchange -> {
            boolean head = exchange.getRequestMethod().equals("HEAD");
            respond(exchange, head ? 404 : 409, "<Error><Code>Conflict</Code></Error>");
          };
      assertThatThrownBy(() -> store.putIfAbsent("some/key", Content.of(new byte[10])))
          .hasMessageContaining("some/key")
          .hasMessageContaining("refused 3 times")
          .isInstanceOfSatisfying(UniserveException.class, e -> assertThat(e.retryable()).isTrue());
    }
  }

  @Test
  void listsPageAfterPage() {
    try (DurableStore store = open()) {
      answer = exchange -> respond(exchange, 200, page(exchange.getRequestURI().getQuery()));
      List<String> keys = new ArrayList<>();
      store.list("n/", object -> keys.add(object.key()));
      assertThat(keys).containsExactly("n/1", "n/2", "n/3");
    }
  }

  private static String page(String query) {
    assertThat(query).contains("prefix=n/");
    boolean second = query.contains("continuation-token=more");
    return "<ListBucketResult>"
        + (second
            ? entry("n/3") + "<IsTruncated>false</IsTruncated>"
            : entry("n/1")
                + entry("n/2")
                + "<IsTruncated>true</IsTruncated>"
                + "<NextContinuationToken>more</NextContinuationToken>")
        + "</ListBucketResult>";
  }

  private static String entry(String key) {
    return "<Contents><Key>"
        + key
        + "</Key><Size>1</Size><LastModified>2025-01-01T00:00:00.000Z</LastModified></Contents>";
  }

  @Test
  void secretsAreNotTold() {
    answer = exchange -> respond(exchange, 403, "<Error><Code>InvalidAccessKeyId</Code></Error>");
    assertThatThrownBy(this::open)
        .satisfies(
            e -> {
              for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                assertThat(cause.toString()).doesNotContain("secret").doesNotContain("the-token");
              }
            });
    assertThat(S3Settings.of("b", "", "r").withCredentials(Optional.of(CREDENTIALS)).toString())
        .doesNotContain("secret")
        .doesNotContain("the-token");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3://user:hunter2@bucket/prefix",
        "s3:bucket",
        "s3:///prefix",
        "s3://bucket/?acces=1",
        "s3://bucket/a%20b",
        "s3://bucket/?endpoint=http:// x"
      })
  void urisThatAreNotWellFormedAreRefused(String uri) {
    assertThatThrownBy(() -> DurableStores.open(uri, null, ProductionEnvironment.unseeded()))
        .hasMessageNotContaining("hunter2")
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }

  @Test
  void urisSayWhereTheStoreIs() {
    S3Settings amazon = DurableStores.settings(URI.create("s3://bucket/a/b?region=eu-central-1"));
    assertThat(amazon.prefix()).isEqualTo("a/b/");
    assertThat(amazon.region()).isEqualTo("eu-central-1");
    assertThat(amazon.pathStyle()).isFalse();
    S3Settings other =
        DurableStores.settings(
            URI.create("s3://my_bucket?endpoint=http%3A%2F%2Fminio%3A9000&pathStyle=false"));
    assertThat(other.bucket()).isEqualTo("my_bucket");
    assertThat(other.prefix()).isEmpty();
    assertThat(other.endpoint()).contains(URI.create("http://minio:9000"));
    assertThat(other.pathStyle()).isFalse();
  }
}
