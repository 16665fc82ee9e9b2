package io.uniserve.policy.placement.search;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.InfeasibleException;
import io.uniserve.policy.placement.model.Problem;
import java.util.function.IntPredicate;

/**
 * The first assignment of a search. Every held copy stays. Missing pins and copies are added.
 * Servers that hold more than their memory allows give copies away. Load decides only which server
 * takes a copy: the one with the least load that can.
 */
public final class HeldCopies {
  private final Problem problem;
  private final Assignment assignment;

  private HeldCopies(Problem problem) {
    this.problem = problem;
    assignment = new Assignment(problem);
  }

  /** * Makes the assignment. * @throws InfeasibleException if the memory does not suffice */
  public static Assignment of(Problem problem) {
    HeldCopies start = new HeldCopies(problem);
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      start.addHeldAndPinned(actor);
    }
    for (int server = 0; server < problem.servers().count(); server++) {
      start.relieve(server);
    }
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      start.complete(actor);
    }
    return start.assignment;
  }

  private void addHeldAndPinned(int actor) {
    for (int server : problem.actors().pinned()[actor]) {
      assignment.add(actor, server, 0);
    }
    for (int server : problem.actors().held()[actor]) {
      if (!assignment.holds(actor, server)) {
        assignment.add(actor, server, 0);
      }
    }
    shareEvenly(actor);
  }

  private void relieve(int server) {
    long max = problem.servers().memoryMax()[server];
    while (assignment.memoryOf(server) > max) {
      int actor = smallestThatRelieves(server, assignment.memoryOf(server) - max);
      assignment.remove(actor, server);
      shareEvenly(actor);
    }
  }

  /**
   * Returns the smallest actor whose removal brings the server within its memory, otherwise the
   * greatest.
   */
  private int smallestThatRelieves(int server, long bytes) {
    int best = -1;
    for (int place = 0; place < assignment.actorsOn(server).size(); place++) {
      int actor = assignment.actorsOn(server).get(place);
      if (!problem.actors().isPinned(actor, server)
          && (best < 0 || relievesBetter(actor, best, bytes))) {
        best = actor;
      }
    }
    return best;
  }

  private boolean relievesBetter(int actor, int best, long bytes) {
    long[] memory = problem.actors().memory();
    return memory[best] < bytes
        ? memory[actor] > memory[best]
        : memory[actor] >= bytes && memory[actor] < memory[best];
  }

  private void complete(int actor) {
    while (assignment.serversOf(actor).length < problem.actors().copiesMin()[actor]) {
      int server =
          leastLoaded(
              assignment,
              other -> !assignment.holds(actor, other) && assignment.hasMemory(other, actor));
      if (server < 0) {
        throw InfeasibleException.memory(
            "no server has %d bytes left for another copy of actor %s"
                .formatted(problem.actors().memory()[actor], problem.names().actors().get(actor)));
      }
      assignment.add(actor, server, 0);
      shareEvenly(actor);
    }
  }

  private void shareEvenly(int actor) {
    int[] servers = assignment.serversOf(actor);
    for (int server : servers) {
      double missing = 1.0 / servers.length - assignment.shareOf(actor, server);
      assignment.addShare(actor, server, missing);
    }
  }

  /**
   * Returns the eligible server with the least load, then with the fewest actors; -1 if none is
   * eligible.
   */
  static int leastLoaded(Assignment assignment, IntPredicate eligible) {
    int best = -1;
    for (int server = 0; server < assignment.problem().servers().count(); server++) {
      if (eligible.test(server) && (best < 0 || isLessLoaded(assignment, server, best))) {
        best = server;
      }
    }
    return best;
  }

  private static boolean isLessLoaded(Assignment assignment, int one, int other) {
    int byLoad = Double.compare(assignment.loadOf(one), assignment.loadOf(other));
    return byLoad != 0
        ? byLoad < 0
        : assignment.actorsOn(one).size() < assignment.actorsOn(other).size();
  }
}
