package io.uniserve.runtime.client.context;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The second attempts at actors whose copy is late, before it fails ("The tail at scale", CACM
 * 2013). They begin after a percentile of the table's recent latencies, and within a share of all
 * work. So a server that is slow because it is full does not get more work by them.
 */
public final class Hedging {
  private static final int TABLES_MAX = 1000;
  private static final long ATTEMPT = 1_000_000;
  private static final long SAVED_MAX = 20 * ATTEMPT;

  private final HedgeSettings settings;
  private final Map<Long, Latencies> byTable = new ConcurrentSkipListMap<>();

  /** The attempts that may be made, in millionths. */
  private final AtomicLong saved = new AtomicLong(ATTEMPT);

  public Hedging(HedgeSettings settings) {
    this.settings = settings;
  }

  /** Returns the latencies of a table's servers. */
  public Latencies of(long table) {
    Latencies known = byTable.get(table);
    if (known == null) {
      if (byTable.size() >= TABLES_MAX) {
        byTable.clear();
      }
      known = byTable.computeIfAbsent(table, id -> new Latencies(settings.percentile()));
    }
    return known;
  }

  /** Returns the time after which an answer is late; {@link Long#MAX_VALUE} if none ever is. */
  public long delayNanos(Latencies latencies) {
    return settings.shareMax() == 0
        ? Long.MAX_VALUE
        : Math.max(latencies.percentileNanos(), settings.delayMin().toNanos());
  }

  /** Notes that a number of first attempts begin. */
  public void began(int attempts) {
    long earned = (long) (attempts * settings.shareMax() * ATTEMPT);
    if (earned > 0 && saved.get() < SAVED_MAX) {
      saved.addAndGet(Math.min(earned, SAVED_MAX));
    }
  }

  /** Takes one second attempt; returns whether it may be made. */
  public boolean take() {
    long now = saved.get();
    while (now >= ATTEMPT && !saved.compareAndSet(now, now - ATTEMPT)) {
      now = saved.get();
    }
    return now >= ATTEMPT;
  }
}
