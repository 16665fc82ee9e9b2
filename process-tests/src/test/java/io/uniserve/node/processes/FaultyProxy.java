package io.uniserve.node.processes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/** A proxy in front of an object store that imitates the store's troubles while it is told to. */
final class FaultyProxy implements AutoCloseable {
  private static final int PIECE_BYTES = 1 << 14;
  private static final Duration DELAY = Duration.ofMillis(200);

  private static final byte[] UNAVAILABLE =
      "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private final ServerSocket listening;
  private final InetSocketAddress store;
  private volatile Trouble trouble = Trouble.NONE;

  /** A trouble of the store. */
  enum Trouble {
    NONE,
    /** Every connection is closed. */
    AWAY,
    /** Every request is answered with 503. */
    UNAVAILABLE,
    /** Every piece of an answer comes late. */
    SLOW,
    /** Requests arrive, and the answers get lost. */
    LOST_ANSWERS
  }

  /**
   * Starts to listen on all interfaces.
   *
   * @param store the address at which the store listens
   */
  FaultyProxy(URI store) throws IOException {
    this.store = new InetSocketAddress(store.getHost(), store.getPort());
    listening = new ServerSocket(0);
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  void have(Trouble what) {
    trouble = what;
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        // The proxy has been closed, or a client has gone before it was accepted.
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket server = new Socket()) {
      if (trouble == Trouble.AWAY) {
        return;
      }
      server.connect(store);
      Thread answers = Thread.ofVirtual().start(() -> answer(client, server));
      request(client, server);
      answers.join();
    } catch (IOException e) {
      // One side has ended the connection; the other notices.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void request(Socket client, Socket server) throws IOException {
    InputStream from = client.getInputStream();
    OutputStream to = server.getOutputStream();
    byte[] piece = new byte[PIECE_BYTES];
    for (int length = from.read(piece); length >= 0; length = from.read(piece)) {
      if (trouble == Trouble.UNAVAILABLE) {
        client.getOutputStream().write(UNAVAILABLE);
        client.shutdownOutput();
      }
      if (trouble == Trouble.UNAVAILABLE || trouble == Trouble.AWAY) {
        break;
      }
      to.write(Arrays.copyOf(piece, length));
    }
    server.close();
  }

  private void answer(Socket client, Socket server) {
    byte[] piece = new byte[PIECE_BYTES];
    try (client) {
      InputStream from = server.getInputStream();
      OutputStream to = client.getOutputStream();
      for (int length = from.read(piece); length >= 0; length = from.read(piece)) {
        if (trouble == Trouble.SLOW) {
          LockSupport.parkNanos(DELAY.toNanos());
        }
        if (trouble == Trouble.LOST_ANSWERS) {
          break;
        }
        to.write(piece, 0, length);
      }
    } catch (IOException e) {
      // One side has ended the connection; the other notices.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
