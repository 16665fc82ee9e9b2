package io.uniserve.policy.placement.podp;

import io.uniserve.policy.placement.model.Problem;
import java.util.Arrays;

/**
 * An order of all actors in which those that are queried together are near each other: each actor
 * is followed by the one that most queries read together with it. For queries over consecutive
 * ranges that is the order of the ranges.
 */
public final class Affinity {
  private final Problem.Queries queries;
  private final int actors;
  private final double[] toLast;
  private final double[] toAll;
  private final boolean[] placed;

  private Affinity(Problem problem) {
    queries = problem.queries();
    actors = problem.actors().count();
    toLast = new double[actors];
    toAll = new double[actors];
    placed = new boolean[actors];
  }

  /** Returns the actors in that order. */
  public static int[] order(Problem problem) {
    return new Affinity(problem).order();
  }

  /** Returns each actor's place in that order. */
  public static long[] ranks(Problem problem) {
    int[] order = order(problem);
    long[] ranks = new long[order.length];
    for (int place = 0; place < order.length; place++) {
      ranks[order[place]] = place;
    }
    return ranks;
  }

  private int[] order() {
    int[] order = new int[actors];
    int next = 0;
    for (int place = 0; place < actors; place++) {
      order[place] = next;
      placed[next] = true;
      if (place + 1 < actors) {
        next = follower(next);
      }
    }
    return order;
  }

  private int follower(int last) {
    Arrays.fill(toLast, 0);
    int best = -1;
    for (int set : queries.setsOf()[last]) {
      for (int other : queries.sets()[set]) {
        toLast[other] += queries.frequency()[set];
        toAll[other] += queries.frequency()[set];
      }
    }
    for (int set : queries.setsOf()[last]) {
      for (int other : queries.sets()[set]) {
        if (!placed[other] && (best < 0 || isNearer(other, best))) {
          best = other;
        }
      }
    }
    return best >= 0 ? best : nearestToAll();
  }

  private boolean isNearer(int one, int other) {
    int byLast = Double.compare(toLast[one], toLast[other]);
    int byAll = byLast != 0 ? byLast : Double.compare(toAll[one], toAll[other]);
    return byAll != 0 ? byAll > 0 : one < other;
  }

  private int nearestToAll() {
    int best = -1;
    for (int other = 0; other < actors; other++) {
      if (!placed[other] && (best < 0 || toAll[other] > toAll[best])) {
        best = other;
      }
    }
    return best;
  }
}
