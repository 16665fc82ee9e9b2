package io.uniserve.node.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.node.access.Access;
import io.uniserve.node.access.Rights;
import io.uniserve.node.access.TokenFile;
import io.uniserve.node.access.Tokens;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.http.connection.Pace;
import io.uniserve.node.notes.LocalClient;
import io.uniserve.surfaces.SlowBodyException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Slow senders do nothing to others. */
@Timeout(120)
class SlowSendersTest {
  private static final String RECORD = "{\"id\":\"a\",\"text\":\"x\"}";
  private static final String RECORDS = "POST /api/tables/notes/records";
  private static final long SECOND = 1_000_000_000L;

  private final LocalClient cluster = new LocalClient();
  private final List<Socket> open = new ArrayList<>();

  @TempDir private Path directory;
  private String reader;
  private String writer;
  private HttpService service;

  @BeforeEach
  void start() {
    cluster.createNotes("notes");
    TokenFile tokens = new TokenFile(directory.resolve("tokens"));
    TreeSet<String> notes = new TreeSet<>(Set.of("notes"));
    reader = tokens.create("reader", new Rights(false, notes, new TreeSet<>()));
    writer = tokens.create("writer", new Rights(false, new TreeSet<>(), notes));
    service =
        new HttpService(
            cluster,
            List.of(),
            HttpSettings.onPort(0).secured(Access.byToken(new Tokens(tokens)), Optional.empty()));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    service.close();
  }

  /** Sends the head of a request, and a part of the body. */
  private Socket begin(String request, String token, int length, String sent) throws IOException {
    Socket socket = new Socket("127.0.0.1", service.port());
    open.add(socket);
    socket.setSoTimeout(60_000);
    String head =
        " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s";
    socket.getOutputStream().write((request + head.formatted(token, length, sent)).getBytes());
    return socket;
  }

  private static String answer(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), US_ASCII);
  }

  @Test
  void rightsAreAskedForBeforeBodies() throws IOException {
    assertThat(answer(begin(RECORDS, reader, 10_000, "{")))
        .contains(" 403 ")
        .contains("may not write table 'notes'");
    for (String request :
        List.of(
            "POST /api/tables",
            "POST /api/tables/notes/recover",
            "POST /api/tables/notes/actors/0/move",
            "POST /api/tables/notes/actors/0/split",
            "POST /api/tables/notes/actors/0/merge")) {
      assertThat(answer(begin(request, writer, 10_000, "{"))).as(request).contains(" 403 ");
    }
  }

  @Test
  void oneWhoSendsAllAtOnceIsNotHeldUpAndTheOthersAreRefused() throws IOException {
    int many = HttpSettings.onPort(0).batchesMax() + 4;
    for (int i = 0; i < many; i++) {
      begin(RECORDS, writer, 10_000, "{");
    }
    assertThat(answer(begin(RECORDS, writer, RECORD.length(), RECORD)))
        .contains(" 200 ")
        .contains("\"stored\":1");
    for (Socket socket : open.subList(1, many)) {
      socket.getOutputStream().write(' ');
    }
    String slow = trickle(open.getFirst());
    assertThat(slow)
        .contains(" 408 ")
        .contains("\"code\":\"DEADLINE_EXCEEDED\"")
        .contains("\"retryable\":true")
        .contains("the request's body arrives too slowly: at less than 4096 bytes a second");
    assertThat(answer(open.get(1)))
        .as("to one who was silent until the connection was given up")
        .contains(" 408 ")
        .contains("the request's body arrives too slowly");
  }

  /** Sends a byte now and then until there is an answer. */
  private static String trickle(Socket socket) throws IOException {
    OutputStream out = socket.getOutputStream();
    socket.setSoTimeout(200);
    while (true) {
      try {
        int first = socket.getInputStream().read();
        socket.setSoTimeout(60_000);
        return (char) first + answer(socket);
      } catch (java.net.SocketTimeoutException e) {
        out.write(' ');
      }
    }
  }

  @Test
  void eachStretchOfWaitingCountsByItself() {
    Pace pace = new Pace(1000);
    pace.arrived(1_000_000, 1);
    pace.arrived(0, 11 * SECOND);
    pace.arrived(1000, SECOND / 2);
    assertThatThrownBy(() -> pace.arrived(100, 10 * SECOND)).isInstanceOf(SlowBodyException.class);
  }

  @Test
  void onlyWaitingCounts() {
    Pace pace = new Pace(1000);
    for (int i = 0; i < 1000; i++) {
      pace.arrived(1, SECOND / 1000);
    }
    pace.arrived(10_000, 10 * SECOND);
  }
}
