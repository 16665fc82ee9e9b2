package io.uniserve.policy.placement.search;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Clustering;
import io.uniserve.policy.placement.model.Problem;

/**
 * A search for fewer moves, formula (9), without more clustering, formula (10). Copies go back to
 * servers that hold their actor already, alone or in exchange for another copy, as long as every
 * c_s stays within the result of stage 1, and load and memory within their limits.
 */
public final class Homing {
  private final Assignment assignment;
  private final Clustering clustering;
  private final Problem problem;
  private final int[] limits;

  private Homing(Assignment assignment, int[] limits) {
    this.assignment = assignment;
    this.limits = limits;
    problem = assignment.problem();
    clustering = new Clustering(assignment);
  }

  /**
   * Changes an assignment until no copy can go back any more or the effort is spent.
   *
   * @param limits the greatest clustering allowed for each set
   */
  public static void settle(Assignment assignment, int[] limits, Effort effort) {
    Homing homing = new Homing(assignment, limits);
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int actor = 0; actor < homing.problem.actors().count(); actor++) {
        if (!effort.step()) {
          return;
        }
        changed |= homing.bringHome(actor);
      }
    }
  }

  private boolean bringHome(int actor) {
    for (int home : problem.actors().held()[actor]) {
      if (assignment.holds(actor, home)) {
        continue;
      }
      for (int from : assignment.serversOf(actor)) {
        if (!problem.actors().holds(actor, from)
            && (move(actor, from, home) || exchange(actor, from, home))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean move(int actor, int from, int home) {
    double load = assignment.loadOf(actor, from);
    if (!Exchanges.movable(assignment, actor, from, home)
        || Exchanges.unbalances(assignment, from, -load, home)
        || !clustering.allows(actor, home, limits)) {
      return false;
    }
    assignment.move(actor, from, home);
    count(actor, from, home);
    return true;
  }

  private boolean exchange(int actor, int from, int home) {
    double load = assignment.loadOf(actor, from);
    for (int other : assignment.actorsOn(home).toArray()) {
      boolean otherIsHome = problem.actors().holds(other, home);
      if ((!otherIsHome || problem.actors().holds(other, from))
          && Exchanges.possible(assignment, actor, from, other, home)
          && !Exchanges.unbalances(assignment, from, assignment.loadOf(other, home) - load, home)
          && exchangeIfAllowed(actor, from, other, home)) {
        return true;
      }
    }
    return false;
  }

  private boolean exchangeIfAllowed(int actor, int from, int other, int home) {
    clustering.remove(actor, from);
    clustering.remove(other, home);
    boolean allowed =
        clustering.allows(actor, home, limits) && clustering.allows(other, from, limits);
    clustering.add(actor, allowed ? home : from);
    clustering.add(other, allowed ? from : home);
    if (allowed) {
      Exchanges.make(assignment, actor, from, other, home);
    }
    return allowed;
  }

  private void count(int actor, int from, int to) {
    clustering.remove(actor, from);
    clustering.add(actor, to);
  }
}
