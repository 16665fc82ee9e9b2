package io.uniserve.runtime.client.retrieve;

import io.uniserve.runtime.client.context.ServerLoad;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The choice of copies to ask, for the actors of one query. Each is on the server with the least
 * work under way, what this query already gave it included. So a query spreads over as many servers
 * as it can.
 */
public final class CopyChoice {
  /** A load above that of any server. */
  private static final int LEAVING = 1 << 30;

  private final ClusterState state;
  private final ServerLoad load;
  private final int turn;
  private final Map<String, Integer> given = new TreeMap<>();

  public CopyChoice(ClusterState state, ServerLoad load) {
    this.state = state;
    this.load = load;
    this.turn = load.nextTurn();
  }

  /**
   * Returns the server to ask; empty if no readable copy is left besides those on the servers to
   * avoid.
   */
  public Optional<String> choose(ActorState actor, Set<String> avoided) {
    List<CopyState> copies = actor.copies();
    String best = null;
    int leastWork = Integer.MAX_VALUE;
    for (int i = 0; i < copies.size(); i++) {
      CopyState copy = copies.get((i + turn) % copies.size());
      boolean usable =
          copy.status() == Status.READY
              && state.alive(copy.server())
              && !avoided.contains(copy.server());
      if (usable) {
        int work = work(copy.server());
        if (work < leastWork) {
          best = copy.server();
          leastWork = work;
        }
      }
    }
    if (best != null) {
      given.merge(best, 1, Integer::sum);
    }
    return Optional.ofNullable(best);
  }

  /**
   * Returns the work of a server. One that is about to end gets only work that nobody else can do.
   */
  private int work(String server) {
    int known = load.of(server) + given.getOrDefault(server, 0);
    return state.servers().get(server).leaving() ? LEAVING + known : known;
  }
}
