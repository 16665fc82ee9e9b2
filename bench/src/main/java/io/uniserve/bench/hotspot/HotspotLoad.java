package io.uniserve.bench.hotspot;

import io.uniserve.bench.base.BenchException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Clients that send one query after another. A share of the queries goes to one slice, and the
 * others are spread evenly over the rest.
 */
final class HotspotLoad implements AutoCloseable {
  static final int HOT_SLICE = 0;

  private final HotspotCluster cluster;
  private final double skew;
  private final LongAdder answered = new LongAdder();
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private final List<Thread> clients = new ArrayList<>();
  private volatile boolean stop;

  /**
   * Starts the clients.
   *
   * @param skew the hot slice's share of the queries beyond its even one, 0 to 1
   */
  HotspotLoad(HotspotCluster cluster, double skew, int count) {
    this.cluster = cluster;
    this.skew = skew;
    for (int i = 0; i < count; i++) {
      SplittableRandom random = new SplittableRandom(i);
      clients.add(Thread.ofPlatform().name("client-" + i).start(() -> run(random)));
    }
  }

  private void run(SplittableRandom random) {
    try {
      while (!stop) {
        boolean hot = random.nextDouble() < skew;
        cluster.query(hot ? HOT_SLICE : random.nextInt(HotspotCluster.SLICES));
        answered.increment();
      }
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Returns the queries per second over some time. */
  double throughput(Duration time) {
    long before = answered.sum();
    long began = System.nanoTime();
    try {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while queries ran", e);
    }
    requireSound();
    return (answered.sum() - before) / ((System.nanoTime() - began) / 1e9);
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
    for (Thread client : clients) {
      try {
        client.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BenchException("Interrupted while clients ended", e);
      }
    }
    requireSound();
  }
}
