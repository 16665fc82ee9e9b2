package io.uniserve.policy.placement;

import io.uniserve.api.ActorId;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The reasons for changes of an actor's copies. */
final class Reasons {
  private final ClusterLoad cluster;
  private final Problem problem;
  private final Assignment after;
  private final double[] loadBefore;

  Reasons(ClusterLoad cluster, Problem problem, Assignment after) {
    this.cluster = cluster;
    this.problem = problem;
    this.after = after;
    loadBefore = new double[problem.servers().count()];
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      int[] held = problem.actors().held()[actor];
      for (int server : held) {
        loadBefore[server] += problem.actors().load()[actor] / held.length;
      }
    }
  }

  /**
   * Returns a sentence with the servers that the actor goes to, those that it leaves, and the first
   * cause that applies.
   */
  String of(ActorId id, int actor) {
    List<String> gained = new ArrayList<>();
    for (int server : after.serversOf(actor)) {
      if (!problem.actors().holds(actor, server)) {
        gained.add(name(server));
      }
    }
    List<String> left = new ArrayList<>(cluster.actors().get(id).copies());
    for (int server : after.serversOf(actor)) {
      left.remove(name(server));
    }
    String change =
        gained.isEmpty()
            ? "leaves " + String.join(", ", left)
            : "comes to "
                + String.join(", ", gained)
                + (left.isEmpty() ? "" : " from " + String.join(", ", left));
    return change + ": " + cause(id, actor, gained.isEmpty());
  }

  private String cause(ActorId id, int actor, boolean leavesOnly) {
    ClusterLoad.ActorLoad load = cluster.actors().get(id);
    for (String server : load.copies()) {
      if (!cluster.servers().containsKey(server) || cluster.servers().get(server).draining()) {
        return server + " leaves the cluster";
      }
    }
    for (int server : problem.actors().pinned()[actor]) {
      if (!problem.actors().holds(actor, server)) {
        return "it is pinned to " + name(server);
      }
    }
    int held = problem.actors().held()[actor].length;
    if (held < problem.actors().copiesMin()[actor]) {
      return "it has %d of %d copies".formatted(held, problem.actors().copiesMin()[actor]);
    }
    return leavesOnly ? "fewer copies serve its load" : causeOnServer(actor, held);
  }

  private String causeOnServer(int actor, int held) {
    for (int server : problem.actors().held()[actor]) {
      if (loadBefore[server] > problem.servers().loadMax()) {
        return String.format(
            Locale.ROOT,
            "%s had %.2f times the mean load",
            name(server),
            loadBefore[server] / problem.servers().meanLoad());
      }
    }
    for (int server : problem.actors().held()[actor]) {
      int met = companions(actor, server);
      if (met > 0 && !after.holds(actor, server)) {
        return "its queries also read %d others on %s".formatted(met, name(server));
      }
    }
    return after.serversOf(actor).length > held
        ? "it is hotter than one server should bear"
        : "it makes room for actors that come from elsewhere";
  }

  /**
   * Counts the actors that a server held before and that some query reads together with this one.
   */
  private int companions(int actor, int server) {
    boolean[] seen = new boolean[problem.actors().count()];
    int companions = 0;
    for (int set : problem.queries().setsOf()[actor]) {
      for (int other : problem.queries().sets()[set]) {
        if (other != actor && !seen[other] && problem.actors().holds(other, server)) {
          seen[other] = true;
          companions++;
        }
      }
    }
    return companions;
  }

  private String name(int server) {
    return problem.names().servers().get(server);
  }
}
