package io.uniserve.node.http.event;

import io.uniserve.node.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One listener's server-sent events. A listener that falls behind loses its stream, connects again
 * and asks for the recent events.
 */
final class EventStream {
  private static final int WAITING_MAX = 1000;
  private static final long SILENCE_SECONDS_MAX = 10;
  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);

  private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private volatile boolean closed;

  /** Adds an event; never waits. */
  void offer(String kind, Object document) {
    byte[] event =
        ("event: " + kind + "\ndata: " + Json.text(document) + "\n\n")
            .getBytes(StandardCharsets.UTF_8);
    if (!waiting.offer(event)) {
      close();
    }
  }

  /** Ends the stream soon. */
  void close() {
    closed = true;
    waiting.clear();
    waiting.offer(COMMENT);
  }

  /**
   * Writes events until the stream is closed or its listener is gone.
   *
   * @param allowed tells whether the listener still may receive them
   */
  void writeTo(OutputStream out, BooleanSupplier allowed) throws IOException {
    out.write(COMMENT);
    out.flush();
    while (!closed && allowed.getAsBoolean()) {
      byte[] event = next();
      out.write(event);
      if (waiting.isEmpty()) {
        out.flush();
      }
    }
  }

  private byte[] next() {
    try {
      byte[] event = waiting.poll(SILENCE_SECONDS_MAX, TimeUnit.SECONDS);
      return event == null ? COMMENT : event;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed = true;
      return COMMENT;
    }
  }
}
