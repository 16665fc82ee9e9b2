package io.uniserve.runtime.server.backup;

import io.uniserve.api.Durability;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.base.StoreOwner;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.restore.StoredData;
import io.uniserve.runtime.store.backup.BackupPlace;
import io.uniserve.runtime.store.backup.History;
import io.uniserve.runtime.store.backup.HistoryItem.EpochStart;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The takeover of an actor's stored history by a new primary. The store may have updates that the
 * former primary acknowledged and no copy has received, so the new primary first applies them. Then
 * it records the position from which it continues, which voids whatever the former primary may
 * still be writing.
 */
final class BackupTakeover {
  private static final Logger LOG = LoggerFactory.getLogger(BackupTakeover.class);

  private final ServerContext server;
  private final Replica replica;
  private final StoredData stored;

  /** The record that this replica wrote last; null if it wrote none. */
  private volatile EpochStart opened;

  BackupTakeover(ServerContext server, Replica replica, StoredData stored) {
    this.server = server;
    this.replica = replica;
    this.stored = stored;
  }

  /**
   * Catches up with the store and takes its history over, before the replica leads.
   *
   * @throws EpochTakenException if the store has this epoch of another primary, or a later one
   */
  StoredReach catchUp(long epoch, Partitioner partitioner) throws IOException {
    begin(epoch);
    History history = listedBefore(epoch);
    if (!history.lostEpochs().isEmpty()) {
      requireEverything(epoch);
      return openAnew(epoch, history, replica.position(), partitioner);
    }
    Position held = replica.position();
    History line = history.based();
    if (!line.isEmpty() && !line.isAllHeldAt(held)) {
      boolean goesOn = line.contains(held) && line.logAfter(held).isPresent();
      // A position beyond the store's end is one of an epoch that the store never recorded, since
      // it did not answer then: this replica continues from there alone.
      boolean ahead = !goesOn && held.compareTo(line.end()) > 0;
      if (!goesOn && !ahead) {
        LOG.warn(
            "{} goes back to the durable store's data, of which position {} is no part",
            replica.target(),
            held);
        stored.replace(() -> before(epoch).based(storedFirst()));
      } else if (goesOn) {
        stored.apply(() -> before(epoch).based(storedFirst()));
      }
    }
    return open(epoch, history, replica.position(), partitioner);
  }

  /**
   * Takes the history over for a primary that had to begin to lead without the store.
   *
   * @param from the position where it began to lead
   * @throws EpochTakenException if the store has this epoch of another primary, or a later one
   */
  StoredReach late(long epoch, Position from, Partitioner partitioner) {
    begin(epoch);
    History history = listedBefore(epoch);
    return history.lostEpochs().isEmpty()
        ? open(epoch, history, from, partitioner)
        : openAnew(epoch, history, from, partitioner);
  }

  /**
   * Makes the history usable again, while this replica leads, if records of epochs are lost. The
   * record of its own epoch is written again. Without an older one, the history begins anew.
   *
   * @param reach the reach of the store
   * @return false if no record is lost
   */
  boolean mend(StoredReach reach) {
    List<Long> lost = server.backups().listed(place()).lostEpochs();
    if (lost.isEmpty()) {
      return false;
    }
    server.owner().require();
    Optional<EpochStart> own =
        Optional.ofNullable(opened)
            .filter(record -> record.writer() == reach.epoch())
            .filter(record -> lost.equals(List.of(record.writer())));
    LOG.error(
        "{}: the durable store lost where the primaries of epochs {} continued from; {}",
        replica.target(),
        lost,
        own.isPresent() ? "that is written again" : "the history begins anew");
    EpochStart anew = new EpochStart(reach.epoch(), reach.end(), false, nowMillis());
    server.backups().open(place(), own.orElse(anew));
    return true;
  }

  /**
   * Brings this replica up to the newest position that an object in the store names, as far as that
   * can be done without records of epochs.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#CORRUPT} if it still lacks something
   */
  private void requireEverything(long epoch) throws IOException {
    Position held = replica.position();
    stored.apply(() -> listedBefore(epoch).inEpochOf(held));
    History history = listedBefore(epoch);
    if (!history.namesNothingAfter(replica.position())) {
      throw history.lost();
    }
  }

  private StoredReach openAnew(
      long epoch, History history, Position from, Partitioner partitioner) {
    LOG.error(
        "{}: {}; the history begins anew at {}, where this copy has everything",
        replica.target(),
        history.lost().getMessage(),
        from);
    return open(epoch, new History(List.of()), from, partitioner);
  }

  private void begin(long epoch) {
    StoreOwner owner = server.owner();
    owner.require();
    Optional<String> other = server.backups().begin(place(), epoch, owner.life(), owner::confirm);
    if (other.isPresent()) {
      requireAllHeld(epoch, other.get());
    }
  }

  /**
   * Requires that this replica has everything stored in this epoch. An earlier life of this server
   * may have used the epoch and ended before it reported that it leads; what that life stored, this
   * replica has. What another server stored in the epoch, it lacks.
   */
  private void requireAllHeld(long epoch, String other) {
    History all = server.backups().listed(place());
    if (!all.isEmpty() && all.newestEpoch() == epoch && !all.isAllHeldAt(replica.position())) {
      throw new EpochTakenException(
          epoch,
          "epoch "
              + epoch
              + " of "
              + replica.target()
              + " was begun by "
              + other
              + ", and is not that of "
              + server.owner().life());
    }
  }

  private History before(long epoch) {
    History history = listedBefore(epoch);
    if (!history.lostEpochs().isEmpty()) {
      throw history.lost();
    }
    return history;
  }

  private boolean storedFirst() {
    return replica.target().definition().durability() == Durability.SYNCHRONOUS;
  }

  private History listedBefore(long epoch) {
    History history = server.backups().listed(place());
    if (history.newestWriter() > epoch) {
      throw new EpochTakenException(
          epoch, replica.target() + " was taken over in epoch " + history.newestWriter());
    }
    return history.before(epoch);
  }

  private long nowMillis() {
    return server.environment().clock().now().toEpochMilli();
  }

  private StoredReach open(long epoch, History history, Position from, Partitioner partitioner) {
    boolean begins = history.isEmpty() && from.equals(Position.START);
    // Without the origin of a restored table, the store has no history to continue.
    boolean goesOn = !history.isEmpty() && (history.isAllHeldAt(from) || history.contains(from));
    boolean continues = begins || goesOn;
    Position after =
        continues && !begins && history.end().sequence() < from.sequence() ? history.end() : from;
    server
        .backups()
        .catalog()
        .define(place().cluster(), place().actor().table(), replica.target().definition());
    if (partitioner instanceof Partitioner.Refined refined) {
      server.backups().catalog().reshape(place().cluster(), place().actor().table(), refined);
    }
    EpochStart record = new EpochStart(epoch, after, continues, nowMillis());
    server.backups().open(place(), record);
    opened = record;
    boolean logged =
        continues
            && history.checkpoints().stream().noneMatch(known -> known.position().equals(after));
    boolean based = begins || goesOn && history.hasBase();
    return new StoredReach(epoch, after, based, logged && after.sequence() > 0 ? 1 : 0);
  }

  private BackupPlace place() {
    return replica.target().place();
  }
}
