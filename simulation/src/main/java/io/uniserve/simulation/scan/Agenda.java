package io.uniserve.simulation.scan;

import java.util.Comparator;
import java.util.PriorityQueue;

/** The events to come, in order of time; at the same time, in order of entry. */
final class Agenda {
  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(
          Comparator.comparingDouble(Entry::seconds).thenComparingLong(Entry::number));
  private double now;
  private long count;

  private record Entry(double seconds, long number, Runnable action) {}

  double now() {
    return now;
  }

  /** Has something happen at a time, at once if that is past. */
  void at(double seconds, Runnable action) {
    entries.add(new Entry(Math.max(now, seconds), count++, action));
  }

  /** Lets everything happen; returns the number of events. */
  long run() {
    long events = 0;
    for (Entry next = entries.poll(); next != null; next = entries.poll()) {
      now = next.seconds();
      next.action().run();
      events++;
    }
    return events;
  }
}
