package io.uniserve.runtime.client.load;

import io.uniserve.kernel.Clock;
import io.uniserve.runtime.wire.LoadMessage;
import io.uniserve.runtime.wire.LoadMessage.SetFigures;
import io.uniserve.runtime.wire.LoadSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The frequencies with which queries read actors together (PODP §3.1), over a sliding window. The
 * most popular sets are counted one by one, each exactly since it became one of them. A sketch
 * estimates the others, so that a set that becomes popular takes the place of one that no longer
 * is. Safe for use by many threads.
 */
public final class QuerySets {
  /** The number of sets counted one by one. */
  static final int COUNTED_MAX = 512;

  private static final int PANES = 8;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Clock clock;
  private final long paneNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Key, int[]> counted = new LinkedHashMap<>();
  private final int[] others = new int[PANES];
  private final CountSketch sketch = new CountSketch();
  private final long beganNanos;
  private long pane;

  /** The lowest count of a counted set, as of the last look at all of them. */
  private int floor;

  private record Key(long table, List<Integer> actors) {}

  public QuerySets(Clock clock, LoadSettings settings) {
    this.clock = clock;
    this.paneNanos = Math.max(1, settings.window().toNanos() / PANES);
    this.beganNanos = clock.nanos();
  }

  /**
   * The frequencies at one moment.
   *
   * @param sets those counted one by one
   * @param othersPerSecond queries of all others
   */
  record Frequencies(List<SetFigures> sets, double othersPerSecond) {}

  /**
   * Counts a query.
   *
   * @param table the table's identity
   * @param actors that it reads, ascending
   */
  public void count(long table, Collection<Integer> actors) {
    if (actors.size() > LoadMessage.SET_ACTORS_MAX) {
      count(new Key(table, List.of()));
    } else if (!actors.isEmpty()) {
      count(new Key(table, List.copyOf(actors)));
    }
  }

  private void count(Key key) {
    lock.lock();
    try {
      rotate();
      int place = (int) (pane % PANES);
      int[] counts = counted.get(key);
      if (counts == null && !key.actors().isEmpty()) {
        counts = admit(key);
      }
      (counts == null ? others : counts)[place]++;
    } finally {
      lock.unlock();
    }
  }

  /** Counts a set one by one from now on if it may be popular enough; returns null if not. */
  private int[] admit(Key key) {
    if (counted.size() >= COUNTED_MAX) {
      int estimate = sketch.add(key.hashCode(), 1);
      if (estimate <= floor || !dropBelow(estimate)) {
        return null;
      }
    }
    int[] counts = new int[PANES];
    counted.put(key, counts);
    return counts;
  }

  /** Moves the least popular set to the sketch, if it is less popular than this. */
  private boolean dropBelow(int estimate) {
    Key least = null;
    int fewest = Integer.MAX_VALUE;
    for (Map.Entry<Key, int[]> entry : counted.entrySet()) {
      int sum = sum(entry.getValue());
      if (sum < fewest) {
        fewest = sum;
        least = entry.getKey();
      }
    }
    floor = fewest;
    if (fewest >= estimate) {
      return false;
    }
    int[] dropped = counted.remove(least);
    sketch.add(least.hashCode(), fewest);
    for (int place = 0; place < PANES; place++) {
      others[place] += dropped[place];
    }
    return true;
  }

  private static int sum(int[] counts) {
    int sum = 0;
    for (int count : counts) {
      sum += count;
    }
    return sum;
  }

  private void rotate() {
    long now = (clock.nanos() - beganNanos) / paneNanos;
    long steps = Math.min(PANES, now - pane);
    for (long step = 1; step <= steps; step++) {
      int place = (int) ((now - steps + step) % PANES);
      others[place] = 0;
      counted.values().forEach(counts -> counts[place] = 0);
      counted.values().removeIf(counts -> sum(counts) == 0);
      sketch.halve();
      floor = 0;
    }
    pane = now;
  }

  /** Returns how often each set was read in a second. */
  Frequencies frequencies() {
    lock.lock();
    try {
      rotate();
      double seconds = windowNanos() / NANOS_PER_SECOND;
      List<SetFigures> sets = new ArrayList<>(counted.size());
      counted.forEach(
          (key, counts) ->
              sets.add(new SetFigures(key.table(), key.actors(), sum(counts) / seconds)));
      return new Frequencies(sets, sum(others) / seconds);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the length of the full panes and of the present one so far; at least one pane. */
  private long windowNanos() {
    long age = clock.nanos() - beganNanos;
    long full = Math.min(age, (PANES - 1) * paneNanos + age % paneNanos);
    return Math.max(paneNanos, full);
  }
}
