package io.uniserve.runtime.client.context;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;

/**
 * A failure: an actor was split or merged since a request was planned, so it must be planned again.
 */
public final class ReshapedException extends UniserveException {
  private static final long serialVersionUID = 1L;

  private ReshapedException(TableState table, int actor) {
    super(
        ErrorCode.STALE_ROUTING,
        "actor " + actor + " of table '" + table.definition().name() + "' was split or merged");
  }

  /**
   * Checks that an actor has the keys with which a request was planned.
   *
   * @param planned its table then
   * @throws ReshapedException if it has others; nothing if the table was dropped
   */
  public static void require(ClusterState now, TableState planned, ActorId actor) {
    TableState table = now.tables().get(planned.id());
    if (table != null
        && table.definition().partitioner() != planned.definition().partitioner()
        && table.definition().partitioner().generation(actor.number())
            != planned.definition().partitioner().generation(actor.number())) {
      throw new ReshapedException(planned, actor.number());
    }
  }
}
