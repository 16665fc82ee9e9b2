package io.uniserve.policy.placement.model;

import java.util.Arrays;

/**
 * An assignment that is being built: copies with read shares, and their sums for each server. It
 * only counts; the caller must keep the constraints. It is not safe for use by several threads.
 */
public final class Assignment {
  private final Problem problem;
  private final int[][] servers;
  private final double[][] shares;
  private final IntBag[] actors;
  private final double[] load;
  private final long[] memory;

  /** Makes an assignment without copies. */
  public Assignment(Problem problem) {
    this.problem = problem;
    int actorCount = problem.actors().count();
    int serverCount = problem.servers().count();
    servers = new int[actorCount][0];
    shares = new double[actorCount][0];
    actors = new IntBag[serverCount];
    Arrays.setAll(actors, server -> new IntBag());
    load = new double[serverCount];
    memory = new long[serverCount];
  }

  /** Returns the problem that it solves. */
  public Problem problem() {
    return problem;
  }

  /** Returns the servers with a copy of an actor; the caller must not change the array. */
  public int[] serversOf(int actor) {
    return servers[actor];
  }

  /**
   * Returns the shares of these copies, in the same order; the caller must not change the array.
   */
  public double[] sharesOf(int actor) {
    return shares[actor];
  }

  /** Returns the actors with a copy on a server. */
  public IntBag actorsOn(int server) {
    return actors[server];
  }

  /** Returns the load of a server, Σ r_ij l_i. */
  public double loadOf(int server) {
    return load[server];
  }

  /** Returns the used memory of a server, Σ x_ij m_i, in bytes. */
  public long memoryOf(int server) {
    return memory[server];
  }

  /** Returns whether a server has a copy of an actor, x_ij. */
  public boolean holds(int actor, int server) {
    return place(actor, server) >= 0;
  }

  /** Returns the share of a copy, r_ij. */
  public double shareOf(int actor, int server) {
    int place = place(actor, server);
    return place < 0 ? 0 : shares[actor][place];
  }

  /** Returns the load of a copy, r_ij l_i. */
  public double loadOf(int actor, int server) {
    return shareOf(actor, server) * problem.actors().load()[actor];
  }

  /** Returns whether a server has the memory for one more copy of an actor. */
  public boolean hasMemory(int server, int actor) {
    return problem.actors().memory()[actor]
        <= problem.servers().memoryMax()[server] - memory[server];
  }

  /** Adds a copy to a server that has none of the actor. */
  public void add(int actor, int server, double share) {
    int count = servers[actor].length;
    servers[actor] = Arrays.copyOf(servers[actor], count + 1);
    shares[actor] = Arrays.copyOf(shares[actor], count + 1);
    servers[actor][count] = server;
    shares[actor][count] = share;
    actors[server].add(actor);
    load[server] += share * problem.actors().load()[actor];
    memory[server] += problem.actors().memory()[actor];
  }

  /** Removes a copy. The caller must give its share to another copy. */
  public void remove(int actor, int server) {
    int place = place(actor, server);
    load[server] -= shares[actor][place] * problem.actors().load()[actor];
    memory[server] -= problem.actors().memory()[actor];
    actors[server].remove(actor);
    int last = servers[actor].length - 1;
    servers[actor][place] = servers[actor][last];
    shares[actor][place] = shares[actor][last];
    servers[actor] = Arrays.copyOf(servers[actor], last);
    shares[actor] = Arrays.copyOf(shares[actor], last);
  }

  /** Moves a copy with its share to a server that has none. */
  public void move(int actor, int from, int to) {
    double share = shareOf(actor, from);
    remove(actor, from);
    add(actor, to, share);
  }

  /** Adds to the share of a copy; the addition may be negative. */
  public void addShare(int actor, int server, double share) {
    shares[actor][place(actor, server)] += share;
    load[server] += share * problem.actors().load()[actor];
  }

  /** Returns the number of copies on servers that did not hold the actor before: formula (9). */
  public int moves() {
    int moves = 0;
    for (int actor = 0; actor < servers.length; actor++) {
      for (int server : servers[actor]) {
        moves += problem.actors().holds(actor, server) ? 0 : 1;
      }
    }
    return moves;
  }

  /** Returns the distance of a load from the tolerated range; 0 within it. */
  public double excess(double serverLoad) {
    Problem.Servers limits = problem.servers();
    return Math.max(0, Math.max(serverLoad - limits.loadMax(), limits.loadMin() - serverLoad));
  }

  /** Returns a copy of this assignment. */
  public Assignment copy() {
    return copyInto(problem);
  }

  /** Returns the same copies for another problem with the same actors and servers. */
  public Assignment copyInto(Problem other) {
    Assignment copy = new Assignment(other);
    for (int actor = 0; actor < servers.length; actor++) {
      for (int place = 0; place < servers[actor].length; place++) {
        copy.add(actor, servers[actor][place], shares[actor][place]);
      }
    }
    return copy;
  }

  private int place(int actor, int server) {
    int[] places = servers[actor];
    for (int place = 0; place < places.length; place++) {
      if (places[place] == server) {
        return place;
      }
    }
    return -1;
  }
}
