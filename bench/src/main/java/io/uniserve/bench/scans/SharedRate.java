package io.uniserve.bench.scans;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** The rate at which a client consumes what several servers send it, with a small buffer. */
final class SharedRate implements AutoCloseable {
  private static final double BUFFER_BYTES = 20_000;
  private static final AtomicLong NUMBERS = new AtomicLong();
  private static final Map<Long, SharedRate> ALL = new ConcurrentHashMap<>();

  private final long number = NUMBERS.incrementAndGet();
  private final double bytesPerSecond;
  private final ReentrantLock lock = new ReentrantLock();
  private double freeNanos = System.nanoTime();

  SharedRate(double bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
    ALL.put(number, this);
  }

  static SharedRate of(long number) {
    return ALL.get(number);
  }

  long number() {
    return number;
  }

  /** Waits until the client has room for some bytes. Those who wait go in turn. */
  void take(int bytes) {
    double begin;
    lock.lock();
    try {
      double bufferNanos = BUFFER_BYTES / bytesPerSecond * 1e9;
      freeNanos = Math.max(freeNanos, System.nanoTime() - bufferNanos);
      freeNanos += bytes / bytesPerSecond * 1e9;
      begin = freeNanos;
    } finally {
      lock.unlock();
    }
    Pause.nanos((long) (begin - System.nanoTime()));
  }

  @Override
  public void close() {
    ALL.remove(number);
  }
}
