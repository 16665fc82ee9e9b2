package io.uniserve.policy.placement.search;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Problem;

/**
 * The removal of copies that neither the number of copies nor a pin nor the balance of load needs
 * any more. An actor that has cooled down loses the copies that it got when it was hot. Stage 1 of
 * PODP would keep them, since it does not penalise copies.
 */
public final class SurplusCopies {
  private final Assignment assignment;
  private final Problem problem;

  private SurplusCopies(Assignment assignment) {
    this.assignment = assignment;
    problem = assignment.problem();
  }

  /** Removes surplus copies as long as the load of all servers stays within the tolerance. */
  public static void remove(Assignment assignment) {
    SurplusCopies surplus = new SurplusCopies(assignment);
    for (int actor = 0; actor < surplus.problem.actors().count(); actor++) {
      while (surplus.removeOne(actor)) {
        continue;
      }
    }
  }

  private boolean removeOne(int actor) {
    int[] servers = assignment.serversOf(actor);
    if (servers.length <= problem.actors().copiesMin()[actor]) {
      return false;
    }
    int best = -1;
    for (int server : servers) {
      if (!problem.actors().isPinned(actor, server)
          && (best < 0 || goesBefore(actor, server, best))
          && heir(actor, server) >= 0) {
        best = server;
      }
    }
    if (best < 0) {
      return false;
    }
    int heir = heir(actor, best);
    double share = assignment.shareOf(actor, best);
    assignment.remove(actor, best);
    assignment.addShare(actor, heir, share);
    return true;
  }

  /**
   * Returns whether a copy is removed before another: a new one before a held one, then a small one
   * before a large one.
   */
  private boolean goesBefore(int actor, int server, int other) {
    boolean held = problem.actors().holds(actor, server);
    return held == problem.actors().holds(actor, other)
        ? assignment.shareOf(actor, server) < assignment.shareOf(actor, other)
        : !held;
  }

  /** Returns a copy that could take the share of another; -1 if there is none. */
  private int heir(int actor, int server) {
    double load = assignment.loadOf(actor, server);
    double left = assignment.loadOf(server);
    if (assignment.excess(left - load) > assignment.excess(left) + slack()) {
      return -1;
    }
    for (int heir : assignment.serversOf(actor)) {
      double taken = assignment.loadOf(heir);
      if (heir != server && assignment.excess(taken + load) <= assignment.excess(taken) + slack()) {
        return heir;
      }
    }
    return -1;
  }

  private double slack() {
    return 1e-9 * problem.servers().meanLoad();
  }
}
