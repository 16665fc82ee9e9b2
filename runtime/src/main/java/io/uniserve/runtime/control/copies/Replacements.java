package io.uniserve.runtime.control.copies;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.wire.ControlMessage.Heartbeat;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The tables that have taken the place of lost ones. Copies of the lost table may still answer
 * where that is not known yet. So no copy of the new one gets ready before all living servers have
 * heard of it, or have no lease that began before. Only for the deciding thread.
 */
public final class Replacements {
  private final Clock clock;
  private final Duration noticedWithin;

  /** The newest version that each server has acted on. */
  private final Map<String, Long> applied = new TreeMap<>();

  /** The times since which this coordinator knows of tables whose copies want to be ready. */
  private final Map<Long, Long> knownNanos = new TreeMap<>();

  private ClusterState looked;
  private long newest;

  /**
   * @param noticedWithin a time in which every lease ends that is not renewed
   */
  public Replacements(Clock clock, Duration noticedWithin) {
    this.clock = clock;
    this.noticedWithin = noticedWithin;
  }

  /**
   * Notes which cluster state a server has acted on.
   *
   * @return true if it may have a lease: it has heard of the newest replacement
   */
  public boolean heard(ClusterState state, Heartbeat beat) {
    applied.put(beat.server(), beat.applied());
    return beat.applied() >= newest(state);
  }

  private long newest(ClusterState state) {
    if (state != looked) {
      looked = state;
      newest =
          state.tables().values().stream()
              .filter(table -> table.recovery().isPresent())
              .mapToLong(TableState::id) // which is the version since which it exists
              .max()
              .orElse(0);
    }
    return newest;
  }

  /**
   * Requires that a copy of an actor may get ready.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} while copies of the table that its
   *     table has taken the place of may answer
   */
  public void requireAlone(ClusterState state, ActorId actor) {
    TableState table = state.tables().get(actor.table());
    if (table == null || table.recovery().isEmpty()) {
      return;
    }
    long now = clock.nanos();
    knownNanos.keySet().retainAll(state.tables().keySet());
    long known = knownNanos.computeIfAbsent(table.id(), first -> now);
    boolean heard =
        state.servers().values().stream()
            .filter(server -> server.alive())
            .allMatch(server -> applied.getOrDefault(server.name(), 0L) >= table.id());
    if (!heard && now - known <= noticedWithin.toNanos()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "table '"
              + table.definition().name()
              + "' takes the place of one of which some server may still answer");
    }
  }
}
