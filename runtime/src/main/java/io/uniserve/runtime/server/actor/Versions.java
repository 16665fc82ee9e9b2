package io.uniserve.runtime.server.actor;

import io.uniserve.api.Actor;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.server.engine.Shared;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The point-in-time readers of one copy, by the version of the table from which they are right (DPA
 * §4.2). An actor that a transaction did not touch has no reader of its version; the newest before
 * is equal. A reader stays while a read uses it, and for a while after a newer one came, since a
 * read of its version may be on its way. One thread at a time may add; any thread may do the rest.
 */
public final class Versions {
  /** The time for which a version can be asked for after it was replaced. */
  static final Duration RETENTION = Duration.ofSeconds(10);

  /** The largest number of versions; beyond it, the oldest cannot be asked for any more. */
  static final int COUNT_MAX = 128;

  private static final class Held {
    private final Shared<Actor> reader;
    private volatile boolean replaced;
    private volatile long replacedAtNanos;

    Held(Shared<Actor> reader) {
      this.reader = reader;
    }
  }

  private final Clock clock;
  private final ConcurrentSkipListMap<Long, Held> held = new ConcurrentSkipListMap<>();

  /** The size of {@link #held}, which would count its entries one by one. */
  private final AtomicInteger count = new AtomicInteger();

  public Versions(Clock clock) {
    this.clock = clock;
  }

  /** Adds a reader that is right from this version on. */
  public void add(long version, Shared<Actor> reader) {
    Map.Entry<Long, Held> before = held.lastEntry();
    Held same = held.put(version, new Held(reader));
    if (same != null) {
      same.reader.retire();
    } else {
      count.incrementAndGet();
      if (before != null) {
        before.getValue().replacedAtNanos = clock.nanos();
        before.getValue().replaced = true;
      }
    }
    free();
  }

  /**
   * Returns the reader that is right at a version; the caller releases it. Empty if it was freed.
   */
  public Optional<Shared<Actor>> acquire(long version) {
    Map.Entry<Long, Held> newest = held.floorEntry(version);
    return Optional.ofNullable(newest)
        .map(entry -> entry.getValue().reader)
        .filter(Shared::acquire);
  }

  /** Frees versions that no read can ask for any more. */
  public void free() {
    Map.Entry<Long, Held> oldest = held.firstEntry();
    while (oldest != null && canGo(oldest.getValue())) {
      retire(oldest.getKey());
      oldest = held.firstEntry();
    }
  }

  private boolean canGo(Held oldest) {
    return oldest.replaced
        && (clock.nanos() - oldest.replacedAtNanos > RETENTION.toNanos()
            || count.get() > COUNT_MAX);
  }

  private void retire(long number) {
    Held gone = held.remove(number);
    if (gone != null) {
      count.decrementAndGet();
      gone.reader.retire();
    }
  }

  public boolean isEmpty() {
    return held.isEmpty();
  }

  /** Lets no new reads of any version in. */
  public void clear() {
    List.copyOf(held.keySet()).forEach(this::retire);
  }
}
