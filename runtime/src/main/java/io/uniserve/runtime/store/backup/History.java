package io.uniserve.runtime.store.backup;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.store.backup.HistoryItem.EpochStart;
import io.uniserve.runtime.store.backup.HistoryItem.Gap;
import io.uniserve.runtime.store.backup.HistoryItem.Log;
import io.uniserve.runtime.wire.entry.Position;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * The line of updates that the objects of an actor in the durable store amount to, from the newest
 * epoch back. Of an older primary's objects, only those count from which the next epoch continued.
 * So a deposed primary that still writes changes nothing. Immutable.
 */
public final class History {
  /** The contribution of the writer of one epoch: updates after {@code from} up to {@code to}. */
  private record Share(long from, long to) {}

  /**
   * The updates of one log object that belong to the history.
   *
   * @param log the object
   * @param after the sequence number before the first of them
   * @param to the sequence number of the last of them
   */
  public record Piece(Log log, long after, long to) {}

  private final List<HistoryItem> items;

  /** The last record of each epoch; a primary may have tried several times to open its epoch. */
  private final NavigableMap<Long, EpochStart> epochs = new TreeMap<>();

  private final NavigableMap<Long, Share> shares = new TreeMap<>();
  private final List<Checkpoint> checkpoints = new ArrayList<>();
  private final List<Piece> pieces = new ArrayList<>();

  /** The sequence numbers after which the store is known to lack updates. */
  private final List<Lacking> gaps = new ArrayList<>();

  /**
   * @param whole false if a later primary continued from within
   */
  private record Lacking(long from, long to, boolean whole) {
    boolean has(long at) {
      return from <= at && at < to;
    }
  }

  /** Creates the history that some objects amount to. */
  public History(Collection<? extends HistoryItem> items) {
    this.items = List.copyOf(items);
    for (HistoryItem item : items) {
      if (item instanceof EpochStart epoch) {
        epochs.merge(epoch.writer(), epoch, History::later);
      }
    }
    long limit = Long.MAX_VALUE;
    for (EpochStart epoch : epochs.descendingMap().values()) {
      shares.put(epoch.writer(), new Share(epoch.after().sequence(), limit));
      limit = Math.min(limit, epoch.after().sequence());
      if (!epoch.continuous()) {
        break;
      }
    }
    items.forEach(this::add);
    checkpoints.sort(Comparator.comparing(Checkpoint::position).reversed());
    pieces.sort(Comparator.comparing(Piece::after));
  }

  /** Returns the later record of an epoch; of two from one position, one that continues nothing. */
  private static EpochStart later(EpochStart one, EpochStart other) {
    if (one.after().sequence() == other.after().sequence()) {
      return one.continuous() ? other : one;
    }
    return one.after().sequence() > other.after().sequence() ? one : other;
  }

  private void add(HistoryItem item) {
    Share share = shares.get(item.writer());
    if (share == null) {
      return;
    }
    switch (item) {
      case Checkpoint checkpoint -> {
        if (checkpoint.position().sequence() <= share.to) {
          checkpoints.add(checkpoint);
        }
      }
      case Log log -> {
        long after = Math.max(log.after().sequence(), share.from);
        long to = Math.min(log.last().sequence(), share.to);
        if (after < to) {
          pieces.add(new Piece(log, after, to));
        }
      }
      case Gap gap -> {
        long to = Math.min(gap.last().sequence(), share.to);
        if (gap.after().sequence() < to) {
          gaps.add(new Lacking(gap.after().sequence(), to, to == gap.last().sequence()));
        }
      }
      case EpochStart epoch -> {
        // its share is known already
      }
    }
  }

  /** Returns all items, void ones included. */
  List<HistoryItem> items() {
    return items;
  }

  /**
   * Returns the epochs of primaries that wrote part of the line and whose record of the epoch is
   * missing. That record is written first, and deleted last.
   */
  public List<Long> lostEpochs() {
    long first = isEmpty() ? 0 : shares.firstKey();
    return items.stream()
        .map(HistoryItem::writer)
        .filter(writer -> writer >= first && !epochs.containsKey(writer))
        .distinct()
        .sorted()
        .toList();
  }

  /** Returns the newest epoch whose record is there; 0 if there is none. */
  public long newestEpoch() {
    return epochs.isEmpty() ? 0 : epochs.lastKey();
  }

  /** Returns the newest epoch in which anything was written; 0 if there is none. */
  public long newestWriter() {
    return items.stream().mapToLong(HistoryItem::writer).max().orElse(0);
  }

  /**
   * Returns whether a copy at a position has every update that was acknowledged once it was stored,
   * even if records of epochs are lost. Each primary began with all that older ones had
   * acknowledged. So a copy lacks nothing if no object has an update of a later epoch than its last
   * one, or a later update of the same epoch.
   */
  public boolean namesNothingAfter(Position position) {
    return items.stream().allMatch(item -> last(item).compareTo(position) <= 0);
  }

  /**
   * Returns the line of the updates after a position that the primary of the position's epoch
   * stored itself. An epoch has one primary, so they follow each other whatever records are lost.
   */
  public History inEpochOf(Position position) {
    List<HistoryItem> line = new ArrayList<>();
    line.add(new EpochStart(position.epoch(), position, true, 0));
    for (HistoryItem item : items) {
      if (item instanceof Log log
          && log.writer() == position.epoch()
          && log.last().epoch() == position.epoch()) {
        line.add(log);
      }
    }
    return new History(line);
  }

  private static Position last(HistoryItem item) {
    return switch (item) {
      case Checkpoint checkpoint -> checkpoint.position();
      case Log log -> log.last();
      case Gap gap -> gap.last();
      case EpochStart epoch -> epoch.after();
    };
  }

  /** Returns whether the store has nothing of the actor. */
  public boolean isEmpty() {
    return shares.isEmpty();
  }

  /** Returns whether the line of updates begins with a new, empty actor. */
  public boolean beginsEmpty() {
    return !isEmpty()
        && shares.firstEntry().getValue().from == 0
        && epochs.get(shares.firstKey()).continuous();
  }

  /**
   * Returns whether the log has something to continue from. It has nothing between the beginning of
   * an epoch that continues nothing and its first checkpoint.
   */
  public boolean hasBase() {
    return beginsEmpty() || !checkpoints.isEmpty();
  }

  /**
   * Returns the newest history that an actor can be made of. While the store lacks the first
   * checkpoint of an epoch that continues nothing, that is the history before it, and nothing of
   * that epoch counts as stored yet. Returns this history if none has a base.
   */
  public History based() {
    if (isEmpty() || hasBase()) {
      return this;
    }
    return older().orElse(this);
  }

  /**
   * Returns the same, of a table whose primaries lead only once the store has what they begin with.
   *
   * @param storedFirst true for such a table
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if a log shows that a primary led, and
   *     the checkpoint that it began with is lost: an older history would lack what was
   *     acknowledged
   */
  public History based(boolean storedFirst) {
    if (storedFirst && !isEmpty() && !hasBase() && !pieces.isEmpty()) {
      throw new UniserveException(
          ErrorCode.CORRUPT,
          "the durable store has lost the checkpoint with which epoch "
              + shares.firstKey()
              + " began");
    }
    return based();
  }

  /**
   * Returns the newest history before an epoch that did not continue from it; empty if an actor can
   * be made of none.
   */
  public Optional<History> older() {
    if (isEmpty()) {
      return Optional.empty();
    }
    History older = before(shares.firstKey()).based();
    boolean usable = !older.isEmpty() && older.hasBase() && older.lostEpochs().isEmpty();
    return usable ? Optional.of(older) : Optional.empty();
  }

  /** Returns the history before a primary took over. */
  public History before(long writer) {
    return new History(items.stream().filter(item -> item.writer() < writer).toList());
  }

  /**
   * Returns the history that a moment belongs to: the one before an epoch that did not continue
   * from it, if that epoch began later.
   *
   * @return empty if updates up to that moment may be missing, between the end of the former epoch
   *     and the beginning of that one, or since records of epochs are lost
   */
  public Optional<History> at(long millis) {
    if (!lostEpochs().isEmpty()) {
      return Optional.empty();
    }
    if (isEmpty()) {
      return Optional.of(this);
    }
    EpochStart first = epochs.get(shares.firstKey());
    boolean older = epochs.firstKey() < first.writer();
    if (!older || first.openedMillis() <= millis) {
      return Optional.of(this);
    }
    return before(first.writer()).at(millis).filter(line -> line.lastMillis() >= millis);
  }

  /**
   * Returns the history that a position belongs to, which may be one before an epoch that did not
   * continue from it.
   *
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if records of its epochs are lost
   */
  public History around(Position position) {
    if (!lostEpochs().isEmpty()) {
      throw lost();
    }
    boolean older = !isEmpty() && epochs.firstKey() < shares.firstKey();
    return older && !contains(position) ? before(shares.firstKey()).around(position) : this;
  }

  /** Returns the error that the records of some epochs are lost. */
  public UniserveException lost() {
    return new UniserveException(
        ErrorCode.CORRUPT,
        "the durable store lacks the records of where the primaries of epochs "
            + lostEpochs()
            + " continued from");
  }

  /** Returns a moment up to which the line is known to be whole, in milliseconds since 1970. */
  long lastMillis() {
    LongStream stored = checkpoints.stream().mapToLong(Checkpoint::timeMillis);
    LongStream logged =
        pieces.stream()
            .filter(piece -> piece.to == piece.log.last().sequence())
            .mapToLong(piece -> piece.log.lastMillis());
    return LongStream.concat(stored, logged).max().orElse(0);
  }

  /** Returns the newest position that the store has; {@link Position#START} if it has none. */
  public Position end() {
    Position end = isEmpty() ? Position.START : epochs.lastEntry().getValue().after();
    for (Checkpoint checkpoint : checkpoints) {
      end = further(end, checkpoint.position());
    }
    for (Piece piece : pieces) {
      end = further(end, new Position(piece.log.last().epoch(), piece.to));
    }
    return end;
  }

  private static Position further(Position one, Position other) {
    return other.sequence() > one.sequence() ? other : one;
  }

  /**
   * Returns whether an actor at a position has everything that the store has. It is at the end, or
   * further in the same epoch. Or it is in the epoch of a later record, which began with
   * everything, and after which nothing was stored.
   */
  public boolean isAllHeldAt(Position position) {
    Position end = end();
    return position.equals(end)
        || position.sequence() >= end.sequence()
            && (position.epoch() == end.epoch()
                || position.epoch() > end.epoch() && shares.containsKey(position.epoch()));
  }

  /** Returns whether a position is one of the line, as far as the store still has it. */
  public boolean contains(Position position) {
    long sequence = position.sequence();
    return shares.entrySet().stream()
            .anyMatch(
                share ->
                    epochs.get(share.getKey()).after().equals(position)
                        && sequence <= share.getValue().to)
        || checkpoints.stream().anyMatch(known -> known.position().equals(position))
        || pieces.stream()
            .anyMatch(
                piece ->
                    piece.log.last().epoch() == position.epoch()
                        && piece.after < sequence
                        && sequence <= piece.to);
  }

  /** Returns the checkpoints of the line, the newest first. */
  public List<Checkpoint> checkpoints() {
    return List.copyOf(checkpoints);
  }

  /** Returns the newest checkpoint without an update later than a moment. */
  public Optional<Checkpoint> checkpointBy(long millis) {
    return checkpoints.stream().filter(known -> known.timeMillis() <= millis).findFirst();
  }

  /**
   * Returns the log from a position of the line to its end.
   *
   * @return the pieces in order, each to be read from the end of the one before; empty if some of
   *     it is not in the store
   */
  public Optional<List<Piece>> logAfter(Position position) {
    return log(position, Long.MAX_VALUE, Long.MAX_VALUE, 0);
  }

  /**
   * Returns the log from a position of the line to at least a later sequence number; otherwise the
   * same.
   */
  public Optional<List<Piece>> logAfter(Position position, long to) {
    return log(position, to, Long.MAX_VALUE, 0);
  }

  /**
   * Returns the log from a position of the line to at least its first update later than a moment;
   * otherwise the same. Missing later updates do not matter.
   *
   * @param millis the moment; {@link Long#MAX_VALUE} for whatever there is
   * @param storedFirst true if updates are acknowledged only once the store has them; then updates
   *     that it has only in a checkpoint after the moment, as a {@link Gap} says, had not been
   *     acknowledged at that moment, and do not matter either. Otherwise they may have been
   *     acknowledged by then, also those of a gap at the end of the line, whose checkpoint was
   *     never stored or is lost
   */
  public Optional<List<Piece>> logUntil(Position position, long millis, boolean storedFirst) {
    long bridged =
        checkpoints.stream()
            .filter(next -> storedFirst && next.timeMillis() > millis)
            .mapToLong(next -> next.position().sequence())
            .max()
            .orElse(0);
    long had = checkpointBy(millis).map(by -> by.position().sequence()).orElse(0L);
    return log(position, Long.MAX_VALUE, millis, bridged)
        .filter(log -> millis == Long.MAX_VALUE || reaches(log, position, had))
        .filter(
            log -> storedFirst || millis == Long.MAX_VALUE || !endsInGap(position, log, millis));
  }

  /** Returns whether a log has everything up to a sequence number. */
  private static boolean reaches(List<Piece> log, Position position, long sequence) {
    return (log.isEmpty() ? position.sequence() : log.getLast().to) >= sequence;
  }

  /** Returns whether the store is known to lack what follows a log, up to a moment. */
  private boolean endsInGap(Position position, List<Piece> log, long millis) {
    boolean later = !log.isEmpty() && endsAfter(log.getLast(), millis);
    return !later && isInGap(log.isEmpty() ? position.sequence() : log.getLast().to);
  }

  /**
   * Returns the log from a position of the line to its end, or to the first update that the store
   * has only in a later checkpoint, as a {@link Gap} says; otherwise the same.
   */
  public Optional<List<Piece>> logToGap(Position position) {
    return log(position, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /**
   * The log from a position of the line on, as far as the store has it.
   *
   * @param pieces the pieces in order, each to be read from the end of the one before
   * @param lost true if updates follow that the store should have, and lacks
   */
  public record Reach(List<Piece> pieces, boolean lost) {}

  /**
   * Returns the log from a position of the line to its end, or to the first update that is lacking.
   */
  public Reach reachAfter(Position position) {
    Found found = find(position, Long.MAX_VALUE, Long.MAX_VALUE);
    return new Reach(
        found.pieces, found.hole.stream().anyMatch(at -> !isInGap(at) || isBridgeLost(at)));
  }

  /**
   * @param bridged gaps before this sequence number that the store records as gaps end the log;
   *     others make it useless
   */
  private Optional<List<Piece>> log(Position position, long to, long millis, long bridged) {
    Found found = find(position, to, millis);
    boolean recovers = bridged == Long.MAX_VALUE;
    boolean usable =
        found.hole.stream()
            .allMatch(at -> at < bridged && isInGap(at) && (recovers || !isBridgeLost(at)));
    return usable ? Optional.of(found.pieces) : Optional.empty();
  }

  /**
   * Part of the log.
   *
   * @param hole the sequence number after which an update is lacking, if one is
   */
  private record Found(List<Piece> pieces, OptionalLong hole) {}

  private Found find(Position position, long to, long millis) {
    List<Piece> log = new ArrayList<>();
    long at = position.sequence();
    long end = Math.min(to, end().sequence());
    int next = 0;
    Piece furthest = null;
    while (at < end && !(furthest != null && endsAfter(furthest, millis))) {
      for (; next < pieces.size() && pieces.get(next).after <= at; next++) {
        Piece piece = pieces.get(next);
        furthest = furthest == null || piece.to > furthest.to ? piece : furthest;
      }
      if (furthest == null || furthest.to <= at) {
        return new Found(log, OptionalLong.of(at));
      }
      log.add(new Piece(furthest.log, at, furthest.to));
      at = furthest.to;
    }
    return new Found(log, OptionalLong.empty());
  }

  /**
   * Returns whether the update after a sequence number is in a recorded gap. A gap may have objects
   * at its beginning: some that the store took, and failed to say so.
   */
  private boolean isInGap(long at) {
    return gaps.stream().anyMatch(gap -> gap.has(at));
  }

  /**
   * Returns whether the checkpoint is lost that had the updates of a gap. A primary notes the gap,
   * stores the checkpoint at its end, and goes on. If that fails, it notes a longer gap.
   */
  private boolean isBridgeLost(long at) {
    Optional<Lacking> longest =
        gaps.stream().filter(gap -> gap.has(at)).max(Comparator.comparingLong(Lacking::to));
    return longest.filter(Lacking::whole).stream()
        .mapToLong(Lacking::to)
        .anyMatch(
            end ->
                checkpoints.stream().noneMatch(known -> known.position().sequence() == end)
                    && (checkpoints.stream().anyMatch(known -> known.position().sequence() > end)
                        || pieces.stream().anyMatch(piece -> piece.to > end)));
  }

  /** Returns whether a piece ends after a moment. Times never go back along the line. */
  private static boolean endsAfter(Piece piece, long millis) {
    return piece.to == piece.log.last().sequence() && piece.log.lastMillis() > millis;
  }

  /** Returns the epochs of the line, in order. */
  List<EpochStart> epochs() {
    return shares.keySet().stream().map(epochs::get).toList();
  }

  /** Returns the log objects of the line, by where they begin. */
  List<Piece> pieces() {
    return pieces;
  }
}
