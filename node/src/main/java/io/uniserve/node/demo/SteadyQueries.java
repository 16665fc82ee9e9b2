package io.uniserve.node.demo;

import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * A steady stream of queries from several clients at once. Each answer is checked, and no query is
 * tried twice.
 */
final class SteadyQueries implements AutoCloseable {
  private static final int CLIENTS = 4;
  private static final Duration PAUSE = Duration.ofMillis(2);

  private final MoviesTable movies;
  private final List<TourStop> stops;
  private final LongAdder answered = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final AtomicLong slowestNanos = new AtomicLong();
  private final AtomicReference<String> firstFailure = new AtomicReference<>();
  private final List<Thread> threads;
  private volatile boolean stopped;

  SteadyQueries(MoviesTable movies, List<TourStop> stops) {
    this.movies = movies;
    this.stops = stops;
    threads =
        IntStream.range(0, CLIENTS)
            .mapToObj(
                client -> Thread.ofVirtual().name("queries-" + client).start(() -> run(client)))
            .toList();
  }

  private void run(int client) {
    for (int i = client; !stopped; i++) {
      ask(stops.get(i % stops.size()));
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void ask(TourStop stop) {
    long started = System.nanoTime();
    Optional<String> problem;
    try {
      Map<?, ?> result = movies.query(stop.query(), stop.options());
      problem = stop.problem(result);
    } catch (UniserveException e) {
      problem = Optional.of(e.getMessage());
    }
    slowestNanos.accumulateAndGet(System.nanoTime() - started, Math::max);
    if (problem.isEmpty()) {
      answered.increment();
    } else {
      failed.increment();
      firstFailure.compareAndSet(null, stop.query() + ": " + problem.get());
    }
  }

  /** Returns the number of queries that were answered correctly. */
  long answered() {
    return answered.sum();
  }

  /** Returns the number of queries that failed or were answered wrongly. */
  long failed() {
    return failed.sum();
  }

  /** Returns the first failure. */
  Optional<String> firstFailure() {
    return Optional.ofNullable(firstFailure.get());
  }

  /** Returns the slowest query since the last call. */
  Duration slowest() {
    return Duration.ofNanos(slowestNanos.getAndSet(0));
  }

  @Override
  public void close() {
    stopped = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
