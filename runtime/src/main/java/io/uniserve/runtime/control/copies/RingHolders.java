package io.uniserve.runtime.control.copies;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.Ring;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The servers on which a ring wants the copies of each actor: the owner of its keys and the servers
 * after it (<i>Crescando/RB</i> §6.2). A server that is being emptied or is about to end is passed
 * over, so that the next one holds the copy. One that has failed is not, since it may come back;
 * meanwhile repairs put a copy on the next one that lives.
 */
public final class RingHolders {
  private final Map<Integer, List<String>> orders = new TreeMap<>();
  private final int copies;

  private RingHolders(TableState table, Ring ring) {
    this.copies = table.definition().replicas();
    for (Map.Entry<PartitionKey, Integer> actor :
        table.definition().partitioner().ring().entrySet()) {
      orders.put(actor.getValue(), ring.order(actor.getKey()));
    }
  }

  /** Returns the holders of a table's actors; empty if the table is on no ring. */
  public static Optional<RingHolders> of(TableState table) {
    return table.ring().map(ring -> of(table, ring.ring()));
  }

  /** Returns the holders of a table's actors if it were on this ring. */
  public static RingHolders of(TableState table, Ring ring) {
    return new RingHolders(table, ring);
  }

  /** Returns the servers of the ring from the owner of an actor on. */
  public List<String> order(int actor) {
    return orders.get(actor);
  }

  /** Returns the servers that are to hold an actor, the owner first. */
  public List<String> wanted(ClusterState state, int actor) {
    return order(actor).stream().filter(server -> stays(state, server)).limit(copies).toList();
  }

  private static boolean stays(ClusterState state, String server) {
    return state.servers().containsKey(server)
        && !state.servers().get(server).draining()
        && !state.servers().get(server).leaving();
  }
}
