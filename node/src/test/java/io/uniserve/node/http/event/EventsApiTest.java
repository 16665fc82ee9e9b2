package io.uniserve.node.http.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.node.access.Access;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.notes.LocalClient;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class EventsApiTest {
  private final LocalClient cluster = new LocalClient();
  private final HttpSettings fast =
      new HttpSettings(
          "127.0.0.1",
          0,
          1 << 20,
          1 << 10,
          100,
          2,
          1 << 20,
          1,
          Duration.ofMillis(20),
          100,
          Access.onThisMachine(),
          Optional.empty());
  private final HttpService service = new HttpService(cluster, List.of(), fast);
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    service.close();
    http.shutdownNow();
  }

  @Test
  void tellsChangesAndLoadAsTheyHappen() throws Exception {
    try (BufferedReader stream = open()) {
      assertThat(next(stream, "load")).contains("\"name\":\"s1\"").contains("\"waiting\":2");
      cluster.change(new ControlRecord.ServerFailed("s1", 1, "no answer to 3 pings"));
      assertThat(next(stream, "change"))
          .contains("\"text\":\"s1 failed\"")
          .contains("\"why\":\"no answer to 3 pings\"");
    }
  }

  /** A loss that somebody accepted, of each kind. */
  @Test
  void tellsWhatWasLostAndFromWhenToWhen() throws Exception {
    cluster.createNotes("notes");
    long table = cluster.state().requireTable("notes").id();
    String lost = "updates from 2024-05-01T10:00:00Z to 2024-05-01T10:00:02Z may be lost";
    try (BufferedReader stream = open()) {
      next(stream, "load");
      cluster.change(new ControlRecord.LossAccepted(new ActorId(table, 0), "first; " + lost));
      assertThat(next(stream, "change"))
          .contains("\"kind\":\"loss\"")
          .contains("\"text\":\"notes/0 goes on without its lost data\"")
          .contains("\"why\":\"first; " + lost + "\"");
      cluster.change(
          new ControlRecord.ActorEmptied(
              new ActorId(table, 0), 7, List.of("s1"), "its data is not stored anywhere else"));
      assertThat(next(stream, "change"))
          .contains("\"kind\":\"loss\"")
          .contains("\"text\":\"notes/0 begins anew, empty\"")
          .contains("\"why\":\"its data is not stored anywhere else\"");
      cluster.recover("notes", "third; " + lost);
      assertThat(next(stream, "change"))
          .contains("\"kind\":\"loss\"")
          .contains("\"text\":\"table notes goes on without its lost data\"")
          .contains("\"why\":\"third; " + lost + "\"");
    }
    assertThat(body("/api/events/recent")).contains("third; " + lost);
  }

  @Test
  void remembersRecentChanges() throws Exception {
    cluster.createNotes("notes");
    cluster.dropTable("notes", Duration.ZERO);
    assertThat(body("/api/events/recent"))
        .contains("table notes created")
        .contains("notes/0 is ready on s1")
        .contains("table notes dropped");
  }

  @Test
  void boundsOpenStreams() throws Exception {
    try (BufferedReader stream = open()) {
      next(stream, "load");
      assertThat(body("/api/events")).contains("1 event streams are open already");
    }
  }

  @Test
  void endsStreamsWhenItStops() throws Exception {
    try (BufferedReader stream = open()) {
      next(stream, "load");
      service.close();
      while (stream.readLine() != null) {
        // events under way still arrive; then the stream ends
      }
    }
  }

  private String body(String path) throws Exception {
    return http.send(request(path), HttpResponse.BodyHandlers.ofString()).body();
  }

  private BufferedReader open() throws Exception {
    InputStream body =
        http.send(request("/api/events"), HttpResponse.BodyHandlers.ofInputStream()).body();
    return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + path)).build();
  }

  private static String next(BufferedReader stream, String kind) throws Exception {
    String line = stream.readLine();
    while (!line.equals("event: " + kind)) {
      line = stream.readLine();
    }
    return stream.readLine();
  }
}
