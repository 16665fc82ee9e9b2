package io.uniserve.runtime.client.plan;

import io.uniserve.runtime.client.plan.StageTask.Where;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The choice of the servers of tasks. */
public final class Placing {
  private final PlanCluster cluster;

  Placing(PlanCluster cluster) {
    this.cluster = cluster;
  }

  /** Returns choices as of one cluster state. */
  Choice among(ClusterState state) {
    return new Choice(state, cluster.chooser());
  }

  /** The choices as of one cluster state. Each takes those before into account. */
  static final class Choice {
    private final ClusterState state;
    private final PlanCluster.CopyChooser copies;
    private final SortedMap<String, Integer> given = new TreeMap<>();

    private Choice(ClusterState state, PlanCluster.CopyChooser copies) {
      this.state = state;
      this.copies = copies;
      serversToGiveWork(state).forEach(server -> given.put(server, 0));
    }

    /** Returns the server to run a task on; empty if there is none now. */
    Optional<String> of(StageTask task) {
      return switch (task.where()) {
        case Where.On(String server) ->
            Optional.of(server).filter(name -> !task.avoided().contains(name));
        case Where.AtCopyOf at -> copies.choose(at.actor(), task.avoided());
        case Where.Anywhere(String preferred) -> anywhere(task, preferred);
      };
    }

    private Optional<String> anywhere(StageTask task, String preferred) {
      Optional<String> chosen =
          given.containsKey(preferred) && !task.avoided().contains(preferred)
              ? Optional.of(preferred)
              : leastGiven(task);
      chosen.ifPresent(server -> given.merge(server, 1, Integer::sum));
      return chosen;
    }

    private Optional<String> leastGiven(StageTask task) {
      String least = null;
      for (String server : given.keySet()) {
        boolean usable = !task.avoided().contains(server);
        if (usable && (least == null || given.get(server) < given.get(least))) {
          least = server;
        }
      }
      return Optional.ofNullable(least);
    }
  }

  /** Returns the servers that stay; if there are none, all living ones. */
  static List<String> serversToGiveWork(ClusterState state) {
    List<String> staying =
        state.servers().values().stream()
            .filter(server -> server.alive() && !server.leaving())
            .map(ServerState::name)
            .toList();
    return staying.isEmpty()
        ? state.servers().values().stream()
            .filter(ServerState::alive)
            .map(ServerState::name)
            .toList()
        : staying;
  }
}
