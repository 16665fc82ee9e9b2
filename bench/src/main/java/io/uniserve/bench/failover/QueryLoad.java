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

/** Clients that ask one query after another, and what came of each. */
final class QueryLoad implements AutoCloseable {
  /**
   * What has come of some queries.
   *
   * @param failures what failed queries said
   * @param wrong answers that were not the expected one
   * @param nanos how long each took, in ascending order
   */
  record Outcome(List<String> failures, List<Long> wrong, long[] nanos) {
    /** How many queries there were. */
    int queries() {
      return nanos.length;
    }

    /** The time that a share of the queries stayed below, in milliseconds. */
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

  /** How many queries have ended since the last {@link #take}. */
  int ended() {
    lock.lock();
    try {
      return nanos.size();
    } finally {
      lock.unlock();
    }
  }

  /** What has come of the queries that have ended since the last call of this. */
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
