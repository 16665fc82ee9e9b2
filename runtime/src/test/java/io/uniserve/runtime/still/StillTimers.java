package io.uniserve.runtime.still;

import io.uniserve.kernel.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A clock that stands still, with timers that run out as a test puts it forward. */
public final class StillTimers implements Clock {
  private record Limit(long atNanos, Runnable task) {}

  private final StillClock clock;
  private final List<Limit> limits = new CopyOnWriteArrayList<>();

  /**
   * @param clock the time that it shows
   */
  public StillTimers(StillClock clock) {
    this.clock = clock;
  }

  @Override
  public long nanos() {
    return clock.nanos();
  }

  @Override
  public Instant now() {
    return clock.now();
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    Limit limit = new Limit(nanos() + delay.toNanos(), task);
    limits.add(limit);
    return () -> limits.remove(limit);
  }

  @Override
  public void sleep(Duration duration) {
    clock.sleep(duration);
  }

  /** Returns how many timers have not run out. */
  public int count() {
    return limits.size();
  }

  /** Lets time pass, and runs the timers that are due by then. */
  public void pass(Duration duration) {
    clock.advance(duration);
    for (Limit limit : limits) {
      if (limit.atNanos() - nanos() <= 0 && limits.remove(limit)) {
        limit.task().run();
      }
    }
  }
}
