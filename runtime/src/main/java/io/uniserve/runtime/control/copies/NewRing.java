package io.uniserve.runtime.control.copies;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.ring.Ring;
import io.uniserve.runtime.wire.ring.RingMember;
import io.uniserve.runtime.wire.ring.RingPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The ring that a new table begins with. Each of its servers owns about as many actors. */
final class NewRing {
  private NewRing() {}

  /**
   * Returns the ring of a new table.
   *
   * @throws UniserveException if there are too few servers or actors for it
   */
  static Ring of(ClusterState state, TableDefinition definition, RingPlacement wish) {
    String table = "table '" + definition.name() + "': ";
    for (String server : wish.servers()) {
      if (!state.servers().containsKey(server)) {
        throw new UniserveException(
            ErrorCode.NOT_FOUND, table + "there is no server '" + server + "'");
      }
      if (!state.takesCopies(server)) {
        throw new UniserveException(
            ErrorCode.UNAVAILABLE, table + "server " + server + " takes no copies");
      }
    }
    List<String> servers =
        wish.servers().isEmpty()
            ? state.servers().keySet().stream().filter(state::takesCopies).toList()
            : wish.servers();
    List<PartitionKey> places = List.copyOf(definition.partitioner().ring().keySet());
    if (wish.servers().size() > places.size()) {
      throw UniserveException.invalid(
          table
              + servers.size()
              + " servers cannot begin a ring of "
              + places.size()
              + " actors: each owns at least one");
    }
    int members = Math.min(servers.size(), places.size());
    if (members < definition.replicas()) {
      throw UniserveException.invalid(
          table
              + definition.replicas()
              + " copies need a ring of as many servers, which own an actor each: there are "
              + servers.size()
              + " servers and "
              + places.size()
              + " actors");
    }
    List<RingMember> ring = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      PartitionKey at = places.get((int) ((long) i * places.size() / members));
      ring.add(new RingMember(at, servers.get(i)));
    }
    return new Ring(ring);
  }

  /** Returns the servers of each actor, by number; none for numbers of actors that have ended. */
  static List<List<String>> placement(TableDefinition definition, Ring ring) {
    List<List<String>> placement = new ArrayList<>();
    for (int number = 0; number < definition.actors(); number++) {
      placement.add(List.of());
    }
    SortedMap<PartitionKey, Integer> places = definition.partitioner().ring();
    for (Map.Entry<PartitionKey, Integer> actor : places.entrySet()) {
      List<String> order = ring.order(actor.getKey());
      placement.set(actor.getValue(), List.copyOf(order.subList(0, definition.replicas())));
    }
    return placement;
  }
}
