package io.uniserve.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.runtime.store.location.DurableStores;
import io.uniserve.runtime.store.s3.MotoServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that ignores conditions is found out when it is opened. */
class StoreConditionsTest {
  private final Map<String, String> writers = new ConcurrentHashMap<>();
  private HttpServer server;
  private boolean honours;
  private int failing;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** Answers as much of S3 as is needed. */
  private void answer(HttpExchange call) throws IOException {
    call.getRequestBody().readAllBytes();
    String key = call.getRequestURI().getPath();
    boolean bucket = key.equals("/bucket") || key.equals("/bucket/");
    int status =
        switch (call.getRequestMethod()) {
          case "PUT" -> put(call, key);
          case "HEAD" -> bucket || writers.containsKey(key) ? 200 : 404;
          case "DELETE" -> writers.remove(key) == null ? 404 : 204;
          default -> 405;
        };
    if (writers.containsKey(key)) {
      call.getResponseHeaders().set("x-amz-meta-writer", writers.get(key));
    }
    call.getResponseHeaders().set("ETag", "\"1\"");
    call.sendResponseHeaders(status, -1);
    call.close();
  }

  private int put(HttpExchange call, String key) {
    if (failing != 0) {
      return failing;
    }
    boolean conditional = "*".equals(call.getRequestHeaders().getFirst("If-None-Match"));
    if (honours && conditional && writers.containsKey(key)) {
      return 412;
    }
    writers.put(key, call.getRequestHeaders().getFirst("x-amz-meta-writer"));
    return 200;
  }

  private DurableStore open() {
    return DurableStores.open(
        "s3://bucket/uniserve?endpoint=http://127.0.0.1:" + server.getAddress().getPort(),
        Optional.of(MotoServer.credentials()),
        null,
        ProductionEnvironment.unseeded());
  }

  @Test
  void aStoreThatIgnoresIfNoneMatchIsRefusedByName() {
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
        .hasMessageContaining("s3://bucket/uniserve/")
        .hasMessageContaining("ignores 'If-None-Match: *'");
    assertThat(writers).as("what was tried is gone").isEmpty();
  }

  @Test
  void aStoreThatHonoursItIsOpened() {
    honours = true;
    assertThatCode(() -> open().close()).doesNotThrowAnyException();
    assertThat(writers).as("what was tried is gone").isEmpty();
  }

  @Test
  void aStoreThatIsFullWhenItIsOpenedIsFoundOutBeforeItsFirstConditionalWrite() {
    failing = 507;
    try (DurableStore store = open()) {
      assertThatThrownBy(() -> store.putIfAbsent("key", Content.of(new byte[] {1})))
          .isInstanceOfSatisfying(
              UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EXHAUSTED));
      failing = 0;
      assertThatThrownBy(() -> store.putIfAbsent("key", Content.of(new byte[] {1})))
          .isInstanceOfSatisfying(
              UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED));
      assertThat(writers).as("nothing was put").isEmpty();
      honours = true;
      assertThat(store.putIfAbsent("key", Content.of(new byte[] {1}))).isTrue();
      assertThat(store.putIfAbsent("key", Content.of(new byte[] {1}))).isFalse();
    }
  }
}
