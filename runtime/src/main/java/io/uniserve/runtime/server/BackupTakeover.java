package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.runtime.store.BackupPlace;
import io.uniserve.runtime.store.History;
import io.uniserve.runtime.store.HistoryItem.Reign;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
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
  StoredReach catchUp(long epoch) throws IOException {
    History history = before(epoch);
    Position held = replica.position();
    if (!history.isEmpty() && !history.isAllHeldAt(held)) {
      boolean goesOn = history.contains(held) && history.logAfter(held).isPresent();
      // An epoch that the store never heard of goes on alone; this needs a store that did not
      // answer.
      boolean ahead = !goesOn && held.compareTo(history.end()) > 0;
      if (!goesOn && !ahead) {
        LOG.warn(
            "{} goes back to what the durable store has: {} is not part of it",
            replica.target(),
            held);
        stored.restore(history);
      }
      if (!ahead) {
        stored.apply(() -> before(epoch));
      }
    }
    return open(epoch, history, replica.position());
  }

  /**
   * Takes the history over for a primary that had to lead without it.
   *
   * @param from where it began to lead
   */
  StoredReach late(long epoch, Position from) {
    return open(epoch, before(epoch), from);
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

  private StoredReach open(long epoch, History history, Position from) {
    boolean begins = history.isEmpty() && from.equals(Position.START);
    boolean continues = begins || history.isAllHeldAt(from) || history.contains(from);
    Position after =
        continues && !begins && history.end().sequence() < from.sequence() ? history.end() : from;
    server
        .backups()
        .catalog()
        .define(place().cluster(), place().actor().table(), replica.target().definition());
    long nowMillis = server.environment().clock().now().toEpochMilli();
    server.backups().open(place(), new Reign(epoch, after, continues, nowMillis));
    boolean logged =
        continues
            && history.checkpoints().stream().noneMatch(known -> known.position().equals(after));
    return new StoredReach(epoch, after, continues, logged && after.sequence() > 0 ? 1 : 0);
  }

  private BackupPlace place() {
    return replica.target().place();
  }
}
