package io.uniserve.policy.placement.model;

import java.util.Arrays;

/**
 * The number of copies of each query set on each server, and so c_s of every set (PODP §3.1). It
 * can tell the effect of a change without making it.
 *
 * <p>Search minimises the <b>crowding</b> of an assignment: Σ f_s c_s plus, with a small weight, Σ
 * f_s times the pairs of copies that share a server. The pairs distinguish assignments of equal
 * clustering, since some of them are nearer to a better one than others.
 */
public final class Clustering {
  /**
   * The weight of a pair against a clustering of one. It is so small that a set's pairs rarely
   * outweigh it.
   */
  private static final double PAIR_WEIGHT = 1.0 / 64;

  private final Problem problem;
  private final int servers;
  private final short[] counts;
  private final int[][] serversByCount;
  private final int[] greatest;
  private final int[] least;
  private final Crowded crowded;
  private double total;

  /**
   * Makes the clustering of an assignment. The caller must report later changes of the assignment.
   */
  public Clustering(Assignment assignment) {
    problem = assignment.problem();
    servers = problem.servers().count();
    int sets = problem.queries().count();
    counts = new short[Math.multiplyExact(sets, servers)];
    serversByCount = new int[sets][];
    greatest = new int[sets];
    least = new int[sets];
    crowded = new Crowded(sets);
    for (int set = 0; set < sets; set++) {
      serversByCount[set] = new int[problem.queries().sets()[set].length + 2];
      serversByCount[set][0] = servers;
      least[set] = problem.leastClustering(set);
    }
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      for (int server : assignment.serversOf(actor)) {
        add(actor, server);
      }
    }
  }

  /** Returns c_s of a set. */
  public int of(int set) {
    return greatest[set];
  }

  /** Returns c_s of all sets. */
  public int[] ofAll() {
    return greatest.clone();
  }

  /** Returns Σ f_s c_s, formula (1). */
  public double total() {
    return total;
  }

  /** Returns the mean of c_s over all queries: Σ f_s c_s / Σ f_s; 1 without queries. */
  public double mean() {
    double frequencies = Arrays.stream(problem.queries().frequency()).sum();
    return frequencies == 0 ? 1 : total / frequencies;
  }

  /** Returns the number of copies of a set on a server. */
  public int count(int set, int server) {
    return counts[set * servers + server];
  }

  /** Returns the sets whose clustering is above its lower bound. */
  public Crowded crowded() {
    return crowded;
  }

  /** Records that a copy was added. */
  public void add(int actor, int server) {
    for (int set : problem.queries().setsOf()[actor]) {
      int count = counts[set * servers + server]++;
      int[] histogram = serversByCount[set];
      histogram[count]--;
      histogram[count + 1]++;
      if (count + 1 > greatest[set]) {
        setGreatest(set, count + 1);
      }
    }
  }

  /** Records that a copy was removed. */
  public void remove(int actor, int server) {
    for (int set : problem.queries().setsOf()[actor]) {
      int count = counts[set * servers + server]--;
      int[] histogram = serversByCount[set];
      histogram[count]--;
      histogram[count - 1]++;
      if (count == greatest[set] && histogram[count] == 0) {
        setGreatest(set, count - 1);
      }
    }
  }

  private void setGreatest(int set, int value) {
    total += problem.queries().frequency()[set] * (value - greatest[set]);
    greatest[set] = value;
    crowded.put(set, value > least[set]);
  }

  /** Returns the change of the crowding if a copy moved; negative if the move helps. */
  public double moving(int actor, int from, int to) {
    double change = 0;
    for (int set : problem.queries().setsOf()[actor]) {
      change += movingIn(set, from, to);
    }
    return change;
  }

  /**
   * Returns the change of the crowding if the copies of two actors on two servers were exchanged.
   */
  public double exchanging(int one, int serverOfOne, int other, int serverOfOther) {
    double change = 0;
    int[] ofOne = problem.queries().setsOf()[one];
    int[] ofOther = problem.queries().setsOf()[other];
    int i = 0;
    int j = 0;
    while (i < ofOne.length || j < ofOther.length) {
      int next = i < ofOne.length ? ofOne[i] : Integer.MAX_VALUE;
      int nextOther = j < ofOther.length ? ofOther[j] : Integer.MAX_VALUE;
      if (next < nextOther) {
        change += movingIn(next, serverOfOne, serverOfOther);
        i++;
      } else if (nextOther < next) {
        change += movingIn(nextOther, serverOfOther, serverOfOne);
        j++;
      } else { // both are in the set: it has as many copies on each server as before
        i++;
        j++;
      }
    }
    return change;
  }

  private double movingIn(int set, int from, int to) {
    int left = counts[set * servers + from];
    int joined = counts[set * servers + to] + 1;
    int pairs = joined - left;
    return problem.queries().frequency()[set]
        * (greatestAfter(set, left, joined) - greatest[set] + PAIR_WEIGHT * pairs);
  }

  /** Returns whether a move of a copy would keep every set within its limit. */
  public boolean allows(int actor, int to, int[] limits) {
    for (int set : problem.queries().setsOf()[actor]) {
      if (counts[set * servers + to] + 1 > limits[set]) {
        return false;
      }
    }
    return true;
  }

  /** Returns c_s after a copy has moved between two servers, from their numbers of copies. */
  private int greatestAfter(int set, int left, int joined) {
    int now = greatest[set];
    if (joined > now) {
      return joined;
    }
    boolean lastOfThem = left == now && serversByCount[set][now] == 1;
    return lastOfThem && joined < now ? now - 1 : now;
  }
}
