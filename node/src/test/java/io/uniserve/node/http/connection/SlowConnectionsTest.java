package io.uniserve.node.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.runtime.wire.tls.Identity;
import io.uniserve.runtime.wire.tls.TlsContexts;
import io.uniserve.testkit.tls.Certificates;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections that somebody keeps open by a byte now and then. */
@Timeout(120)
class SlowConnectionsTest {
  private static final long LONG = 1_000;

  private final Server server = new Server();

  @TempDir private Path directory;

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  private int start(SlowConnections slow, boolean encrypted) throws Exception {
    HttpConfiguration http = new HttpConfiguration();
    http.addCustomizer(slow);
    HttpConnectionFactory plain = new HttpConnectionFactory(http);
    ServerConnector connector = new ServerConnector(server, plain);
    if (encrypted) {
      SslContextFactory.Server tls = new SslContextFactory.Server();
      tls.setSslContext(
          TlsContexts.server(new Certificates<>(directory, Identity::new).issue("web")));
      connector =
          new ServerConnector(server, new SslConnectionFactory(tls, plain.getProtocol()), plain);
    }
    connector.setHost("127.0.0.1");
    connector.addBean(slow);
    server.setConnectors(new Connector[] {connector});
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            response.write(true, StandardCharsets.US_ASCII.encode("told"), callback);
            return true;
          }
        });
    server.start();
    return connector.getLocalPort();
  }

  /** Sends a byte now and then until the other side closes the connection. */
  private static void trickleUntilClosed(Socket socket) throws IOException {
    socket.setSoTimeout(200);
    try {
      while (true) {
        try {
          assertThat(socket.getInputStream().read()).isEqualTo(-1);
          return;
        } catch (SocketTimeoutException e) {
          socket.getOutputStream().write('x');
        }
      }
    } catch (java.net.SocketException e) {
      return; // closed, with a notice
    }
  }

  @Test
  void halfAHandshakeIsClosed() throws Exception {
    int port = start(new SlowConnections(1, LONG), true);
    try (Socket socket = new Socket("127.0.0.1", port)) {
      // The beginning of a record of a handshake, of 16 KiB.
      socket.getOutputStream().write(new byte[] {22, 3, 1, 64, 0});
      trickleUntilClosed(socket);
    }
  }

  @Test
  void aHeadThatDoesNotEndIsClosed() throws Exception {
    int port = start(new SlowConnections(LONG, 1), false);
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\nX: ".getBytes());
      trickleUntilClosed(socket);
    }
  }

  @Test
  void whoHasAskedIsAnsweredAndMayAskAgain() throws Exception {
    int port = start(new SlowConnections(LONG, LONG), false);
    try (Socket socket = new Socket("127.0.0.1", port)) {
      for (int i = 0; i < 3; i++) {
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes());
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("told") < 0) {
          answer.append((char) socket.getInputStream().read());
        }
      }
    }
  }
}
