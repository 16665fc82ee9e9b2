package io.uniserve.bench.load;

import io.uniserve.bench.base.BenchException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * One persistent HTTP/1.1 connection. It supports what the benchmark needs: it sends a prepared
 * request and reads a body of known length or in chunks. It must be used by one thread at a time.
 */
public final class HttpConnection implements Closeable {

  private static final int ANSWER_BYTES_MAX = 64 << 20;
  private static final int LINE_BYTES_MAX = 16 << 10;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(10);

  /**
   * The longest time that an idle connection is reused. Some servers close idle connections after
   * 30 seconds.
   */
  private static final Duration REST_MAX = Duration.ofSeconds(5);

  private final InetSocketAddress address;
  private final StringBuilder line = new StringBuilder();
  private Socket socket;
  private InputStream in;
  private OutputStream out;
  private long usedAtNanos;

  private HttpConnection(InetSocketAddress address) {
    this.address = address;
  }

  public static HttpConnection open(InetSocketAddress address) {
    HttpConnection connection = new HttpConnection(address);
    connection.connect();
    return connection;
  }

  private void connect() {
    try {
      socket = new Socket();
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) ANSWER_TIMEOUT.toMillis());
      socket.connect(address, (int) CONNECT_TIMEOUT.toMillis());
      in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
      out = socket.getOutputStream();
      usedAtNanos = System.nanoTime();
    } catch (IOException e) {
      throw new BenchException("Cannot connect to " + address + ": " + e.getMessage(), e);
    }
  }

  /**
   * Sends a request and returns the body of its answer.
   *
   * @throws BenchException if the status is not 200 or the answer breaks off
   */
  public byte[] exchange(byte[] request) {
    try {
      if (System.nanoTime() - usedAtNanos > REST_MAX.toNanos()) {
        socket.close();
        connect();
      }
      out.write(request);
      out.flush();
      byte[] body = answer();
      usedAtNanos = System.nanoTime();
      return body;
    } catch (IOException e) {
      throw new BenchException("The server broke the connection off: " + e.getMessage(), e);
    }
  }

  private byte[] answer() throws IOException {
    String status = readLine();
    int length = 0;
    boolean chunked = false;
    for (String header = readLine(); !header.isEmpty(); header = readLine()) {
      int colon = header.indexOf(':');
      String value = header.substring(colon + 1).strip();
      switch (header.substring(0, colon).toLowerCase(Locale.ROOT)) {
        case "content-length" -> length = bounded(Long.parseLong(value));
        case "transfer-encoding" -> chunked = value.equalsIgnoreCase("chunked");
        default -> {}
      }
    }
    byte[] body = chunked ? chunks() : exactly(length);
    if (!status.startsWith("HTTP/1.1 200")) {
      String text = new String(body, StandardCharsets.UTF_8);
      throw new BenchException("The server answered " + status + ": " + text);
    }
    return body;
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    int length = chunkLength();
    while (length > 0) {
      body.write(exactly(length));
      bounded(body.size());
      readLine();
      length = chunkLength();
    }
    while (!readLine().isEmpty()) {
      // Druid says behind an answer that it is complete.
    }
    return body.toByteArray();
  }

  private int chunkLength() throws IOException {
    String text = readLine();
    int extension = text.indexOf(';');
    return bounded(Long.parseLong(extension < 0 ? text : text.substring(0, extension), 16));
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("answer of " + length + " bytes ended after " + bytes.length);
    }
    return bytes;
  }

  private static int bounded(long length) throws IOException {
    if (length < 0 || length > ANSWER_BYTES_MAX) {
      throw new IOException("answer of " + length + " bytes is larger than " + ANSWER_BYTES_MAX);
    }
    return (int) length;
  }

  private String readLine() throws IOException {
    line.setLength(0);
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("answer ended within its head");
      }
      if (line.length() == LINE_BYTES_MAX) {
        throw new IOException("header line is longer than " + LINE_BYTES_MAX);
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
