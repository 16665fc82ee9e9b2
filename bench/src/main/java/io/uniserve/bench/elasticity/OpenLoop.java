package io.uniserve.bench.elasticity;

import io.uniserve.api.error.UniserveException;
import io.uniserve.bench.base.BenchException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * An open loop: it sends queries at the moments of a shape, whether or not earlier ones have been
 * answered. Latencies are measured from those moments, so a query that had to wait counts as late.
 */
final class OpenLoop {
  private final LoadShape shape;
  private final IntSupplier query;
  private final int expected;
  private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
  private final long startNanos = System.nanoTime();

  /**
   * @param query returns a number
   * @param expected the number that every query must return
   */
  OpenLoop(LoadShape shape, IntSupplier query, int expected) {
    this.shape = shape;
    this.query = query;
    this.expected = expected;
  }

  /** Returns the time since the first query, in seconds. */
  double second() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  /** Sends all queries and waits for the last answer. */
  List<Sent> run() {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (double at = 0; at < shape.seconds(); at = shape.next(at)) {
        sleepUntil(at);
        double moment = at;
        threads.execute(() -> send(moment));
      }
    }
    return List.copyOf(sent);
  }

  private void sleepUntil(double at) {
    try {
      TimeUnit.NANOSECONDS.sleep((long) ((at - second()) * 1e9));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted", e);
    }
  }

  private void send(double at) {
    String failure = "";
    try {
      int answer = query.getAsInt();
      failure = answer == expected ? "" : "answer " + answer + " instead of " + expected;
    } catch (UniserveException e) {
      failure = e.code() + " " + e.getMessage();
    }
    sent.add(new Sent(at, second(), failure));
  }
}
