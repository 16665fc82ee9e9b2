package io.uniserve.node.http.api;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Json;
import io.uniserve.runtime.client.OrderedOutcome;
import io.uniserve.runtime.client.OrderedReceipt;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answer to a stream of ordered updates: JSON lines, written as their moments come. At most
 * {@link #LINES_MAX} lines of the request are without a last line of the answer, so a client that
 * does not read is not read from any more.
 */
final class OutcomeLines {
  /** The number of lines of the request that may be without an outcome that was written. */
  static final int LINES_MAX = 4_096;

  private static final Logger LOG = LoggerFactory.getLogger(OutcomeLines.class);
  private static final Line END = new Line(Map.of(), false);

  private final OutputStream out;
  private final LinkedBlockingQueue<Line> waiting = new LinkedBlockingQueue<>();
  private final Semaphore room = new Semaphore(LINES_MAX);
  private volatile boolean open = true;

  /**
   * One line of the answer.
   *
   * @param document its contents
   * @param last true if it is the last about its line of the request
   */
  private record Line(Map<String, Object> document, boolean last) {}

  OutcomeLines(OutputStream out) {
    this.out = out;
  }

  /** Returns whether the client may still be there. */
  boolean open() {
    return open;
  }

  /**
   * Waits until one more line of the request can be taken; returns false if it is to be the last.
   */
  boolean begin() {
    try {
      room.acquire();
      return open;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Gives back the room of a line that did not come. */
  void finish() {
    room.release();
  }

  /** Tells both moments of a line of the request, once they come. */
  void tell(long line, OrderedReceipt receipt) {
    receipt.stable().thenAccept(number -> add(line, Map.of("stable", number), false));
    receipt
        .applied()
        .whenComplete(
            (outcome, failure) -> {
              if (failure == null) {
                add(line, document(outcome), true);
              } else {
                tell(line, UniserveException.of(failure));
              }
            });
  }

  /** Tells the result of a read. */
  void tell(long line, CompletableFuture<?> read) {
    read.whenComplete(
        (result, failure) -> {
          if (failure == null) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("result", result);
            add(line, document, true);
          } else {
            tell(line, UniserveException.of(failure));
          }
        });
  }

  /** Tells the error of a line of the request. */
  void tell(long line, UniserveException failure) {
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("code", failure.code().name());
    error.put("party", failure.code().party().name());
    error.put("retryable", failure.retryable());
    error.put("message", String.valueOf(failure.getMessage()));
    add(line, Map.of("error", error), true);
  }

  private static Map<String, Object> document(OrderedOutcome outcome) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("applied", outcome.accepted());
    if (!outcome.accepted()) {
      List<Object> refused = new ArrayList<>();
      outcome
          .refusals()
          .forEach(
              (actor, refusal) -> {
                Map<String, Object> one = new LinkedHashMap<>();
                one.put("actor", actor.number());
                one.put("code", refusal.code().name());
                one.put("message", refusal.message());
                refused.add(one);
              });
      document.put("refused", refused);
    }
    if (!outcome.answers().isEmpty()) {
      document.put("answers", outcome.answers());
    }
    return document;
  }

  private void add(long line, Map<String, Object> moment, boolean last) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("line", line);
    document.putAll(moment);
    waiting.add(new Line(document, last));
  }

  /**
   * Waits until everything is told.
   *
   * @param within the longest time
   */
  void end(Duration within) {
    try {
      if (open && !room.tryAcquire(LINES_MAX, within.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("a stream of ordered updates ends without the last outcomes");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Has the writing end. */
  void close() {
    open = false;
    waiting.add(END);
  }

  /** Writes lines until the end, or until the client is gone. */
  void write() {
    try {
      for (Line line = waiting.take(); line != END; line = waiting.take()) {
        out.write(Json.bytes(line.document()));
        out.write('\n');
        if (waiting.isEmpty()) {
          out.flush();
        }
        room.release(line.last() ? 1 : 0);
      }
      out.flush();
    } catch (IOException e) {
      LOG.debug("the client of a stream of ordered updates is gone: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open = false;
      room.release(LINES_MAX);
    }
  }
}
