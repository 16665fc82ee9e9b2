package io.uniserve.bench.olap;

import io.uniserve.bench.base.BenchException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Queries at a steady rate, whether or not earlier ones were answered, and what became of each: as
 * in the paper, 500 a minute.
 */
final class SteadyLoad {
  private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos() / 500;

  private final DruidApi api;
  private final List<List<String>> expected;
  private final List<Sent> sent = new ArrayList<>();

  /** The fate of a query. */
  enum Fate {
    /** It was answered, and rightly. */
    RIGHT,
    /** It was answered otherwise. */
    WRONG,
    /** It failed. */
    FAILED
  }

  /**
   * A query.
   *
   * @param atNanos the time when it was sent, since the load began
   * @param nanos the time that it took
   */
  record Sent(long atNanos, long nanos, Fate fate) {}

  SteadyLoad(DruidApi api, List<List<String>> expected) {
    this.api = api;
    this.expected = expected;
  }

  /**
   * Sends queries.
   *
   * @param killAfter the time after which something is killed
   * @param kill kills it
   * @return all queries, in the order in which they ended
   */
  List<Sent> run(Duration time, Duration killAfter, Runnable kill) {
    long began = System.nanoTime();
    boolean killed = false;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long at = 0; at < time.toNanos(); at += INTERVAL_NANOS) {
        sleepUntil(began + at);
        if (!killed && at >= killAfter.toNanos()) {
          killed = true;
          kill.run();
        }
        long sentAt = System.nanoTime() - began;
        threads.execute(() -> send(sentAt));
      }
    }
    synchronized (sent) {
      return List.copyOf(sent);
    }
  }

  private static void sleepUntil(long nanos) {
    try {
      long left = nanos - System.nanoTime();
      if (left > 0) {
        TimeUnit.NANOSECONDS.sleep(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted", e);
    }
  }

  private void send(long sentAt) {
    long began = System.nanoTime();
    Fate fate;
    try {
      boolean right =
          SameAnswers.difference(expected, api.answer(OlapQuery.SUM_ALL, OlapQuery.ALWAYS))
              .isEmpty();
      fate = right ? Fate.RIGHT : Fate.WRONG;
    } catch (BenchException e) {
      fate = Fate.FAILED;
    }
    synchronized (sent) {
      sent.add(new Sent(sentAt, System.nanoTime() - began, fate));
    }
  }
}
