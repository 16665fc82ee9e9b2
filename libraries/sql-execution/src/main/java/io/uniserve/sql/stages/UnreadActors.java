package io.uniserve.sql.stages;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The actors of a warehouse that have yet to be read, while a query reads some at a time. Splits
 * and merges may come in between. Used by one thread.
 */
final class UnreadActors {
  private final String warehouse;
  private final SortedSet<Integer> read = new TreeSet<>();

  /** The partitioner of the actors that were read; null before the first. */
  private Partitioner readOf;

  /** The partitioner of the last choice. */
  private Partitioner chosenOf;

  private SortedSet<Integer> chosen = new TreeSet<>();
  private boolean more = true;
  private boolean given;
  private boolean again;

  UnreadActors(String warehouse) {
    this.warehouse = warehouse;
  }

  /** Returns whether any actor was left at the last choice. */
  boolean more() {
    return more;
  }

  /**
   * Records that the rows that were read have been passed on, so that they cannot be read again.
   */
  void gave() {
    given = true;
  }

  /** Returns whether the last query began with all actors again, so that earlier rows are void. */
  boolean beganAgain() {
    return again;
  }

  /** Returns the actors that a query of {@link #next} read. */
  SortedSet<Integer> chosen() {
    return chosen;
  }

  /** Chooses the next few actors. */
  Keys next(long most) {
    return new Keys.OfActors(partitioner -> choose(partitioner, most));
  }

  private SortedSet<Integer> choose(Partitioner now, long most) {
    SortedSet<Integer> left = new TreeSet<>(now.actorsOf(Keys.ALL));
    left.removeAll(readBefore(now));
    chosenOf = now;
    chosen = new TreeSet<>(left.stream().limit(most).toList());
    more = chosen.size() < left.size();
    return chosen;
  }

  private SortedSet<Integer> readBefore(Partitioner now) {
    if (readOf == null) {
      return new TreeSet<>();
    }
    try {
      return since(now);
    } catch (OvertakenException e) {
      if (given) {
        throw e;
      }
      read.clear();
      readOf = null;
      again = true;
      return new TreeSet<>();
    }
  }

  /** Returns the present actors that the actors that were read have become. */
  private SortedSet<Integer> since(Partitioner now) {
    List<PartitionChange> before = readOf.history();
    List<PartitionChange> all = now.history();
    if (!now.base().equals(readOf.base())
        || all.size() < before.size()
        || !all.subList(0, before.size()).equals(before)) {
      throw changed("was dropped and made anew");
    }
    SortedSet<Integer> read = new TreeSet<>(this.read);
    for (PartitionChange change : all.subList(before.size(), all.size())) {
      switch (change) {
        case PartitionChange.Cut cut -> {
          if (read.contains(cut.actor())) {
            read.add(cut.into());
          }
        }
        case PartitionChange.Merge merge -> {
          boolean first = read.remove(merge.first());
          if (first != read.remove(merge.second())) {
            throw changed("has merged an actor that was read with one that was not");
          }
          if (first) {
            read.add(merge.into());
          }
        }
      }
    }
    return read;
  }

  private OvertakenException changed(String what) {
    return new OvertakenException(
        "warehouse '" + warehouse + "' " + what + " while its rows were given");
  }

  /**
   * A failure because a split or merge has mixed read and unread keys. Everything must be read
   * again.
   */
  static final class OvertakenException extends UniserveException {
    private static final long serialVersionUID = 1L;

    private OvertakenException(String message) {
      super(ErrorCode.UNAVAILABLE, message);
    }
  }

  /** Records that the last choice has been read. */
  void took() {
    SortedSet<Integer> before = readOf == null ? new TreeSet<>() : since(chosenOf);
    read.clear();
    read.addAll(before);
    read.addAll(chosen);
    readOf = chosenOf;
    again = false;
  }
}
