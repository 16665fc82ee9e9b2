package io.uniserve.runtime.server.restore;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.keys.KeyRun;
import io.uniserve.runtime.server.keys.StoredKeys;
import io.uniserve.runtime.store.backup.ActorBackups;
import io.uniserve.runtime.store.backup.BackupPlace;
import io.uniserve.runtime.store.backup.History;
import io.uniserve.runtime.store.backup.History.Piece;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.LogEntryCodec;
import io.uniserve.runtime.wire.entry.Position;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The stored past of an actor, as of a moment.
 *
 * @param backups the store
 * @param codec the codec of the actor's log
 * @param place the place of the actor
 * @param history the history of the actor
 * @param again reads the history again, since log objects are merged while the actor is led
 * @param millis the moment, in milliseconds since 1970
 * @param storedFirst true if updates were acknowledged only once the store had them
 */
public record StoredPast(
    ActorBackups backups,
    LogEntryCodec codec,
    BackupPlace place,
    History history,
    Supplier<History> again,
    long millis,
    boolean storedFirst) {
  /**
   * The limit of readings of a history, which is read again if log objects were merged meanwhile.
   */
  private static final int READINGS_MAX = 5;

  /**
   * Reads what the store has of an actor: all of it, or the part that was there at a moment.
   *
   * @param millis the moment; {@link Long#MAX_VALUE} for all of it
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if updates up to the moment may be
   *     missing; with {@link ErrorCode#CORRUPT} if the store has lost what a history begins with
   */
  public static StoredPast read(
      ActorBackups backups,
      LogEntryCodec codec,
      BackupPlace place,
      long millis,
      boolean storedFirst) {
    Supplier<History> history = () -> history(backups.history(place), place, millis, storedFirst);
    return new StoredPast(backups, codec, place, history.get(), history, millis, storedFirst);
  }

  private static History history(History all, BackupPlace place, long millis, boolean storedFirst) {
    return millis == Long.MAX_VALUE
        ? all.based(storedFirst)
        : all.at(millis).orElseThrow(() -> notSoFarBack(place, millis));
  }

  /** Returns the checkpoint that a restore begins with; empty if it begins with an empty actor. */
  Optional<Checkpoint> base() {
    return base(checkpoint -> true);
  }

  /**
   * Returns the newest of the selected checkpoints; empty if a restore begins with an empty actor.
   */
  Optional<Checkpoint> base(Predicate<Checkpoint> some) {
    Optional<Checkpoint> checkpoint = checkpoint(some);
    if (checkpoint.isEmpty() && !mayBeginEmpty()) {
      throw new NoBaseException(lacksPart(place, millis));
    }
    return checkpoint;
  }

  private Optional<Checkpoint> checkpoint(Predicate<Checkpoint> some) {
    return history.checkpoints().stream()
        .filter(known -> known.timeMillis() <= millis)
        .filter(some)
        .findFirst();
  }

  private boolean mayBeginEmpty() {
    return history.beginsEmpty() || history.isEmpty();
  }

  /**
   * Returns the past that begins with one of the selected checkpoints, or empty: this one, or an
   * older one that a later primary did not continue. Returns this one if there is no such past.
   */
  StoredPast reachingBackTo(Predicate<Checkpoint> some) {
    if (mayBeginEmpty() || checkpoint(some).isPresent()) {
      return this;
    }
    return history.older().map(older -> of(older).reachingBackTo(some)).orElse(this);
  }

  /**
   * Returns the checkpoint with which an actor was made at a time, of others; empty if the store
   * does not have it any more. A later primary may not have continued from it.
   */
  Optional<Checkpoint> madeAt(long time) {
    Optional<History> line = Optional.of(history);
    while (line.isPresent()) {
      List<Checkpoint> checkpoints = line.get().checkpoints();
      if (!checkpoints.isEmpty() && checkpoints.getLast().timeMillis() == time) {
        return Optional.of(checkpoints.getLast());
      }
      line = line.get().older();
    }
    return Optional.empty();
  }

  /**
   * Returns whether an actor that was split off another began with something of it that a restore
   * lacks.
   *
   * @param split made this actor
   * @param cuts the last positions that are restored, by actor
   */
  boolean hasMoreOf(PartitionChange.Cut split, List<Cut> cuts) {
    long restored = cuts.get(split.actor()).last().sequence();
    return madeAt(split.timeMillis())
        .filter(made -> made.position().sequence() > restored)
        .isPresent();
  }

  /** Returns the past that a position belongs to, which a later primary may not have continued. */
  StoredPast around(Position position) {
    History line = history.around(position);
    return line == history ? this : of(line);
  }

  private StoredPast of(History line) {
    long newest = line.newestEpoch();
    return new StoredPast(
        backups, codec, place, line, () -> again.get().before(newest + 1), millis, storedFirst);
  }

  /** Returns the log from a position to at least its first update after the moment. */
  List<Piece> logAfter(Position base) {
    return log(known -> known.logUntil(base, millis, storedFirst));
  }

  private List<Piece> log(Function<History, Optional<List<Piece>>> reader) {
    Optional<List<Piece>> log = reader.apply(history);
    for (int reading = 1; log.isEmpty() && reading < READINGS_MAX; reading++) {
      // A listing may lack both the objects that were merged and the object that they were merged
      // into.
      log = reader.apply(again.get());
    }
    return log.orElseThrow(() -> notSoFarBack(place, millis));
  }

  /**
   * Returns the first checkpoint with what follows a log that ends before the moment, if the store
   * has that only there; empty if it has nothing that follows.
   *
   * @param last the last position of the log
   */
  Optional<Checkpoint> bridge(Position last) {
    return history.checkpoints().reversed().stream()
        .filter(known -> known.position().sequence() > last.sequence())
        .findFirst();
  }

  /** Returns the runtime's own data beside a checkpoint. */
  CheckpointMeta meta(Checkpoint checkpoint) {
    return CheckpointMeta.decode(backups.file(place, checkpoint, CheckpointMeta.FILE));
  }

  /** Returns the names of the idempotency keys in a checkpoint. */
  Set<Hash> keys(Checkpoint checkpoint) {
    Set<Hash> names = new LinkedHashSet<>();
    backups.files(place, checkpoint).stream()
        .filter(name -> name.startsWith(StoredKeys.DIRECTORY + "/"))
        .forEach(name -> names.addAll(KeyRun.names(backups.file(place, checkpoint, name))));
    return names;
  }

  /** Returns the entries of a piece of the log, with others before and after them. */
  List<ByteBuffer> read(Piece piece) {
    return ifThere(List.of(piece)).or(() -> merged(piece)).orElseThrow(this::changing);
  }

  /** Returns the same entries from the object that the piece's object was merged into. */
  private Optional<List<ByteBuffer>> merged(Piece piece) {
    Optional<List<ByteBuffer>> entries = Optional.empty();
    for (int reading = 1; entries.isEmpty() && reading < READINGS_MAX; reading++) {
      History now = again.get();
      if (now.newestEpoch() != history.newestEpoch()) {
        return Optional.empty();
      }
      entries =
          now.logAfter(new Position(0, piece.after()), piece.to())
              .filter(pieces -> !pieces.isEmpty())
              .flatMap(this::ifThere);
    }
    return entries;
  }

  private Optional<List<ByteBuffer>> ifThere(List<Piece> pieces) {
    try {
      List<ByteBuffer> entries = new ArrayList<>();
      pieces.forEach(piece -> entries.addAll(backups.read(place, piece.log())));
      return Optional.of(entries);
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.NOT_FOUND) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private UniserveException changing() {
    return new UniserveException(
        ErrorCode.UNAVAILABLE,
        "the durable store's data of " + place + " changed while it was read");
  }

  /** Returns the log's entries after a position. */
  List<LogEntry> entriesAfter(Position base) {
    return entries(base, logAfter(base));
  }

  /**
   * Returns the log's entries after a position, up to the first that the store has only in a later
   * checkpoint. While the store did not answer, a primary of an asynchronous table went on without
   * it.
   */
  List<LogEntry> entriesToGap(Position base) {
    return entries(base, log(known -> known.logToGap(base)));
  }

  /**
   * The part of a log that belongs to the order of the table.
   *
   * @param entries the entries that have places in the order, or tell which keys the actor keeps
   * @param told the newest number that any entry tells of; also one without a place may do so
   * @param complete true if it goes as far as it was asked for
   */
  record Placed(List<LogEntry> entries, long told, boolean complete) {}

  /**
   * Returns what a log has of the order of the table after a position, up to the first entry of a
   * kind, or to the first that the store is known never to have had.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if the store has lost what follows
   */
  Placed placedAfter(Position base, Predicate<LogEntry> last) {
    Optional<Placed> found = placedAfter(history, base, last);
    for (int reading = 1; found.isEmpty() && reading < READINGS_MAX; reading++) {
      // A listing may lack both the objects that were merged and the object that they were merged
      // into.
      found = placedAfter(again.get(), base, last);
    }
    return found.orElseThrow(() -> notSoFarBack(place, millis));
  }

  private Optional<Placed> placedAfter(History line, Position base, Predicate<LogEntry> last) {
    History.Reach reach = line.reachAfter(base);
    Placed placed = placed(reach.pieces(), base, last);
    return !placed.complete() && reach.lost() ? Optional.empty() : Optional.of(placed);
  }

  /**
   * Returns what the store has of the order of the table in the actor's log, as far as that goes.
   *
   * @param before selects checkpoints; the log is read from the newest of them, or from its
   *     beginning
   */
  Stream<LogEntry> placed(Predicate<Checkpoint> before) {
    List<Checkpoint> all = history.checkpoints();
    Position first =
        history.beginsEmpty() || all.isEmpty() ? Position.START : all.getLast().position();
    Position from = all.stream().filter(before).findFirst().map(Checkpoint::position).orElse(first);
    return placed(history.reachAfter(from).pieces(), from, entry -> false).entries().stream();
  }

  /**
   * Returns the time of the last transaction that was committed up to a position; 0 if the store
   * does not tell. A checkpoint has the time of its last entry, which may be another.
   */
  long lastCommitMillis(Position last) {
    List<Position> bases = new ArrayList<>();
    history.checkpoints().stream()
        .map(Checkpoint::position)
        .filter(known -> known.sequence() <= last.sequence())
        .forEach(bases::add);
    if (history.beginsEmpty()) {
      bases.add(Position.START);
    }
    return bases.stream()
        .map(base -> lastCommitMillis(base, last))
        .filter(millis -> millis > 0)
        .findFirst()
        .orElse(0L);
  }

  private long lastCommitMillis(Position base, Position last) {
    return entries(base, history.reachAfter(base).pieces()).stream()
        .filter(LogEntry.Commit.class::isInstance)
        .filter(entry -> entry.position().sequence() <= last.sequence())
        .mapToLong(LogEntry::timeMillis)
        .max()
        .orElse(0);
  }

  private Placed placed(List<Piece> pieces, Position base, Predicate<LogEntry> last) {
    List<LogEntry> entries = new ArrayList<>();
    long told = 0;
    Position read = base;
    for (Piece piece : pieces) {
      List<LogEntry> found = new ArrayList<>();
      add(found, read, piece, read(piece));
      for (LogEntry entry : found) {
        read = entry.position();
        if (entry instanceof LogEntry.Retain || OrderCut.place(entry).isPresent()) {
          entries.add(entry);
        }
        told = Math.max(told, OrderCut.number(entry));
        if (last.test(entry)) {
          return new Placed(entries, told, true);
        }
      }
    }
    return new Placed(entries, told, false);
  }

  private List<LogEntry> entries(Position base, List<Piece> log) {
    List<LogEntry> entries = new ArrayList<>();
    backups.inOrder(
        log,
        piece -> ifThere(List.of(piece)),
        (piece, found) -> add(entries, base, piece, found.orElseGet(() -> read(piece))));
    return entries;
  }

  private void add(List<LogEntry> entries, Position base, Piece piece, List<ByteBuffer> found) {
    for (ByteBuffer bytes : found) {
      LogEntry entry = codec.decode(bytes);
      Position last = entries.isEmpty() ? base : entries.getLast().position();
      long sequence = entry.position().sequence();
      if (sequence > last.sequence() && sequence <= piece.to()) {
        entries.add(entry);
      }
    }
  }

  private static UniserveException notSoFarBack(BackupPlace place, long millis) {
    return new UniserveException(ErrorCode.NOT_FOUND, lacksPart(place, millis));
  }

  private static String lacksPart(BackupPlace place, long millis) {
    String moment = millis == Long.MAX_VALUE ? "" : " as of " + Instant.ofEpochMilli(millis);
    return "the durable store lacks a part of " + place + moment;
  }
}
