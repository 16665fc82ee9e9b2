package io.uniserve.policy.placement.packing;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.InfeasibleException;
import io.uniserve.policy.placement.model.Problem;

/**
 * The placement of actors without load: they stay where they are, or go to the servers with the
 * fewest actors.
 */
final class Unloaded {
  private Unloaded() {}

  static void complete(Assignment assignment) {
    Problem problem = assignment.problem();
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      if (problem.actors().load()[actor] == 0) {
        complete(assignment, actor);
      }
    }
  }

  private static void complete(Assignment assignment, int actor) {
    Problem problem = assignment.problem();
    int wanted =
        Math.max(problem.actors().copiesMin()[actor], problem.actors().pinned()[actor].length);
    for (int server : problem.actors().held()[actor]) {
      if (assignment.serversOf(actor).length < wanted && isFree(assignment, actor, server)) {
        assignment.add(actor, server, 1.0 / wanted);
      }
    }
    while (assignment.serversOf(actor).length < wanted) {
      int server = emptiest(assignment, actor);
      if (server < 0) {
        throw InfeasibleException.memory(
            "no server has %d bytes left for a copy of actor %s"
                .formatted(problem.actors().memory()[actor], problem.names().actors().get(actor)));
      }
      assignment.add(actor, server, 1.0 / wanted);
    }
  }

  private static int emptiest(Assignment assignment, int actor) {
    int best = -1;
    for (int server = 0; server < assignment.problem().servers().count(); server++) {
      if (isFree(assignment, actor, server)
          && (best < 0 || assignment.actorsOn(server).size() < assignment.actorsOn(best).size())) {
        best = server;
      }
    }
    return best;
  }

  private static boolean isFree(Assignment assignment, int actor, int server) {
    return !assignment.holds(actor, server) && assignment.hasMemory(server, actor);
  }
}
