package io.uniserve.policy.placement.search;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Problem;

/** The exchanges of two copies, and the moves of one, that memory limits and pins allow. */
final class Exchanges {
  private Exchanges() {}

  /** Returns whether two copies may change places; load does not count. */
  static boolean possible(
      Assignment assignment, int one, int serverOfOne, int other, int serverOfOther) {
    Problem problem = assignment.problem();
    if (one == other
        || problem.actors().isPinned(one, serverOfOne)
        || problem.actors().isPinned(other, serverOfOther)
        || assignment.holds(one, serverOfOther)
        || assignment.holds(other, serverOfOne)) {
      return false;
    }
    long growth = problem.actors().memory()[one] - problem.actors().memory()[other];
    return growth <= free(assignment, serverOfOther) && -growth <= free(assignment, serverOfOne);
  }

  /** Returns whether one copy may move to another server; load does not count. */
  static boolean movable(Assignment assignment, int actor, int from, int to) {
    return !assignment.problem().actors().isPinned(actor, from)
        && !assignment.holds(actor, to)
        && assignment.hasMemory(to, actor);
  }

  static void make(Assignment assignment, int one, int serverOfOne, int other, int serverOfOther) {
    assignment.move(one, serverOfOne, serverOfOther);
    assignment.move(other, serverOfOther, serverOfOne);
  }

  /**
   * Returns whether two servers would be further outside of the tolerance if load moved to the
   * first.
   */
  static boolean unbalances(Assignment assignment, int one, double gained, int other) {
    double slack = 1e-9 * assignment.problem().servers().meanLoad();
    double load = assignment.loadOf(one);
    double loadOfOther = assignment.loadOf(other);
    return assignment.excess(load + gained) > assignment.excess(load) + slack
        || assignment.excess(loadOfOther - gained) > assignment.excess(loadOfOther) + slack;
  }

  private static long free(Assignment assignment, int server) {
    return assignment.problem().servers().memoryMax()[server] - assignment.memoryOf(server);
  }
}
