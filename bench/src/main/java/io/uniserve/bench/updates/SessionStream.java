package io.uniserve.bench.updates;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.UniserveClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A stream of updates of one actor each, from some sessions at once, as fast as they are taken or
 * at a rate. It notes when each is stable and when it is applied.
 *
 * @param client the client whose sessions these are
 * @param table the table that they update
 * @param sessions the number of sessions
 * @param windowUpdates the window of each
 * @param value the value of each update
 * @param perSecond the updates a second of all sessions together; empty for as many as are taken
 */
record SessionStream(
    UniserveClient client,
    PutTable table,
    int sessions,
    int windowUpdates,
    String value,
    OptionalDouble perSecond) {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long WINDOW_BYTES = 32L << 20;

  /** The shortest pause between two looks at what is due. */
  private static final long PAUSE_NANOS = 500_000;

  /**
   * The result of one measurement.
   *
   * @param perSecond the updates that were applied, a second
   * @param stableNanos the times from submission until the update was stable, in ascending order
   */
  record Measured(double perSecond, long[] stableNanos) {
    double stableMillis(double share) {
      return Statistics.percentile(stableNanos, share) / 1e6;
    }
  }

  /** Receives updates as they are applied, at any time and on any thread. */
  @FunctionalInterface
  interface Applied {
    void at(long nanos);
  }

  /** Submits updates for some time, and waits until all are applied. */
  Measured run(Duration time) {
    LongAdder applied = new LongAdder();
    Latencies stable = new Latencies();
    long end = System.nanoTime() + time.toNanos();
    submit(
        end,
        stable,
        nanos -> {
          if (nanos <= end) {
            applied.increment();
          }
        });
    return new Measured(applied.sum() * 1e9 / time.toNanos(), Latencies.sorted(List.of(stable)));
  }

  /** Submits updates until a moment, and waits until all are applied. */
  void submit(long endNanos, Latencies stable, Applied applied) {
    ReentrantLock lock = new ReentrantLock();
    SessionOptions options = SessionOptions.DEFAULT.withWindow(windowUpdates, WINDOW_BYTES);
    List<OrderedSession> open = new ArrayList<>();
    try {
      for (int i = 0; i < sessions; i++) {
        open.add(client.updates().session(table.name(), options));
      }
      List<Thread> threads = new ArrayList<>();
      for (OrderedSession session : open) {
        threads.add(
            Thread.ofVirtual().start(() -> submit(session, endNanos, stable, lock, applied)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      open.forEach(session -> session.drain(PATIENCE));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while sessions ran", e);
    } finally {
      open.forEach(OrderedSession::close);
    }
  }

  private void submit(
      OrderedSession session,
      long endNanos,
      Latencies stable,
      ReentrantLock lock,
      Applied applied) {
    long begun = System.nanoTime();
    long submitted = 0;
    for (long now = begun; now < endNanos; now = System.nanoTime()) {
      if (isDue(submitted, now - begun)) {
        submitted++;
        long at = now;
        OrderedReceipt receipt = table.submitOne(session, value);
        receipt.stable().thenRun(() -> add(stable, lock, System.nanoTime() - at));
        receipt.applied().thenRun(() -> applied.at(System.nanoTime()));
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private boolean isDue(long submitted, long elapsedNanos) {
    return perSecond.isEmpty()
        || submitted < elapsedNanos / 1e9 * perSecond.getAsDouble() / sessions;
  }

  private static void add(Latencies stable, ReentrantLock lock, long nanos) {
    lock.lock();
    try {
      stable.add(nanos);
    } finally {
      lock.unlock();
    }
  }
}
