package io.uniserve.policy.placement.milp;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Problem;

/**
 * The conversion of a program's values into an assignment. Solvers meet rows only up to a rounding
 * error, so smaller values count as 0, and the shares of an actor are scaled to sum to 1. Copies
 * without a share are kept only if the number of copies or a pin requires them.
 */
final class Reading {
  private static final double NOTHING = 1e-6;

  private final Problem problem;
  private final double[] values;
  private final Assignment assignment;

  Reading(Problem problem, double[] values) {
    this.problem = problem;
    this.values = values;
    assignment = new Assignment(problem);
  }

  Assignment assignment() {
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      addServing(actor);
      addIdle(actor);
    }
    return assignment;
  }

  private void addServing(int actor) {
    double sum = 0;
    for (int server = 0; server < problem.servers().count(); server++) {
      sum += share(actor, server);
    }
    for (int server = 0; server < problem.servers().count(); server++) {
      if (share(actor, server) > 0) {
        assignment.add(actor, server, share(actor, server) / sum);
      }
    }
  }

  private void addIdle(int actor) {
    for (int server = 0; server < problem.servers().count(); server++) {
      boolean wanted =
          problem.actors().isPinned(actor, server)
              || assignment.serversOf(actor).length < problem.actors().copiesMin()[actor]
                  && values[Formulas.copy(problem, actor, server)] > 0.5;
      if (wanted && !assignment.holds(actor, server)) {
        assignment.add(actor, server, 0);
      }
    }
  }

  private double share(int actor, int server) {
    double value = values[Formulas.share(problem, actor, server)];
    return value < NOTHING ? 0 : value;
  }
}
