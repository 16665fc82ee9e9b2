package io.uniserve.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statements whose connection is lost before the answer. */
class SqlCommandTest {

  @ParameterizedTest
  @CsvSource({
    "-- a change%n INSERT INTO t VALUES (1), true",
    "update t set a = 1, true",
    "/* all */ delete from t, true",
    "select 1, false",
    "updated, false"
  })
  void theOutcomeOfAChangeIsUnknown(String sql, boolean unknown) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> hangUp(server));
      String url = "http://127.0.0.1:" + server.getLocalPort();
      Ran ran = Ran.at(url, "sql", "t", "-c", sql.formatted());
      assertThat(ran.status()).isNotZero();
      assertThat(ran.err().contains("the outcome is unknown")).as(ran.err()).isEqualTo(unknown);
    }
  }

  /** Takes requests, and answers none. */
  private static void hangUp(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        socket.getInputStream().read();
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }
}
