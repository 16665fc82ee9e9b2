package io.uniserve.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.testkit.tools.Tools;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A headless Chromium, driven by the WebDriver standard. */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process driver;
  private final String base;
  private String session = "";

  private Browser(Process driver, int port) {
    this.driver = driver;
    base = "http://127.0.0.1:" + port;
  }

  /**
   * Starts a browser; skips the test if there is none.
   *
   * @param profile an empty directory for its files
   */
  static Browser start(Path profile) throws IOException, InterruptedException {
    Path driver = Tools.program("chromedriver");
    Path chromium = Tools.program("chromium");
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      port = free.getLocalPort();
    }
    ProcessBuilder command =
        new ProcessBuilder(driver.toString(), "--port=" + port)
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("chromedriver.log").toFile());
    command.environment().put("TMPDIR", profile.toString());
    Browser browser = new Browser(command.start(), port);
    try {
      browser.open(chromium, profile.resolve("profile"));
      return browser;
    } catch (IOException | InterruptedException | RuntimeException e) {
      browser.close();
      throw e;
    }
  }

  private void open(Path program, Path profile) throws IOException, InterruptedException {
    List<String> arguments =
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,1000",
            "--user-data-dir=" + profile);
    Map<String, Object> chromium = Map.of("binary", program.toString(), "args", arguments);
    Map<String, Object> wanted =
        Map.of(
            "browserName",
            "chrome",
            "goog:chromeOptions",
            chromium,
            "goog:loggingPrefs",
            Map.of("browser", "ALL"));
    Object made = null;
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (made == null) {
      try {
        made = send("/session", Map.of("capabilities", Map.of("alwaysMatch", wanted)));
      } catch (ConnectException e) {
        assertThat(System.nanoTime()).as("chromedriver does not listen: %s", e).isLessThan(end);
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    }
    session = "/session/" + Settings.object("session", made).get("sessionId");
  }

  /** Opens a page. */
  void visit(String url) throws IOException, InterruptedException {
    send(session + "/url", Map.of("url", url));
  }

  /** Runs a script; returns its result. */
  Object run(String script) throws IOException, InterruptedException {
    return send(session + "/execute/sync", Map.of("script", script, "args", List.of()));
  }

  /** Waits until an expression is true. */
  void await(String expression) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!Boolean.TRUE.equals(run("return Boolean(" + expression + ")"))) {
      assertThat(System.nanoTime())
          .as("waited for %s; the page says: %s", expression, run("return document.body.innerText"))
          .isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }

  /** Returns the messages on the browser's console since the last call. */
  List<?> messages() throws IOException, InterruptedException {
    return (List<?>) send(session + "/se/log", Map.of("type", "browser"));
  }

  private Object send(String path, Object body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(Duration.ofSeconds(60))
            .POST(BodyPublishers.ofByteArray(Json.bytes(body)))
            .build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    Object value = Settings.object("answer", Json.parse(response.body())).get("value");
    assertThat(response.statusCode()).as("%s: %s", path, value).isEqualTo(200);
    return value;
  }

  @Override
  public void close() {
    driver.descendants().forEach(ProcessHandle::destroyForcibly);
    driver.destroyForcibly().onExit().join();
    http.shutdownNow();
  }
}
