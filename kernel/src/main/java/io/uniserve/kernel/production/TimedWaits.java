package io.uniserve.kernel.production;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The deadlines of waiting threads, and one thread that wakes them, up to a millisecond late. It
 * sleeps until the earliest deadline, so a wait that ends in time does not wake it unless its
 * deadline was the earliest. It then looks at all waits: most end long before their deadlines, so
 * beginning and ending one must be cheap, and no order of them is kept. The JDK's own timed waits
 * of virtual threads wake a thread twice each, at their begin and at their end.
 */
final class TimedWaits {
  /** The time that the thread sleeps if there are no waits. */
  private static final long REST_NANOS = 3_600_000_000_000L;

  /** The least time between two looks at all waits, which bounds their cost. */
  private static final long PAUSE_NANOS = 1_000_000;

  private final Set<Wait> waits = ConcurrentHashMap.newKeySet();

  /** The earliest deadline that the thread knows of, or one before it. */
  private final AtomicLong next = new AtomicLong(System.nanoTime());

  private final Thread thread =
      Thread.ofPlatform().daemon().name("timed-waits").unstarted(this::run);

  static TimedWaits start() {
    TimedWaits timedWaits = new TimedWaits();
    timedWaits.thread.start();
    return timedWaits;
  }

  /**
   * Begins a wait. The calling thread is woken at a moment, unless the wait ends before.
   *
   * @param nanos a time of {@link System#nanoTime()}
   */
  Wait begin(long nanos) {
    Wait wait = new Wait(nanos, Thread.currentThread());
    waits.add(wait);
    if (wakesAt(nanos)) {
      LockSupport.unpark(thread);
    }
    return wait;
  }

  /** Returns the number of waits under way. */
  int count() {
    return waits.size();
  }

  /** Returns the thread that wakes the others. */
  Thread thread() {
    return thread;
  }

  /** Makes this deadline the next one if it is the earliest; returns whether it is. */
  private boolean wakesAt(long nanos) {
    long known = next.get();
    while (nanos - known < 0) {
      if (next.compareAndSet(known, nanos)) {
        return true;
      }
      known = next.get();
    }
    return false;
  }

  private void run() {
    while (true) {
      long now = System.nanoTime();
      // Set before the search: a later wait sees this value and lowers it.
      next.set(now + REST_NANOS);
      wakeExpired(now);
      sleepUntil(now + PAUSE_NANOS);
      while (next.get() - System.nanoTime() > 0) {
        LockSupport.parkNanos(this, next.get() - System.nanoTime());
      }
    }
  }

  private void sleepUntil(long nanos) {
    while (nanos - System.nanoTime() > 0) {
      LockSupport.parkNanos(this, nanos - System.nanoTime());
    }
  }

  private void wakeExpired(long now) {
    for (Wait wait : waits) {
      if (wait.nanos - now > 0) {
        wakesAt(wait.nanos);
      } else {
        wait.end();
        LockSupport.unpark(wait.thread);
      }
    }
  }

  /** One wait under way. */
  final class Wait {
    private final long nanos;
    private final Thread thread;

    private Wait(long nanos, Thread thread) {
      this.nanos = nanos;
      this.thread = thread;
    }

    /** Ends the wait, if it has not ended. */
    void end() {
      waits.remove(this);
    }
  }
}
