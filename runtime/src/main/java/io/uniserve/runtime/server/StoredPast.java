package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.runtime.store.ActorBackups;
import io.uniserve.runtime.store.BackupPlace;
import io.uniserve.runtime.store.History;
import io.uniserve.runtime.store.History.Piece;
import io.uniserve.runtime.store.HistoryItem.Checkpoint;
import io.uniserve.runtime.wire.Hash;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.LogEntryCodec;
import io.uniserve.runtime.wire.Position;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What the durable store has of an actor as of a moment.
 *
 * @param backups the store
 * @param codec of the actor's log
 * @param place of the actor
 * @param history of the actor
 * @param millis the moment, in milliseconds since 1970
 * @param storedFirst whether updates were acknowledged only once the store had them
 */
record StoredPast(
    ActorBackups backups,
    LogEntryCodec codec,
    BackupPlace place,
    History history,
    long millis,
    boolean storedFirst) {

  /** The checkpoint that a restore begins with; none if it begins with an empty actor. */
  Optional<Checkpoint> base() {
    return base(checkpoint -> true);
  }

  /** The newest checkpoint of some that a restore can begin with; otherwise the same. */
  Optional<Checkpoint> base(Predicate<Checkpoint> some) {
    Optional<Checkpoint> checkpoint =
        history.checkpoints().stream()
            .filter(known -> known.timeMillis() <= millis)
            .filter(some)
            .findFirst();
    if (checkpoint.isEmpty() && !history.beginsEmpty() && !history.isEmpty()) {
      throw notSoFarBack(place, millis);
    }
    return checkpoint;
  }

  /** The log from a position to its first update after the moment at least. */
  List<Piece> logAfter(Position base) {
    return history
        .logUntil(base, millis, storedFirst)
        .orElseThrow(() -> notSoFarBack(place, millis));
  }

  /** What the runtime keeps beside a checkpoint. */
  CheckpointMeta meta(Checkpoint checkpoint) {
    return CheckpointMeta.decode(backups.file(place, checkpoint, CheckpointMeta.FILE));
  }

  /** The names of the idempotency keys in a checkpoint. */
  Set<Hash> keys(Checkpoint checkpoint) {
    Set<Hash> names = new LinkedHashSet<>();
    backups.files(place, checkpoint).stream()
        .filter(name -> name.startsWith(StoredKeys.DIRECTORY + "/"))
        .forEach(name -> names.addAll(KeyRun.names(backups.file(place, checkpoint, name))));
    return names;
  }

  /** The entries of a log object. */
  Iterable<ByteBuffer> read(Piece piece) {
    return backups.read(place, piece.log());
  }

  /** The log from a position on. */
  List<LogEntry> entriesAfter(Position base) {
    List<LogEntry> entries = new ArrayList<>();
    long last = base.sequence();
    for (Piece piece : logAfter(base)) {
      for (ByteBuffer bytes : read(piece)) {
        LogEntry entry = codec.decode(bytes);
        long sequence = entry.position().sequence();
        if (sequence > last && sequence <= piece.to()) {
          entries.add(entry);
          last = sequence;
        }
      }
    }
    return entries;
  }

  static UniserveException notSoFarBack(BackupPlace place, long millis) {
    return new UniserveException(
        ErrorCode.NOT_FOUND,
        "the durable store does not have all of "
            + place
            + " as of "
            + Instant.ofEpochMilli(millis));
  }
}
