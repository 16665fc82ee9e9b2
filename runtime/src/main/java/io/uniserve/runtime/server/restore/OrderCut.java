package io.uniserve.runtime.server.restore;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.wire.BackupMessage.LeftOut;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Position;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The place where the logs of an ordered table are cut, so that each update is restored on all its
 * actors or on none. The cut is before the first number that is later than the moment, or that one
 * of its actors has not received as far as the store knows. An update that one actor has lost for
 * good is not left out elsewhere; the actor has lost it if it has received later ones. An update
 * that went to an actor merged since counts as received by the merged actor. Updates that took the
 * short way are restored as far as the store has the log of their actor, up to the cut.
 */
final class OrderCut {
  /**
   * The stored data of one actor.
   *
   * @param generation the generation of its keys in the table that is to be restored
   * @param base the position where its log begins
   * @param order its place in the table's order at that position
   * @param log the log from there on
   * @param told the newest number that is told of by entries after the log, which are not in it
   * @param whole false if the log ends early, since the store has what follows only in a checkpoint
   */
  record Line(
      int generation,
      Position base,
      ReceivedOrder.Stored order,
      List<LogEntry> log,
      long told,
      boolean whole) {
    /** Returns the number of the newest update that the actor has received. */
    private long got() {
      return log.stream()
          .flatMap(entry -> place(entry).stream())
          .mapToLong(OrderPlace::number)
          .reduce(order.last(), Math::max);
    }

    /**
     * Returns the newest number that the line tells of: what the actor has received of the order up
     * to that number is in the line.
     */
    long reach() {
      return log.stream()
          .mapToLong(OrderCut::number)
          .reduce(Math.max(told, order.newest().number()), Math::max);
    }

    /** Returns the newest number of an update that had come to the actor by a moment. */
    private long gotBy(long millis) {
      return log.stream()
          .filter(entry -> entry.timeMillis() <= millis)
          .flatMap(entry -> place(entry).stream())
          .mapToLong(OrderPlace::number)
          .reduce(order.last(), Math::max);
    }

    /**
     * Returns the newest number that the line shows to have been given by a moment: of an update
     * that had come to the actor, or before one that took the short way.
     */
    private long givenBy(long millis) {
      long given = Math.max(order.shown(), gotBy(millis));
      long before = order.newest().number();
      for (LogEntry entry : log) {
        if (isShort(entry) && entry.timeMillis() <= millis) {
          given = Math.max(given, before);
        }
        before = Math.max(before, number(entry));
      }
      return given;
    }

    /** Returns the same line with more of the order. */
    Line with(StoredPast.Placed more) {
      List<LogEntry> longer = new ArrayList<>(log);
      longer.addAll(more.entries());
      return new Line(generation, base, order, longer, Math.max(told, more.told()), whole);
    }
  }

  private final Partitioner shape;
  private final SortedMap<Integer, Line> lines;
  private final long millis;
  private final Map<Integer, Long> got = new TreeMap<>();

  /** The places in the logs, by number. */
  private final Map<Long, OrderPlace> known = new TreeMap<>();

  private final long later;
  private long end;
  private Optional<LeftOut> lacked = Optional.empty();

  /**
   * @param shape the shape of the table that is to be restored
   * @param lines the lines of all its actors, by number
   * @param millis the moment
   * @param end a number that is to be left out, and all after it
   * @param placed the newest number that is known to have gone to each actor, by actor
   * @param others places of updates that had come to actors before the lines, or to other actors
   */
  OrderCut(
      Partitioner shape,
      SortedMap<Integer, Line> lines,
      long millis,
      long end,
      List<Long> placed,
      List<OrderPlace> others) {
    this.shape = shape;
    this.lines = lines;
    this.millis = millis;
    this.end = end;
    this.later = later();
    others.forEach(place -> known.put(place.number(), place));
    lines.forEach((actor, line) -> got.put(actor, line.got()));
    for (Line line : lines.values()) {
      line.order().shared().forEach((actor, number) -> requireGot(actor, number));
      line.log().forEach(this::look);
    }
    for (int actor = 0; actor < placed.size(); actor++) {
      requirePlaced(actor, placed.get(actor));
    }
    for (Line line : lines.values()) {
      if (!line.whole()) {
        // Which update follows, nobody knows.
        this.end = Math.min(this.end, line.got() + 1);
      }
    }
    this.end = Math.min(this.end, later);
  }

  /**
   * Returns the newest number that any actor shows to have been given by a moment. The coordinator
   * had given all numbers before it by then, too.
   *
   * @param lines the lines of all actors, each at least up to its first entry after the moment
   */
  static long newestBy(Collection<Line> lines, long millis) {
    return lines.stream().mapToLong(line -> line.givenBy(millis)).max().orElse(0);
  }

  /**
   * Returns the first number that is later than the moment. The time of one entry does not tell
   * that: behind an update on the short way, an update of the order has at least the time of that,
   * while the next number may have its own time on another actor.
   */
  private long later() {
    boolean beyond =
        lines.values().stream()
            .flatMap(line -> line.log().stream())
            .filter(entry -> place(entry).filter(place -> !place.isOfOrigin()).isPresent())
            .anyMatch(entry -> entry.timeMillis() > millis);
    return beyond ? newestBy(lines.values(), millis) + 1 : Long.MAX_VALUE;
  }

  /**
   * Moves the cut before everything that an actor may lack of the updates that went to it: before
   * the first number that no other actor knows to have gone elsewhere. An actor that the restored
   * table lacks was made later.
   */
  private void requirePlaced(int actor, long newest) {
    int became = shape.became(actor);
    Line line = lines.get(became);
    if (line != null) {
      long next = line.reach() + 1;
      while (next < newest && wentElsewhere(next, became)) {
        next++;
      }
      if (next <= newest) {
        lacks(became, next);
      }
    }
  }

  private boolean wentElsewhere(long number, int actor) {
    OrderPlace place = known.get(number);
    return place != null && place.actors().stream().noneMatch(went -> shape.became(went) == actor);
  }

  private void look(LogEntry entry) {
    Optional<OrderPlace> place = place(entry).filter(known -> !known.isOfOrigin());
    if (place.isPresent()) {
      long number = place.get().number();
      known.put(number, place.get());
      place.get().actors().forEach(actor -> requireGot(actor, number));
    }
  }

  /**
   * Moves the cut before a number that an actor has not received. An actor that the restored table
   * lacks was made after everything that is restored.
   */
  private void requireGot(int actor, long number) {
    if (!hasGot(actor, number)) {
      lacks(shape.became(actor), number);
    }
  }

  private void lacks(int actor, long number) {
    end = Math.min(end, number);
    if (lacked.isEmpty() || number < lacked.get().number()) {
      lacked = Optional.of(new LeftOut(number, Optional.empty(), actor));
    }
  }

  private boolean hasGot(int actor, long number) {
    Long known = got.get(shape.became(actor));
    return known != null && known >= number;
  }

  /** Returns the place of an entry in the order; empty if it has none. */
  static Optional<OrderPlace> place(LogEntry entry) {
    return switch (entry) {
      case LogEntry.Ordered ordered -> Optional.of(ordered.place());
      case LogEntry.Passed passed -> Optional.of(passed.place());
      case LogEntry.Marked marked -> marked.place();
      default -> Optional.empty();
    };
  }

  /**
   * Returns the end if that is a number which an actor may lack, and nobody knows where it went;
   * otherwise the highest number of all.
   */
  long guessed() {
    return lacked
        .map(LeftOut::number)
        .filter(number -> number == end && !known.containsKey(number))
        .orElse(Long.MAX_VALUE);
  }

  /** Returns the first number that is left out. */
  long end() {
    return end;
  }

  /**
   * Returns the first update up to the moment that an actor has not received as far as the store
   * knows; empty if there is none.
   */
  Optional<LeftOut> lacked() {
    return lacked
        .filter(known -> known.number() < later)
        .map(known -> new LeftOut(known.number(), timeOf(known.number()), known.actor()));
  }

  private Optional<Long> timeOf(long number) {
    return placed()
        .filter(entry -> place(entry).orElseThrow().number() == number)
        .map(LogEntry::timeMillis)
        .findFirst();
  }

  /**
   * Returns whether an update is left out that all its actors had received by the moment, so that
   * it may have been acknowledged. One that took the short way has one actor.
   */
  boolean leavesOutWhole() {
    return placed()
            .map(entry -> place(entry).orElseThrow())
            .filter(place -> place.number() >= end)
            .anyMatch(place -> place.actors().stream().allMatch(actor -> hadGot(actor, place)))
        || lines.values().stream().anyMatch(this::leavesOutShort);
  }

  private boolean hadGot(int actor, OrderPlace place) {
    Line line = lines.get(shape.became(actor));
    return line != null && line.gotBy(millis) >= place.number();
  }

  private boolean leavesOutShort(Line line) {
    Position last = last(line);
    return line.log().stream()
        .filter(LogEntry.Update.class::isInstance)
        .anyMatch(entry -> entry.timeMillis() <= millis && entry.position().compareTo(last) > 0);
  }

  /** Returns all entries of updates of the table, and not of its origin. */
  private Stream<LogEntry> placed() {
    return lines.values().stream()
        .flatMap(line -> line.log().stream())
        .filter(entry -> place(entry).filter(place -> !place.isOfOrigin()).isPresent());
  }

  /**
   * Returns the last position of each actor, by number. Nothing is restored of actors that had
   * ended.
   */
  List<Cut> cuts() {
    Cut ended = new Cut(Position.START, false);
    List<Cut> cuts = new ArrayList<>(Collections.nCopies(shape.actors(), ended));
    lines.forEach((actor, line) -> cuts.set(actor, new Cut(last(line), false)));
    return cuts;
  }

  /**
   * Returns the last position of a line. Updates on the short way that came after the moment are
   * left out, except those before an update of the order that is restored: a log has one end.
   */
  private Position last(Line line) {
    Position last = line.base();
    long reach = line.order().newest().number();
    boolean passedOver = false;
    for (LogEntry entry : line.log()) {
      if (isIncluded(entry, line, reach)) {
        boolean mark = entry instanceof LogEntry.Marked marked && marked.place().isEmpty();
        passedOver &= mark;
        last = passedOver ? last : entry.position();
      } else if (isShort(entry) && reach < end) {
        passedOver = true;
      } else {
        break;
      }
      reach = Math.max(reach, number(entry));
    }
    return last;
  }

  /** Returns the number that an entry names, of itself or of the update before it. */
  static long number(LogEntry entry) {
    return entry instanceof LogEntry.Marked marked
        ? marked.mark().number()
        : place(entry).map(OrderPlace::number).orElse(0L);
  }

  /**
   * @param reach the newest number that the log names before the entry
   */
  private boolean isIncluded(LogEntry entry, Line line, long reach) {
    if (entry instanceof LogEntry.Retain retain) {
      return retain.generation() <= line.generation();
    }
    if (entry instanceof LogEntry.Marked marked && marked.place().isEmpty()) {
      return true;
    }
    if (isShort(entry)) {
      return reach < end && entry.timeMillis() <= millis;
    }
    OrderPlace place = place(entry).orElseThrow(() -> unordered(entry));
    return place.number() < end && !(place.isOfOrigin() && entry.timeMillis() > millis);
  }

  /** Returns whether an entry is of an update that took the short way. */
  private static boolean isShort(LogEntry entry) {
    return entry instanceof LogEntry.Update || entry instanceof LogEntry.Declined;
  }

  private static UniserveException unordered(LogEntry entry) {
    return new UniserveException(
        ErrorCode.CORRUPT, "the log of a table of ordered updates has " + entry.position());
  }
}
