package io.uniserve.policy.placement.search;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.InfeasibleException;
import io.uniserve.policy.placement.model.IntBag;
import io.uniserve.policy.placement.model.Problem;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * A search that brings the load of every server within the tolerance, formula (2), with few moves.
 * It takes load from the most loaded server to the least loaded one. In this order of preference it
 * shifts a share between copies that both have, moves a whole copy, exchanges two copies, or makes
 * a new copy with a share of its own. Memory limits and pins are met throughout.
 */
public final class Balancer {
  private static final int STEPS_PER_ACTOR_AND_SERVER = 8;

  private final Assignment assignment;
  private final Problem problem;
  private final long seed;

  private Balancer(Assignment assignment, long seed) {
    this.assignment = assignment;
    this.problem = assignment.problem();
    this.seed = seed;
  }

  /**
   * Balances an assignment.
   *
   * @param seed decides among copies that serve equally well, so that actors of neighbouring
   *     numbers do not move together
   * @throws InfeasibleException if memory or pins do not allow it
   */
  public static void balance(Assignment assignment, long seed) {
    new Balancer(assignment, seed).balance();
  }

  private void balance() {
    int actorsAndServers = problem.actors().count() + problem.servers().count();
    int stepsMax = STEPS_PER_ACTOR_AND_SERVER * actorsAndServers;
    for (int step = 0; step < stepsMax; step++) {
      int[] order = byLoad();
      if (order.length == 0 || isBalanced(order[0], order[order.length - 1])) {
        return;
      }
      if (!improve(order)) {
        throw unbalanced(order);
      }
    }
    throw unbalanced(byLoad());
  }

  private boolean isBalanced(int least, int most) {
    double slack = 1e-9 * problem.servers().meanLoad();
    return assignment.excess(assignment.loadOf(least)) <= slack
        && assignment.excess(assignment.loadOf(most)) <= slack;
  }

  private InfeasibleException unbalanced(int[] order) {
    int least = order[0];
    int most = order[order.length - 1];
    return InfeasibleException.load(
        "servers should have between %.4g and %.4g, but neither can %s give some of its %.4g nor %s take more than %.4g within memory and pins"
            .formatted(
                problem.servers().loadMin(),
                problem.servers().loadMax(),
                problem.names().servers().get(most),
                assignment.loadOf(most),
                problem.names().servers().get(least),
                assignment.loadOf(least)));
  }

  private int[] byLoad() {
    return IntStream.range(0, problem.servers().count())
        .boxed()
        .sorted(Comparator.comparingDouble(assignment::loadOf))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private boolean improve(int[] order) {
    for (int high = order.length - 1; high > 0; high--) {
      for (int low = 0; low < high; low++) {
        Gap gap = new Gap(order[high], order[low]);
        if (!gap.isWorthwhile()) {
          break;
        }
        if (gap.close()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Two servers, at least one of which is outside of the tolerance. */
  private final class Gap {
    private final int from;
    private final int to;
    private final double wanted;
    private final double needed;
    private final double most;

    Gap(int from, int to) {
      this.from = from;
      this.to = to;
      double mean = problem.servers().meanLoad();
      double above = assignment.loadOf(from);
      double below = assignment.loadOf(to);
      wanted = Math.min(above - mean, mean - below);
      needed = Math.max(above - problem.servers().loadMax(), problem.servers().loadMin() - below);
      most =
          Math.max(
              wanted,
              Math.min(above - problem.servers().loadMin(), problem.servers().loadMax() - below));
    }

    boolean isWorthwhile() {
      double slack = 1e-9 * problem.servers().meanLoad();
      return needed > slack && wanted > slack;
    }

    boolean close() {
      if (shift()) {
        return true;
      }
      int whole = bestWhole();
      double moved = whole < 0 ? 0 : assignment.loadOf(whole, from);
      if (moved >= needed || moved > 0 && moved >= heaviest() / 2) {
        assignment.move(whole, from, to);
        return true;
      }
      return exchange(needed) || split() || moveAnyway(whole) || exchange(0);
    }

    private boolean moveAnyway(int whole) {
      if (whole < 0) {
        return false;
      }
      assignment.move(whole, from, to);
      return true;
    }

    private boolean shift() {
      IntBag actors = assignment.actorsOn(from);
      for (int place = 0; place < actors.size(); place++) {
        int actor = actors.get(place);
        double load = assignment.loadOf(actor, from);
        if (load > 0 && assignment.holds(actor, to)) {
          give(actor, Math.min(wanted, load));
          return true;
        }
      }
      return false;
    }

    private void give(int actor, double load) {
      double share = load / problem.actors().load()[actor];
      assignment.addShare(actor, from, -share);
      assignment.addShare(actor, to, share);
    }

    private double heaviest() {
      double heaviest = 0;
      for (int actor : assignment.actorsOn(from).toArray()) {
        heaviest = Math.max(heaviest, assignment.loadOf(actor, from));
      }
      return heaviest;
    }

    /** Returns the copy whose load is nearest to the wanted load; -1 if none may move. */
    private int bestWhole() {
      int best = -1;
      double bestDistance = Double.POSITIVE_INFINITY;
      for (int actor : assignment.actorsOn(from).toArray()) {
        double load = assignment.loadOf(actor, from);
        double distance = Math.abs(load - wanted);
        if (load > 0
            && load <= most
            && mayGo(actor)
            && (distance < bestDistance || distance == bestDistance && isBefore(actor, best))) {
          best = actor;
          bestDistance = distance;
        }
      }
      return best;
    }

    private boolean mayGo(int actor) {
      return !problem.actors().isPinned(actor, from)
          && !assignment.holds(actor, to)
          && assignment.hasMemory(to, actor);
    }

    private boolean isBefore(int actor, int other) {
      return SeededRandom.rank(seed, actor) < SeededRandom.rank(seed, other);
    }

    private boolean exchange(double least) {
      int bestGiven = -1;
      int bestTaken = -1;
      double bestDistance = Double.POSITIVE_INFINITY;
      for (int given : assignment.actorsOn(from).toArray()) {
        for (int taken : assignment.actorsOn(to).toArray()) {
          double moved = assignment.loadOf(given, from) - assignment.loadOf(taken, to);
          double distance = Math.abs(moved - wanted);
          if (moved > 1e-9 * wanted
              && moved >= least
              && moved <= most
              && distance < bestDistance
              && Exchanges.possible(assignment, given, from, taken, to)) {
            bestGiven = given;
            bestTaken = taken;
            bestDistance = distance;
          }
        }
      }
      if (bestGiven < 0) {
        return false;
      }
      Exchanges.make(assignment, bestGiven, from, bestTaken, to);
      return true;
    }

    /** Adds a copy of the heaviest actor that may have another. */
    private boolean split() {
      int best = -1;
      for (int actor : assignment.actorsOn(from).toArray()) {
        if (!assignment.holds(actor, to)
            && assignment.hasMemory(to, actor)
            && assignment.loadOf(actor, from) > wanted * 1e-6
            && (best < 0 || assignment.loadOf(actor, from) > assignment.loadOf(best, from))) {
          best = actor;
        }
      }
      if (best < 0) {
        return false;
      }
      assignment.add(best, to, 0);
      give(best, Math.min(wanted, assignment.loadOf(best, from)));
      return true;
    }
  }
}
