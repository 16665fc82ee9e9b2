package io.uniserve.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.bench.base.BenchException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpConnectionTest {

  private ServerSocket server;
  private InetSocketAddress address;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    address = new InetSocketAddress("127.0.0.1", server.getLocalPort());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void readsBodiesOfKnownLengthAndInChunksOverOneConnection() throws IOException {
    answer(
        List.of(
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n3;x=y\r\n yo\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nz"));
    try (HttpConnection connection = HttpConnection.open(address)) {
      assertThat(exchange(connection)).isEqualTo("abc");
      assertThat(exchange(connection)).isEqualTo("hello yo");
      assertThat(exchange(connection)).isEqualTo("z");
    }
  }

  @Test
  void anErrorIsAnErrorAndShowsWhatTheServerSaid() throws IOException {
    answer(List.of("HTTP/1.1 400 Bad Request\r\nContent-Length: 9\r\n\r\nbad query"));
    try (HttpConnection connection = HttpConnection.open(address)) {
      assertThatThrownBy(() -> exchange(connection))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("400")
          .hasMessageContaining("bad query");
    }
  }

  @Test
  void anAnswerThatBreaksOffIsAnError() throws IOException {
    answer(List.of("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"));
    try (HttpConnection connection = HttpConnection.open(address)) {
      assertThatThrownBy(() -> exchange(connection))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("ended after 3");
    }
  }

  @Test
  void anAnswerLargerThanTheBoundIsRefused() throws IOException {
    answer(List.of("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"));
    try (HttpConnection connection = HttpConnection.open(address)) {
      assertThatThrownBy(() -> exchange(connection)).hasMessageContaining("is larger than");
    }
  }

  @Test
  void encodesParameters() {
    String request =
        new String(
            HttpRequests.get(address, "/p", Map.of("q", "\"is also\"~4 & +ä")),
            StandardCharsets.US_ASCII);

    assertThat(request)
        .startsWith("GET /p?q=%22is+also%22%7E4+%26+%2B%C3%A4 HTTP/1.1\r\n")
        .endsWith("\r\n\r\n");
  }

  private String exchange(HttpConnection connection) {
    byte[] request = HttpRequests.get(address, "/", Map.of());
    return new String(connection.exchange(request), StandardCharsets.UTF_8);
  }

  /** Answers one request after the other on one connection, then closes it. */
  private void answer(List<String> answers) {
    Thread.ofVirtual()
        .start(
            () -> {
              try (Socket socket = server.accept()) {
                for (String answer : answers) {
                  readHead(socket.getInputStream());
                  socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                }
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private static void readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.read());
    }
  }
}
