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
 * Queries that arrive by chance, whether or not those before have been answered; times run from the
 * moment at which one was due.
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

  /** Queries that began in the same time; those are open that have not been answered. */
  private record Window(Queue<Long> latencies, AtomicInteger open) {
    Window() {
      this(new ConcurrentLinkedQueue<>(), new AtomicInteger());
    }
  }

  /**
   * Begins.
   *
   * @param query takes the number of a query, below {@code queries}
   * @param seed of the moments and the numbers
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

  /** The latencies of the queries that begin in some time, ascending, in nanoseconds. */
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
