package io.uniserve.runtime.still;

import io.uniserve.kernel.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands still until a test puts it forward or a thread sleeps, which takes no time.
 * It begins shortly before its nanoseconds overflow: only differences have a meaning.
 */
public final class StillClock implements Clock {
  private final AtomicLong nanos;
  private final List<Duration> sleeps = new CopyOnWriteArrayList<>();

  /** Creates a clock for tests in which nobody really waits. */
  public StillClock() {
    this(Long.MAX_VALUE - 1_000_000);
  }

  private StillClock(long nanos) {
    this.nanos = new AtomicLong(nanos);
  }

  /**
   * Creates a clock that stands still at this moment, since threads that wait look at the system's
   * clock.
   */
  public static StillClock ofWaits() {
    return new StillClock(System.nanoTime());
  }

  @Override
  public long nanos() {
    return nanos.get();
  }

  @Override
  public Instant now() {
    return Instant.EPOCH.plusNanos(nanos.get());
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    throw new UnsupportedOperationException("no timers while time stands still");
  }

  @Override
  public void sleep(Duration duration) {
    sleeps.add(duration);
    advance(duration);
  }

  /** Lets time pass. */
  public void advance(Duration duration) {
    nanos.addAndGet(duration.toNanos());
  }

  /** Returns the length of each sleep. */
  public List<Duration> sleeps() {
    return List.copyOf(sleeps);
  }
}
