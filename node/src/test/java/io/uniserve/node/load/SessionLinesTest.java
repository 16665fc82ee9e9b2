package io.uniserve.node.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Json;
import io.uniserve.node.remote.RemoteCluster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lines that are sent to an ordered table of a running cluster. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // one cluster serves all tests
class SessionLinesTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private EmbeddedCluster cluster;
  private HttpService service;
  private RemoteCluster remote;
  private final List<String> answers = new ArrayList<>();

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    cluster =
        EmbeddedCluster.start(
            new EmbeddedSettings(directory, 1, Plugins.load().engines(), Optional.empty()));
    service = new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0));
    remote = new RemoteCluster("http://localhost:" + service.port());
  }

  private void create(String name, Consistency level) {
    cluster
        .client()
        .createTable(
            new TableDefinition(
                name,
                "search",
                new Partitioner.Hash(2),
                1,
                Durability.NONE,
                level,
                Map.of("fields", Map.of("text", Map.of("type", "text")), "defaultField", "text")),
            TIMEOUT);
  }

  @AfterAll
  void stop() throws Exception {
    remote.close();
    service.close();
    cluster.close();
  }

  /** Returns a sender of lines to a new ordered table. */
  private SessionLines lines(String table) {
    create(table, Consistency.ORDERED);
    return new SessionLines(remote, table, SessionLines.ORDER, answers::add);
  }

  @BeforeEach
  void forget() {
    answers.clear();
  }

  private static InputStream in(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private Map<?, ?> answer(int number) {
    return (Map<?, ?>) Json.parse(answers.get(number));
  }

  @Test
  void eachLineHasOneAnswerInTheOrderOfTheLines() throws IOException {
    SessionLines lines = lines("notes");
    lines.send(
        "lines",
        in(
            """
            {"id": "a", "text": "x"}

            [{"id": "b", "text": "x"}, {"id": "c", "text": "x"}]
            {"$query": "x"}
            {"id": "d", "text": "x"}\
            """));
    assertThat(lines.failed()).isFalse();
    assertThat(answers).hasSize(4);
    assertThat(answer(0)).isEqualTo(Map.of("line", 1L, "applied", true));
    assertThat(answer(1)).isEqualTo(Map.of("line", 3L, "applied", true));
    assertThat(((Map<?, ?>) answer(2).get("result")).get("total"))
        .as("the lines before it, and none after it")
        .isEqualTo(3L);
    assertThat(answer(3)).isEqualTo(Map.of("line", 5L, "applied", true));
  }

  @Test
  void thousandsOfLinesAreNumberedThroughout() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 2_500; i++) {
      text.append("{\"id\": \"n").append(i).append("\"}\n");
    }
    lines("many").send("lines", in(text.toString()));
    assertThat(answers).hasSize(2_500);
    assertThat(answer(2_499)).isEqualTo(Map.of("line", 2_500L, "applied", true));
  }

  @Test
  void linesOnTheShortWayTakeEffectInTheirOrderOverSeveralRequests() throws IOException {
    create("short", Consistency.ORDERED);
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 1_500; i++) {
      text.append("{\"id\": \"n").append(i).append("\", \"text\": \"x\"}\n");
    }
    text.append("{\"$query\": \"x\"}\n");
    new SessionLines(remote, "short", "short", answers::add).send("lines", in(text.toString()));
    assertThat(answers).hasSize(1_501);
    assertThat(answer(1_499)).isEqualTo(Map.of("line", 1_500L, "applied", true));
    assertThat(((Map<?, ?>) answer(1_500).get("result")).get("total")).isEqualTo(1_500L);
  }

  @Test
  void aBadLineIsToldAndTheOthersAreApplied() throws IOException {
    SessionLines lines = lines("bad");
    lines.send("lines", in("{\"id\": \"a\"}\n{nonsense\n{\"id\": \"b\"}\n"));
    assertThat(lines.failed()).isTrue();
    assertThat(answers).hasSize(3);
    assertThat(answer(1).get("error")).asString().contains("INVALID_ARGUMENT");
    assertThat(answer(2)).isEqualTo(Map.of("line", 3L, "applied", true));
  }

  @Test
  void aTableOfAnotherLevelIsRefused() {
    create("plain", Consistency.EVENTUAL);
    SessionLines lines = new SessionLines(remote, "plain", SessionLines.ORDER, answers::add);
    assertThatThrownBy(() -> lines.send("lines", in("{\"id\": \"a\"}\n")))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
        .hasMessageContaining("plain");
  }

  @Test
  void linesWithoutAnAnswerAreNamed() throws Exception {
    try (ServerSocket gateway = new ServerSocket(0)) {
      Thread breaking =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (Socket socket = gateway.accept()) {
                      socket.getInputStream().read(new byte[1 << 16]);
                      String begin =
                          "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
                              + "{\"line\":1,\"applied\":true}\n";
                      socket.getOutputStream().write(begin.getBytes(StandardCharsets.UTF_8));
                    } catch (IOException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      try (RemoteCluster broken = new RemoteCluster("http://localhost:" + gateway.getLocalPort())) {
        SessionLines lines = new SessionLines(broken, "notes", SessionLines.ORDER, answers::add);
        assertThatThrownBy(() -> lines.send("my lines", in("{}\n{}\n\n{}\n")))
            .isInstanceOfSatisfying(
                UniserveException.class, e -> assertThat(e.retryable()).isFalse())
            .hasMessageContaining("the outcome of lines 2 to 4 of my lines is unknown: ");
      }
      breaking.join();
    }
    assertThat(answers).hasSize(1);
  }
}
