package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.Partitioner;
import io.uniserve.api.UniserveException;
import io.uniserve.runtime.store.BackupPlace;
import io.uniserve.runtime.store.History;
import io.uniserve.runtime.store.HistoryItem.Reign;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a new primary takes over the history that the durable store has. What the store has may have
 * been acknowledged, by a primary that no copy has followed so far: so the new one first applies
 * it. Then it says from which position it goes on, which makes void whatever the former primary may
 * still be writing.
 */
final class BackupTakeover {
  private static final Logger LOG = LoggerFactory.getLogger(BackupTakeover.class);

  private final ServerContext server;
  private final Replica replica;
  private final StoredData stored;

  BackupTakeover(ServerContext server, Replica replica, StoredData stored) {
    this.server = server;
    this.replica = replica;
    this.stored = stored;
  }

  /** Catches up with the store, and takes its history over, before the replica leads. */
  StoredReach catchUp(long epoch, Partitioner partitioner) throws IOException {
    begin(epoch);
    History history = before(epoch);
    Position held = replica.position();
    History line = history.based();
    if (!line.isEmpty() && !line.isAllHeldAt(held)) {
      boolean goesOn = line.contains(held) && line.logAfter(held).isPresent();
      // An epoch that the store never heard of goes on alone; this needs a store that did not
      // answer.
      boolean ahead = !goesOn && held.compareTo(line.end()) > 0;
      if (!goesOn && !ahead) {
        LOG.warn(
            "{} goes back to what the durable store has: {} is not part of it",
            replica.target(),
            held);
        stored.restore(line);
      }
      if (!ahead) {
        stored.apply(() -> before(epoch).based());
      }
    }
    return open(epoch, history, replica.position(), partitioner);
  }

  /**
   * Takes the history over for a primary that had to lead without it.
   *
   * @param from where it began to lead
   */
  StoredReach late(long epoch, Position from, Partitioner partitioner) {
    begin(epoch);
    return open(epoch, before(epoch), from, partitioner);
  }

  private void begin(long epoch) {
    server.owner().require();
    Optional<String> other = server.backups().begin(place(), epoch, server.owner().life());
    if (other.isPresent()) {
      requireAllHeld(epoch, other.get());
    }
  }

  /**
   * A life of a server that ended before it told that it leads may leave its epoch to the next,
   * which has what it stored; what somebody else stored in this epoch, this replica lacks.
   */
  private void requireAllHeld(long epoch, String other) {
    History all = server.backups().history(place());
    if (!all.isEmpty() && all.newestReign() == epoch && !all.isAllHeldAt(replica.position())) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING,
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
    History history = server.backups().history(place());
    if (history.newestReign() > epoch) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING,
          replica.target() + " was taken over in epoch " + history.newestReign());
    }
    return history.before(epoch);
  }

  private StoredReach open(long epoch, History history, Position from, Partitioner partitioner) {
    boolean begins = history.isEmpty() && from.equals(Position.START);
    // The store has nothing of what a restored table begins with: that is no continuation.
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
    long nowMillis = server.environment().clock().now().toEpochMilli();
    server.backups().open(place(), new Reign(epoch, after, continues, nowMillis));
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
