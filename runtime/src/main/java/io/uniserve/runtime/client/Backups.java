package io.uniserve.runtime.client;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.BackupMessage.LeftOut;
import io.uniserve.runtime.wire.BackupMessage.StoredTable;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** The durable store of a cluster: backups, restores, and the recovery of what is lost. */
public interface Backups {
  /**
   * Brings everything of a table into the durable store, and a checkpoint of every actor, so that a
   * restore of this moment is quick.
   *
   * @return the last position of each actor that the store now has
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if the table has durability
   *     {@code NONE}
   */
  SortedMap<ActorId, Position> backUp(String table, Duration timeout);

  /**
   * Recovers a table whose actors have lost their complete copies, accepting the loss, and waits
   * until every copy is readable. Lost actors of an eventual table are loaded from the durable
   * store. A table of another level is loaded as of one state of all its actors, and is another
   * table from then on, with the same name. An actor of which no data is left begins again, empty.
   *
   * @return the table
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if the table has lost nothing
   */
  TableState recover(String table, Duration timeout);

  /**
   * Returns the tables that the durable store knows, those of other clusters and dropped ones
   * included.
   */
  List<StoredTable> storedTables(Duration timeout);

  /**
   * Creates new tables from the durable store, and waits until all their copies can be read. The
   * idempotency keys of updates that they contain are known to them.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if the store does not have all that
   *     is requested; {@link ErrorCode#ALREADY_EXISTS} if a name is taken; {@link
   *     ErrorCode#UNAVAILABLE} if the store does not yet have all of an ordered table as of a
   *     moment
   */
  List<Restored> restore(Restore restore, Duration timeout);

  /**
   * A table that was restored.
   *
   * @param leftOut the first update that is left out of an ordered table because the store has it
   *     of some of its actors only
   */
  record Restored(TableState table, Optional<LeftOut> leftOut) {
    /** Returns the same with a newer state of the table. */
    public Restored with(TableState newer) {
      return new Restored(newer, leftOut);
    }
  }
}
