package io.uniserve.policy.placement.search;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Clustering;
import io.uniserve.policy.placement.model.IntBag;
import io.uniserve.policy.placement.model.Problem;
import java.util.random.RandomGenerator;

/**
 * A search for less clustering, formula (1), by moves and exchanges of copies (simulated annealing
 * aimed at the sets that are still crowded). The constraints that hold at the start hold at the
 * end.
 *
 * <p>A step draws a set whose clustering is above its lower bound and one of its actors on its most
 * crowded server, tries that copy on other servers, alone or in exchange for each of their copies,
 * and takes the best of these changes if it lessens crowding, or by chance if it does not; chance
 * shrinks as the steps run out. Once no set is crowded the assignment is optimal and the search
 * ends. For example, of shards 1, 2 on server a and 3, 4 on b, with queries for 1-2 and 3-4, one
 * exchange of 2 and 3 takes both clusterings from 2 to 1.
 */
public final class Spreading {
  /** The number of servers that are tried in one step. */
  private static final int SERVERS_TRIED = 6;

  /**
   * The initial temperature, as a share of a typical frequency: it sets the chance to accept a
   * change for the worse.
   */
  private static final double HOTTEST = 0.25;

  /**
   * The weight of a squared deviation by the mean load, in typical frequencies. Among changes of
   * equal crowding it prefers those that leave the load even.
   */
  private static final double EVENNESS_WEIGHT = 0.05;

  private final Assignment assignment;
  private final Clustering clustering;
  private final Problem problem;
  private final RandomGenerator random;
  private final double typicalFrequency;
  private final Change best = new Change();

  /** The actor, origin and target of each move since the best assignment. */
  private final IntBag sinceBest = new IntBag();

  private Spreading(Assignment assignment, RandomGenerator random) {
    this.assignment = assignment;
    this.random = random;
    problem = assignment.problem();
    clustering = new Clustering(assignment);
    double[] frequency = problem.queries().frequency();
    double sum = 0;
    for (double one : frequency) {
      sum += one;
    }
    typicalFrequency = frequency.length == 0 ? 0 : sum / frequency.length;
  }

  /**
   * Returns a better assignment, or an equal one if none was found. The given one is not changed.
   */
  public static Assignment improve(
      Assignment start, long steps, Effort effort, RandomGenerator random) {
    return new Spreading(start.copy(), random).search(steps, effort);
  }

  private Assignment search(long steps, Effort effort) {
    double least = clustering.total();
    double hottest = HOTTEST * typicalFrequency;
    for (long step = 0; step < steps && clustering.crowded().size() > 0; step++) {
      if (!effort.step()) {
        break;
      }
      double left = 1 - (double) step / steps;
      step(hottest * left * left);
      if (clustering.total() < least - 1e-12 * least) {
        least = clustering.total();
        sinceBest.clear();
      }
    }
    goBackToBest();
    return assignment;
  }

  private void goBackToBest() {
    for (int entry = sinceBest.size() - 3; entry >= 0; entry -= 3) {
      assignment.move(sinceBest.get(entry), sinceBest.get(entry + 2), sinceBest.get(entry + 1));
    }
  }

  private void step(double heat) {
    int set = clustering.crowded().get(random.nextInt(clustering.crowded().size()));
    int[] actors = problem.queries().sets()[set];
    int actor = actors[random.nextInt(actors.length)];
    int from = crowdedServer(set, actor);
    if (from < 0 || problem.actors().isPinned(actor, from)) {
      return;
    }
    best.change = Double.POSITIVE_INFINITY;
    int servers = problem.servers().count();
    for (int tried = 0; tried < Math.min(SERVERS_TRIED, servers); tried++) {
      int to = random.nextInt(servers);
      if (to != from && !assignment.holds(actor, to)) {
        tryMove(actor, from, to);
        tryExchanges(actor, from, to);
      }
    }
    if (best.change <= 0 || random.nextDouble() < Math.exp(-best.change / heat)) {
      best.make();
    }
  }

  /** Returns a most crowded server of the set that has a copy of the actor; -1 if there is none. */
  private int crowdedServer(int set, int actor) {
    for (int server : assignment.serversOf(actor)) {
      int count = clustering.count(set, server);
      if (count > 1 && count >= clustering.of(set)) {
        return server;
      }
    }
    return -1;
  }

  private void tryMove(int actor, int from, int to) {
    double load = assignment.loadOf(actor, from);
    if (!Exchanges.movable(assignment, actor, from, to)
        || Exchanges.unbalances(assignment, from, -load, to)) {
      return;
    }
    double change = clustering.moving(actor, from, to) + unevenness(from, to, load);
    best.consider(change, actor, from, to, -1);
  }

  private void tryExchanges(int actor, int from, int to) {
    double load = assignment.loadOf(actor, from);
    for (int place = 0; place < assignment.actorsOn(to).size(); place++) {
      int other = assignment.actorsOn(to).get(place);
      if (Exchanges.possible(assignment, actor, from, other, to)
          && !Exchanges.unbalances(assignment, from, assignment.loadOf(other, to) - load, to)) {
        double moved = load - assignment.loadOf(other, to);
        double change = clustering.exchanging(actor, from, other, to) + unevenness(from, to, moved);
        best.consider(change, actor, from, to, other);
      }
    }
  }

  /** Returns the change of the squared deviations of two servers from the mean if load moved. */
  private double unevenness(int from, int to, double moved) {
    double mean = problem.servers().meanLoad();
    if (mean <= 0) {
      return 0;
    }
    double difference = assignment.loadOf(to) - assignment.loadOf(from) + moved;
    return EVENNESS_WEIGHT * typicalFrequency * 2 * moved * difference / (mean * mean);
  }

  /** The best change that a step has seen. */
  private final class Change {
    private double change;
    private int actor;
    private int from;
    private int to;
    private int other;

    void consider(double crowding, int moved, int origin, int target, int exchanged) {
      if (crowding < change) {
        change = crowding;
        actor = moved;
        from = origin;
        to = target;
        other = exchanged;
      }
    }

    void make() {
      if (change == Double.POSITIVE_INFINITY) {
        return;
      }
      move(actor, from, to);
      if (other >= 0) {
        move(other, to, from);
      }
    }

    private void move(int moved, int origin, int target) {
      assignment.move(moved, origin, target);
      clustering.remove(moved, origin);
      clustering.add(moved, target);
      sinceBest.add(moved);
      sinceBest.add(origin);
      sinceBest.add(target);
    }
  }
}
