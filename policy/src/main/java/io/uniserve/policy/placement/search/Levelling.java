package io.uniserve.policy.placement.search;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Clustering;
import io.uniserve.policy.placement.model.Problem;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * A search that evens out load within the tolerance, as far as clustering allows. The paper treats
 * any load within ε as equal. But a server that is 5 % busier than the others has the longest
 * queue, which can cost the tail more than a little clustering. So before moves are saved, copies
 * are moved and exchanged from the server that is furthest from the mean, the best change first.
 */
public final class Levelling {
  /** The least deviation that is worth a move, as a share of the mean load. */
  private static final double LEVEL = 0.005;

  private final Assignment assignment;
  private final Clustering clustering;
  private final Problem problem;
  private final int[] limits;
  private final double mean;

  private Levelling(Assignment assignment, int[] limits) {
    this.assignment = assignment;
    this.limits = limits;
    problem = assignment.problem();
    clustering = new Clustering(assignment);
    mean = problem.servers().meanLoad();
  }

  /**
   * Changes an assignment until it is level, nothing helps any more or the effort is spent.
   *
   * @param limits the greatest clustering allowed for each set
   */
  public static void level(Assignment assignment, int[] limits, Effort effort) {
    new Levelling(assignment, limits).level(effort);
  }

  private void level(Effort effort) {
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int server : furthestFirst()) {
        if (deviation(server) <= LEVEL * mean || !effort.step()) {
          break;
        }
        if (improve(server)) {
          changed = true;
          break;
        }
      }
    }
  }

  private int[] furthestFirst() {
    return IntStream.range(0, problem.servers().count())
        .boxed()
        .sorted(Comparator.comparingDouble(this::deviation).reversed())
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private double deviation(int server) {
    return Math.abs(assignment.loadOf(server) - mean);
  }

  private boolean improve(int server) {
    Step best = new Step();
    for (int other = 0; other < problem.servers().count(); other++) {
      boolean gives = assignment.loadOf(server) > assignment.loadOf(other);
      if (other != server) {
        best.consider(gives ? server : other, gives ? other : server);
      }
    }
    return best.make();
  }

  private boolean allowed(int actor, int from, int other, int to) {
    clustering.remove(actor, from);
    if (other >= 0) {
      clustering.remove(other, to);
    }
    boolean allowed =
        clustering.allows(actor, to, limits)
            && (other < 0 || clustering.allows(other, from, limits));
    clustering.add(actor, from);
    if (other >= 0) {
      clustering.add(other, to);
    }
    return allowed;
  }

  /** The best change seen: a move of a copy from one server to another, or an exchange. */
  private final class Step {
    private double gain = LEVEL * LEVEL * mean * mean;
    private int actor = -1;
    private int from;
    private int to;
    private int other;

    /** Considers all changes that take load from a server that has more than another. */
    void consider(int high, int low) {
      double gap = assignment.loadOf(high) - assignment.loadOf(low);
      if (gap * gap / 2 <= gain) { // the gain of the best possible change between them
        return;
      }
      for (int given : assignment.actorsOn(high).toArray()) {
        double load = assignment.loadOf(given, high);
        consider(given, high, -1, low, load, gap);
        for (int taken : assignment.actorsOn(low).toArray()) {
          consider(given, high, taken, low, load - assignment.loadOf(taken, low), gap);
        }
      }
    }

    private void consider(int given, int high, int taken, int low, double moved, double gap) {
      double gained = 2 * moved * (gap - moved);
      boolean possible =
          gained > gain
              && (taken < 0
                  ? Exchanges.movable(assignment, given, high, low)
                  : Exchanges.possible(assignment, given, high, taken, low));
      if (possible && allowed(given, high, taken, low)) {
        gain = gained;
        actor = given;
        from = high;
        to = low;
        other = taken;
      }
    }

    boolean make() {
      if (actor < 0) {
        return false;
      }
      move(actor, from, to);
      if (other >= 0) {
        move(other, to, from);
      }
      return true;
    }

    private void move(int moved, int origin, int target) {
      assignment.move(moved, origin, target);
      clustering.remove(moved, origin);
      clustering.add(moved, target);
    }
  }
}
