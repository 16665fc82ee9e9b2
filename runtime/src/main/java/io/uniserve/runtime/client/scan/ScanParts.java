package io.uniserve.runtime.client.scan;

import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.wire.ScanMessage.FormerKeys;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The parts of a scan that have not been given wholly. They follow the splits and merges of their
 * table. For one thread at a time.
 */
final class ScanParts implements Iterable<ScanPart> {
  private final boolean everywhere;
  private final BiConsumer<ScanPart, ScanPart> halved;
  private final List<ScanPart> parts = new ArrayList<>();
  private long readOfEnded;

  /**
   * Creates no parts.
   *
   * @param everywhere true if every actor has all records, so that only one part is read
   * @param halved is told of a part that was split, and of its other half
   */
  ScanParts(boolean everywhere, BiConsumer<ScanPart, ScanPart> halved) {
    this.everywhere = everywhere;
    this.halved = halved;
  }

  void add(ScanPart part) {
    parts.add(part);
  }

  void clear() {
    parts.clear();
  }

  @Override
  public Iterator<ScanPart> iterator() {
    return parts.iterator();
  }

  /** Returns whether all has been given. */
  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** Returns how many parts have not arrived wholly. */
  int left() {
    return (int) parts.stream().filter(part -> !part.fetched.ended()).count();
  }

  /** Forgets parts that were given wholly. */
  void forgetGiven() {
    parts.removeIf(
        part -> {
          boolean over = part.given.ended() && !part.reading;
          readOfEnded += over ? part.read : 0;
          return over;
        });
  }

  /** Returns the share of records that have been read, as far as their number is known. */
  double doneShare() {
    double known = 0;
    double read = readOfEnded;
    double total = readOfEnded;
    for (ScanPart part : parts) {
      known += part.total > 0 ? 1 : 0;
      read += part.read;
      total += Math.max(part.total, part.read);
    }
    double unknown = parts.size() - known;
    if (total == 0) {
      return parts.isEmpty() ? 1 : 0;
    }
    double mean = known == 0 ? total : (total - readOfEnded) / known;
    return Math.min(1, read / (total + unknown * mean));
  }

  /** Follows splits and merges. A part that is being read follows after its page has come. */
  void follow(Partitioner now) {
    List<PartitionChange> all = now.history();
    for (ScanPart part : List.copyOf(parts)) {
      if (!part.reading) {
        follow(part, all);
      }
    }
  }

  private void follow(ScanPart part, List<PartitionChange> all) {
    if (all.size() < part.changes) {
      return; // this client has not heard yet of what a cursor knows
    }
    while (part.changes < all.size()) {
      PartitionChange change = all.get(part.changes);
      int before = part.changes;
      part.changes++;
      switch (change) {
        case PartitionChange.Cut cut -> {
          if (part.actor == cut.actor() && !everywhere) {
            ScanPart half = part.half(cut.into());
            parts.add(half);
            halved.accept(part, half);
            follow(half, all);
          }
        }
        case PartitionChange.Merge merge -> {
          if (merge.ends(part.actor)) {
            if (!everywhere) {
              List<FormerKeys> only = new ArrayList<>(part.only);
              only.add(new FormerKeys(before, part.actor));
              part.only = List.copyOf(only);
            }
            part.actor = merge.into();
          }
        }
      }
    }
  }
}
