package io.uniserve.bench.failover;

import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Clients that send one query after another, and the outcome of each query. */
final class QueryLoad implements AutoCloseable {
  /**
   * The outcome of some queries.
   *
   * @param failures the messages of failed queries
   * @param wrong the answers that were not the expected one
   * @param nanos the duration of each query, in ascending order
   */
  record Outcome(List<String> failures, List<Long> wrong, long[] nanos) {
    /** Returns the number of queries. */
    int queries() {
      return nanos.length;
    }

    /** Returns the latency in milliseconds that a share of the queries did not exceed. */
    double percentileMillis(double share) {
      return nanos[(int) Math.min(nanos.length - 1, Math.round(share * nanos.length))] / 1e6;
    }
  }

  private final LongSupplier query;
  private final long expected;
  private final ReentrantLock lock = new ReentrantLock();
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private List<String> failures = new ArrayList<>();
  private List<Long> wrong = new ArrayList<>();
  private List<Long> nanos = new ArrayList<>();

  QueryLoad(int clientCount, LongSupplier query, long expected) {
    this.query = query;
    this.expected = expected;
    for (int i = 0; i < clientCount; i++) {
      clients.execute(this::run);
    }
  }

  private void run() {
    while (!stopped.get()) {
      long begun = System.nanoTime();
      String failure = "";
      long answer = expected;
      try {
        answer = query.getAsLong();
      } catch (UniserveException e) {
        failure = e.code() + " " + e.getMessage();
      }
      record(System.nanoTime() - begun, failure, answer);
    }
  }

  private void record(long took, String failure, long answer) {
    lock.lock();
    try {
      nanos.add(took);
      if (!failure.isEmpty()) {
        failures.add(failure);
      } else if (answer != expected) {
        wrong.add(answer);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of queries that have ended since the last {@link #take}. */
  int ended() {
    lock.lock();
    try {
      return nanos.size();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the outcome of the queries that have ended since the last call. */
  Outcome take() {
    lock.lock();
    try {
      long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
      Arrays.sort(sorted);
      Outcome outcome = new Outcome(failures, wrong, sorted);
      failures = new ArrayList<>();
      wrong = new ArrayList<>();
      nanos = new ArrayList<>();
      return outcome;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    stopped.set(true);
    clients.close();
  }
}
