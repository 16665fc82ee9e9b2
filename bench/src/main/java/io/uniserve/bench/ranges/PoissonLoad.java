package io.uniserve.bench.ranges;

import io.uniserve.bench.base.BenchException;
import java.time.Duration;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/**
 * Queries that arrive at random, whether or not earlier ones have been answered. Latencies are
 * measured from the moment at which a query is due.
 */
final class PoissonLoad implements AutoCloseable {
  private static final Duration LAST_ANSWERS = Duration.ofMillis(100);

  private final IntConsumer query;
  private final int queries;
  private final double perSecond;
  private final SplittableRandom random;
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private final Thread arrivals;
  private volatile Window window = new Window();
  private volatile boolean stop;

  /** Queries that began in the same period. The open ones have not been answered. */
  private record Window(Queue<Long> latencies, AtomicInteger open) {
    Window() {
      this(new ConcurrentLinkedQueue<>(), new AtomicInteger());
    }
  }

  /**
   * Starts the queries.
   *
   * @param query runs the query of a number below {@code queries}
   * @param seed the seed of the moments and the numbers
   */
  PoissonLoad(IntConsumer query, int queries, double perSecond, long seed) {
    this.query = query;
    this.queries = queries;
    this.perSecond = perSecond;
    this.random = new SplittableRandom(seed);
    this.arrivals = Thread.ofPlatform().name("arrivals").start(this::run);
  }

  private void run() {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long due = System.nanoTime();
      while (!stop) {
        due += (long) (-Math.log(1 - random.nextDouble()) / perSecond * 1e9);
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        int number = random.nextInt(queries);
        long moment = due;
        Window begun = window;
        begun.open.incrementAndGet();
        threads.execute(() -> ask(number, moment, begun));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure.compareAndSet(null, new BenchException("Interrupted while queries ran", e));
    }
  }

  private void ask(int number, long dueNanos, Window begun) {
    try {
      query.accept(number);
      begun.latencies.add(System.nanoTime() - dueNanos);
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    } finally {
      begun.open.decrementAndGet();
    }
  }

  /**
   * Returns the latencies in nanoseconds, ascending, of the queries that begin within some time.
   */
  long[] measure(Duration time) {
    Window measured = new Window();
    window = measured;
    RangeTable.pause(time);
    window = new Window();
    do {
      RangeTable.pause(LAST_ANSWERS);
      requireSound();
    } while (measured.open.get() > 0);
    return measured.latencies.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  private void requireSound() {
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw new BenchException("A query failed: " + failed.getMessage(), failed);
    }
  }

  @Override
  public void close() {
    stop = true;
    try {
      arrivals.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while queries ended", e);
    }
    requireSound();
  }
}
