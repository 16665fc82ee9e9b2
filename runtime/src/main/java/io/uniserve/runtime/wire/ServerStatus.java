package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import io.uniserve.api.codec.Since;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.form.Name;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The status of a server. Counters run since its process started.
 *
 * @param server its name
 * @param incarnation the number of its life
 * @param uptime the time since it started
 * @param operatorsRunning operators on its worker threads now
 * @param operatorsWaiting operators that wait for a worker thread
 * @param queryData the data that queries have materialised on it
 * @param scans the scans that read from it
 * @param storeRefusal the reason why it writes nothing to the durable store, if another cluster of
 *     the same name does
 * @param actors the copies that it holds
 */
@Name("ServerStatus")
public record ServerStatus(
    String server,
    long incarnation,
    Duration uptime,
    int operatorsRunning,
    int operatorsWaiting,
    QueryData queryData,
    Scans scans,
    Optional<String> storeRefusal,
    List<ActorStatus> actors)
    implements Message {

  /**
   * The data that queries have materialised on a server.
   *
   * @param runs plans that are open here
   * @param datasets outputs of maps and gathers
   * @param bytes memory that these and scattered chunks take
   */
  public record QueryData(int runs, int datasets, long bytes) {
    /** The value if there is no such data. */
    public static final QueryData NONE = new QueryData(0, 0, 0);
  }

  /**
   * The scans that read from a server.
   *
   * @param slots the number of its slots
   * @param granted slots that are offered or read with
   * @param waiting requests that wait for a slot
   * @param versions versions of actors that are kept for scans
   */
  public record Scans(int slots, int granted, int waiting, int versions) {
    /** The value of a server without slots. */
    public static final Scans NONE = new Scans(0, 0, 0, 0);

    /** Returns whether nothing of any scan is left. */
    public boolean idle() {
      return granted + waiting + versions == 0;
    }
  }

  /**
   * One copy of an actor.
   *
   * @param actor the copy's
   * @param role {@code primary}, {@code follower}, {@code loading}, {@code failed} or {@code
   *     damaged}
   * @param position the position of the last update applied
   * @param backedUp position that the durable store has, if any; only the primary knows
   * @param backupLagEntries the number of updates of a primary that the durable store lacks
   * @param backupLag the time for which it has lacked any
   * @param usage the memory and disk that it occupies
   * @param operators the number of operators that have run
   * @param updates the number of updates that have been applied
   * @param cost summed cost of its operators: CPU microseconds unless its engine reports otherwise
   * @param trouble the failure that keeps it from its role, if there is one
   * @param shortUpdates the number of updates that it has taken as a primary past the order of
   *     their table, refused ones included
   */
  public record ActorStatus(
      ActorId actor,
      String role,
      Position position,
      Optional<Position> backedUp,
      long backupLagEntries,
      Duration backupLag,
      Usage usage,
      long operators,
      long updates,
      double cost,
      Optional<Trouble> trouble,
      @Since(2) long shortUpdates) {}

  /**
   * The last failure of a copy that keeps it from its assigned state, if nothing has succeeded
   * since.
   *
   * @param code the code of the failure
   * @param message the failure, with its cause
   * @param times the number of times that it has failed in a row
   */
  public record Trouble(ErrorCode code, String message, long times) {
    /** Returns whether it has failed repeatedly in a way that waiting does not mend. */
    public boolean lasting() {
      return times > 1 && !code.retryable() && code != ErrorCode.CANCELLED;
    }
  }
}
