package io.uniserve.node.load;

import io.uniserve.node.rows.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** The progress of loading. Safe for use by many threads. */
public final class LoadReport {
  private static final int SHOWN_MAX = 5;

  private final LongAdder stored = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final ReentrantLock lock = new ReentrantLock();
  private final List<String> examples = new ArrayList<>();

  void addStored(long count) {
    stored.add(count);
  }

  void addSkipped(Item.Place place, String why) {
    skipped.increment();
    lock.lock();
    try {
      if (examples.size() < SHOWN_MAX) {
        examples.add(place + ": " + why);
      }
    } finally {
      lock.unlock();
    }
  }

  void addSkipped(long unnamed) {
    skipped.add(unnamed);
  }

  /** Returns the number of records that the cluster has stored. */
  public long stored() {
    return stored.sum();
  }

  /** Returns the number of records that were skipped. */
  public long skipped() {
    return skipped.sum();
  }

  /** Returns the first few skipped records, with place and reason. */
  public List<String> examples() {
    lock.lock();
    try {
      return List.copyOf(examples);
    } finally {
      lock.unlock();
    }
  }
}
