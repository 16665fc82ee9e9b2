package io.uniserve.runtime.control.load;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.wire.LoadMessage;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The snapshot of cluster state and load that policies decide upon. */
public final class LoadSnapshot {
  private LoadSnapshot() {}

  /**
   * Returns the cluster as a placement policy sees it: servers that take copies, and actors with
   * their load, where they are or are about to be. An actor that has more copies than its table
   * asks for keeps as many as its load justifies (see {@link PlacementSettings#coolBelow}). So load
   * that goes up and down does not make and drop copies all the time.
   */
  public static ClusterLoad of(ClusterState state, LoadView loads, double coolBelow) {
    TreeMap<String, ClusterLoad.ServerLoad> servers = new TreeMap<>();
    for (ServerState server : state.servers().values()) {
      if (state.takesCopies(server.name())) {
        LoadMessage.ServerFigures figures = loads.figures(server);
        servers.put(
            server.name(), new ClusterLoad.ServerLoad(figures.utilization(), figures.usage(), 0));
      }
    }
    Map<ActorId, LoadMessage.ActorLoad> known = loads.actors(state);
    double mean =
        known.values().stream().mapToDouble(LoadMessage.ActorLoad::load).sum()
            / Math.max(1, servers.size());
    TreeMap<ActorId, ClusterLoad.ActorLoad> actors = new TreeMap<>();
    for (TableState table : state.tables().values()) {
      if (table.ring().isPresent()) {
        continue; // the ring places its actors
      }
      table.forEachActor(
          (id, actor) -> {
            if (!actor.ended()) {
              Optional<LoadMessage.ActorLoad> load = Optional.ofNullable(known.get(id));
              double cost = load.map(LoadMessage.ActorLoad::load).orElse(0.0);
              Usage usage = load.map(LoadMessage.ActorLoad::usage).orElse(Usage.NONE);
              List<String> copies = copies(state, actor);
              int replicas =
                  kept(table.definition().replicas(), copies.size(), cost, mean * coolBelow);
              actors.put(
                  id, new ClusterLoad.ActorLoad(replicas, cost, usage, copies, pins(state, actor)));
            }
          });
    }
    return new ClusterLoad(servers, actors, sets(state, loads));
  }

  /** Returns how many copies an actor keeps at its present load. */
  static int kept(int replicas, int copies, double load, double enoughForOne) {
    int kept = copies;
    while (kept > replicas && load <= (kept - 1) * enoughForOne) {
      kept--;
    }
    return Math.max(replicas, kept);
  }

  /**
   * Returns the servers of the actor's copies, as they will be once its move has ended; the primary
   * first.
   */
  public static List<String> copies(ClusterState state, ActorState actor) {
    List<String> servers = new ArrayList<>();
    for (CopyState copy : actor.copies()) {
      boolean goes =
          copy.status() == CopyState.Status.RETIRING
              || actor.move().filter(move -> move.from().equals(copy.server())).isPresent();
      if (!goes && state.takesCopies(copy.server())) {
        servers.add(copy.server());
      }
    }
    actor
        .move()
        .filter(move -> state.takesCopies(move.to()) && !servers.contains(move.to()))
        .ifPresent(move -> servers.add(move.to()));
    servers.sort(Comparator.comparing(server -> !server.equals(actor.primary())));
    return servers;
  }

  /**
   * Returns the servers to which an actor is pinned. A pin to a server that is away counts again
   * when the server is back.
   */
  private static TreeSet<String> pins(ClusterState state, ActorState actor) {
    TreeSet<String> pins = new TreeSet<>(actor.pins());
    pins.removeIf(server -> !state.takesCopies(server));
    return pins;
  }

  private static List<ClusterLoad.QuerySet> sets(ClusterState state, LoadView loads) {
    List<ClusterLoad.QuerySet> sets = new ArrayList<>();
    for (LoadMessage.SetFigures set : loads.sets()) {
      List<ActorId> actors =
          set.actors().stream().map(number -> new ActorId(set.table(), number)).toList();
      boolean placed =
          state.tables().get(set.table()) instanceof TableState it && it.ring().isEmpty();
      if (placed
          && actors.stream()
              .allMatch(id -> state.actor(id).filter(it -> !it.ended()).isPresent())) {
        sets.add(new ClusterLoad.QuerySet(actors, set.perSecond()));
      }
    }
    return Collections.unmodifiableList(sets);
  }
}
