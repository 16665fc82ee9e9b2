package io.uniserve.runtime.server.restore;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.CheckpointSums;
import io.uniserve.runtime.server.replica.OpenTransaction;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.store.backup.ActorBackups;
import io.uniserve.runtime.store.backup.BackupPlace;
import io.uniserve.runtime.store.backup.History;
import io.uniserve.runtime.store.backup.History.Piece;
import io.uniserve.runtime.store.backup.HistoryItem;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.LogEntryCodec;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loading of one replica from the durable store: a checkpoint, and the log after it. The
 * replica must not lead.
 */
public final class StoredData {
  private static final Logger LOG = LoggerFactory.getLogger(StoredData.class);

  /**
   * The limit of readings of a history, which is read again if log objects were merged meanwhile.
   */
  private static final int READINGS_MAX = 5;

  private final ActorBackups backups;
  private final Replica replica;
  private final LogEntryCodec codec;

  private interface Step {
    void run() throws IOException;
  }

  public StoredData(ServerContext server, Replica replica) {
    this.backups = server.backups();
    this.replica = replica;
    this.codec = server.engines().logEntries();
  }

  /**
   * Loads all that the store has of the actor, or of the origin of its table while the actor has no
   * checkpoint of its own. It continues from where an earlier attempt ended. Until the load is
   * complete, the replica holds nothing. Returns false if the store has nothing of the actor.
   */
  public boolean restore() throws IOException {
    History history = based();
    Optional<TableOrigin> origin = replica.target().origin();
    if (origin.isPresent() && !history.hasBase()) {
      load(origin.get());
      return true;
    }
    if (history.isEmpty()) {
      return false;
    }
    replica.beginLoading();
    if (!replica.partlyHeld() || !history.contains(replica.position())) {
      restore(history);
    }
    // A replica that leads without asking the store again must have this, too.
    apply(this::based);
    replica.endLoading();
    return true;
  }

  private History based() {
    boolean storedFirst = replica.target().definition().durability() == Durability.SYNCHRONOUS;
    return backups.history(place()).based(storedFirst);
  }

  /**
   * Restores the newest checkpoint that is not damaged, since the log continues from any.
   *
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if there is none
   */
  private void restore(History history) throws IOException {
    restore(place(), history, history.checkpoints(), UnaryOperator.identity());
  }

  /**
   * Replaces the replica's data by what the store has: the newest checkpoint from which on all of
   * the log can be read, and that log. Nothing is replaced before that is known, since the
   * replica's own data may be all that is left.
   *
   * @param history reads what the store has
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if there is no such checkpoint; the
   *     replica has what it had
   */
  public void replace(Supplier<History> history) throws IOException {
    History line = history.get();
    List<HistoryItem.Checkpoint> candidates =
        line.checkpoints().stream().filter(known -> isReadable(line, known.position())).toList();
    if (!installOne(place(), candidates, UnaryOperator.identity(), replica::beginLoading)) {
      if (!line.beginsEmpty() || !isReadable(line, Position.START)) {
        throw new UniserveException(
            ErrorCode.CORRUPT,
            "the durable store has no sound checkpoint of "
                + place()
                + " with all updates after it");
      }
      replica.beginLoading();
      createEmpty();
    }
    apply(history);
    replica.checkpoints().settle();
    replica.endLoading();
  }

  /** Returns whether the store has all updates after a position, undamaged. */
  private boolean isReadable(History line, Position position) {
    Optional<List<Piece>> log = line.logAfter(position);
    if (log.isEmpty()) {
      return false;
    }
    try {
      backups.inOrder(log.get(), piece -> backups.read(place(), piece.log()), (piece, bytes) -> {});
      return true;
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.CORRUPT && e.code() != ErrorCode.NOT_FOUND) {
        throw e;
      }
      LOG.error("updates of {} after {} are damaged or missing", place(), position, e);
      return false;
    }
  }

  private void restore(
      BackupPlace from,
      History history,
      List<HistoryItem.Checkpoint> candidates,
      UnaryOperator<Position> place)
      throws IOException {
    if (installOne(from, candidates, place, () -> {})) {
      return;
    }
    if (!history.beginsEmpty()) {
      throw new UniserveException(
          ErrorCode.CORRUPT, "the durable store has no sound checkpoint of " + from);
    }
    createEmpty();
  }

  private void createEmpty() throws IOException {
    replica.reset();
    replica.files().clear();
    replica.create(0); // the log records splits later
  }

  /** Installs the first checkpoint that is sound; returns false if none is. */
  private boolean installOne(
      BackupPlace from,
      List<HistoryItem.Checkpoint> candidates,
      UnaryOperator<Position> place,
      Step beforeReplacing)
      throws IOException {
    for (HistoryItem.Checkpoint candidate : candidates) {
      try {
        install(from, candidate, place, beforeReplacing);
        return true;
      } catch (UniserveException e) {
        if (e.code() != ErrorCode.CORRUPT && e.code() != ErrorCode.NOT_FOUND) {
          throw e;
        }
        LOG.error("{} of {} is damaged or missing; an older one is tried", candidate, from, e);
      }
    }
    return false;
  }

  private void install(
      BackupPlace from,
      HistoryItem.Checkpoint checkpoint,
      UnaryOperator<Position> place,
      Step beforeReplacing)
      throws IOException {
    Path begun = replica.files().begin();
    try {
      backups.restore(from, checkpoint, begun);
      Files.createDirectories(begun.resolve("engine"));
      CheckpointMeta meta = CheckpointMeta.read(begun);
      boolean own = place.apply(meta.position()).equals(meta.position());
      if (own) {
        beforeReplacing.run();
        replica.install(begun, replica.files()::adopt);
      } else {
        meta.inNewTable(place.apply(meta.position())).write(begun);
        CheckpointSums.write(begun); // the store's own checksums were compared
        replica.install(begun, replica.files()::replaceAll);
      }
      LOG.info("{} was restored from the durable store as of {}", replica.target(), checkpoint);
    } finally {
      replica.files().delete(begun);
    }
  }

  /**
   * Applies the log after the replica's position. If a part of it is missing or damaged, and a
   * later checkpoint is sound, the replica continues from that checkpoint.
   *
   * @param history reads what the store has
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if there is no such checkpoint
   */
  public void apply(Supplier<History> history) throws IOException {
    try {
      apply(place(), history, Long.MAX_VALUE, UnaryOperator.identity());
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.CORRUPT || !installLater(history.get())) {
        throw e;
      }
      apply(place(), history, Long.MAX_VALUE, UnaryOperator.identity());
    }
  }

  /**
   * Replaces the replica's data by a checkpoint of a later position. Returns false if no such
   * checkpoint is sound.
   */
  private boolean installLater(History history) throws IOException {
    Position held = replica.position();
    return installOne(
        place(),
        history.checkpoints().stream()
            .filter(known -> known.position().compareTo(held) > 0)
            .toList(),
        UnaryOperator.identity(),
        () -> {});
  }

  private void apply(
      BackupPlace from, Supplier<History> history, long until, UnaryOperator<LogEntry> place) {
    for (int reading = 1; ; reading++) {
      try {
        applyOnce(from, history.get(), until, place);
        return;
      } catch (UniserveException e) {
        if (e.code() != ErrorCode.NOT_FOUND) {
          throw e;
        }
        if (reading == READINGS_MAX) {
          throw new UniserveException(ErrorCode.CORRUPT, e.getMessage(), e);
        }
      }
    }
  }

  private void applyOnce(
      BackupPlace from, History history, long until, UnaryOperator<LogEntry> place) {
    Optional<List<Piece>> log = history.logAfter(replica.position(), until);
    if (log.isEmpty()) {
      throw new UniserveException(
          ErrorCode.CORRUPT,
          "the durable store lacks updates of " + from + " after " + replica.position());
    }
    backups.inOrder(
        log.get().stream().filter(piece -> piece.after() < until).toList(),
        piece -> backups.read(from, piece.log()),
        (piece, bytes) ->
            replica.applyStored(
                entries(bytes, Math.min(piece.to(), until)).stream().map(place).toList()));
  }

  /** Returns the entries that the replica does not have, up to a sequence number. */
  private List<LogEntry> entries(List<ByteBuffer> stored, long last) {
    List<LogEntry> entries = new ArrayList<>();
    for (ByteBuffer bytes : stored) {
      LogEntry entry = codec.decode(bytes);
      long sequence = entry.position().sequence();
      if (sequence > replica.position().sequence() && sequence <= last) {
        entries.add(entry);
      }
    }
    return entries;
  }

  /**
   * Loads the origin of the replica's table. It continues from where an earlier attempt ended.
   * Until the load is complete, the replica holds nothing. The actor is a new one: its positions
   * are before the first epoch, and its idempotency keys are those of the origin.
   */
  public void load(TableOrigin origin) throws IOException {
    replica.beginLoading();
    bring(origin);
    replica.endLoading();
  }

  private void bring(TableOrigin origin) throws IOException {
    int number = replica.target().id().number();
    BackupPlace from = new BackupPlace(origin.cluster(), new ActorId(origin.table(), number));
    TableOrigin.Cut end = origin.cut().get(number);
    if (end.last().equals(Position.START)) {
      create();
      return;
    }
    long cut = end.last().sequence();
    History history = backups.history(from).around(end.last());
    if (!replica.partlyHeld()) {
      List<HistoryItem.Checkpoint> candidates =
          history.checkpoints().stream()
              .filter(known -> known.position().sequence() <= cut)
              .toList();
      restore(from, history, candidates, StoredData::beforeFirstEpoch);
    }
    apply(
        from,
        () -> backups.history(from).around(end.last()),
        cut,
        entry -> entry.inNewTable(beforeFirstEpoch(entry.position())));
    if (end.commits()) {
      commit();
    }
    if (replica.generation() > replica.target().definition().partitioner().generation(number)) {
      throw new UniserveException(
          ErrorCode.CORRUPT,
          "the durable store does not have the keys with which "
              + from
              + " was split before that moment");
    }
    if (replica.position().sequence() < cut) {
      throw new UniserveException(
          ErrorCode.CORRUPT,
          "the durable store has " + from + " only up to " + replica.position() + ", not " + cut);
    }
  }

  /** Creates an empty actor, since the origin has nothing of it. */
  private void create() throws IOException {
    if (!replica.partlyHeld()) {
      replica.create(0);
    }
  }

  /** Commits the transaction that the origin's log has prepared. */
  private void commit() {
    replica
        .undecided()
        .map(OpenTransaction::prepared)
        .ifPresent(
            open -> {
              Position next = new Position(0, replica.position().sequence() + 1);
              replica.applyStored(
                  List.of(new LogEntry.Commit(next, open.timeMillis(), open.transaction(), 0)));
            });
  }

  private static Position beforeFirstEpoch(Position position) {
    return new Position(0, position.sequence());
  }

  private BackupPlace place() {
    return replica.target().place();
  }
}
