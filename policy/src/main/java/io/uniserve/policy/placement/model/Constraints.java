package io.uniserve.policy.placement.model;

import java.util.ArrayList;
import java.util.List;

/**
 * The constraints of a placement problem: formulas (2), (3), (4) and (7) of PODP §3.2, and pins.
 * That no copy is on a draining server needs no check: such servers are no part of a problem.
 */
public final class Constraints {
  private static final double SHARE_TOLERANCE = 1e-6;

  private Constraints() {}

  /**
   * Checks by sums whether any assignment can meet the constraints.
   *
   * @throws InfeasibleException naming the constraint that none can meet
   */
  public static void requireSatisfiable(Problem problem) {
    if (problem.servers().count() == 0 && problem.actors().count() > 0) {
      throw InfeasibleException.servers("none of the servers may hold copies");
    }
    requireMemoryForPins(problem);
    requireMemoryForAll(problem);
  }

  private static void requireMemoryForPins(Problem problem) {
    long[] pinned = new long[problem.servers().count()];
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      for (int server : problem.actors().pinned()[actor]) {
        pinned[server] += problem.actors().memory()[actor];
      }
    }
    for (int server = 0; server < pinned.length; server++) {
      long max = problem.servers().memoryMax()[server];
      if (pinned[server] > max) {
        throw InfeasibleException.memory(
            "what is pinned to %s needs %d bytes of its %d"
                .formatted(problem.names().servers().get(server), pinned[server], max));
      }
    }
  }

  private static void requireMemoryForAll(Problem problem) {
    double available = 0;
    double needed = 0;
    for (long max : problem.servers().memoryMax()) {
      available += max;
    }
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      needed += (double) problem.actors().memory()[actor] * problem.actors().copiesMin()[actor];
      requireServerFor(problem, actor);
    }
    if (needed > available) {
      throw InfeasibleException.memory(
          "all copies together need %.0f bytes, the servers have %.0f"
              .formatted(needed, available));
    }
  }

  private static void requireServerFor(Problem problem, int actor) {
    long memory = problem.actors().memory()[actor];
    int wide = 0;
    for (long max : problem.servers().memoryMax()) {
      wide += memory <= max ? 1 : 0;
    }
    int wanted = problem.actors().copiesMin()[actor];
    if (wide < wanted) {
      throw InfeasibleException.memory(
          "actor %s wants %d copies of %d bytes, which only %d servers can hold"
              .formatted(problem.names().actors().get(actor), wanted, memory, wide));
    }
  }

  /** Describes the constraints that an assignment breaks; empty if it is valid. */
  public static List<String> violations(Assignment assignment) {
    List<String> found = new ArrayList<>();
    Problem problem = assignment.problem();
    for (int server = 0; server < problem.servers().count(); server++) {
      if (assignment.memoryOf(server) > problem.servers().memoryMax()[server]) {
        found.add("memory of " + problem.names().servers().get(server));
      }
      if (assignment.excess(assignment.loadOf(server)) > 1e-6 * problem.servers().meanLoad()) {
        found.add("load of " + problem.names().servers().get(server));
      }
    }
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      addViolationsOf(actor, assignment, found);
    }
    return found;
  }

  private static void addViolationsOf(int actor, Assignment assignment, List<String> found) {
    Problem problem = assignment.problem();
    String name = problem.names().actors().get(actor);
    if (assignment.serversOf(actor).length < problem.actors().copiesMin()[actor]) {
      found.add("replication of " + name);
    }
    double sum = 0;
    for (double share : assignment.sharesOf(actor)) {
      sum += share;
      if (share < -SHARE_TOLERANCE) {
        found.add("negative share of " + name);
      }
    }
    if (Math.abs(sum - 1) > SHARE_TOLERANCE) {
      found.add("shares of " + name);
    }
    for (int server : problem.actors().pinned()[actor]) {
      if (!assignment.holds(actor, server)) {
        found.add("pin of " + name + " to " + problem.names().servers().get(server));
      }
    }
  }
}
