package io.uniserve.policy.placement.model;

import java.util.Arrays;

/**
 * An assignment in the making: copies with read shares, and what they amount to on each server. The
 * caller keeps the constraints; this only counts. Not safe for use by several threads.
 */
public final class Assignment {
  private final Problem problem;
  private final int[][] servers;
  private final double[][] shares;
  private final IntBag[] actors;
  private final double[] load;
  private final long[] memory;

  /** Without any copy. */
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

  /** What it assigns. */
  public Problem problem() {
    return problem;
  }

  /** The servers with a copy of an actor; not to be changed. */
  public int[] serversOf(int actor) {
    return servers[actor];
  }

  /** The shares of these copies, in the same order; not to be changed. */
  public double[] sharesOf(int actor) {
    return shares[actor];
  }

  /** The actors with a copy on a server. */
  public IntBag actorsOn(int server) {
    return actors[server];
  }

  /** Σ r_ij l_i. */
  public double loadOf(int server) {
    return load[server];
  }

  /** Σ x_ij m_i, in bytes. */
  public long memoryOf(int server) {
    return memory[server];
  }

  /** x_ij. */
  public boolean holds(int actor, int server) {
    return place(actor, server) >= 0;
  }

  /** r_ij. */
  public double shareOf(int actor, int server) {
    int place = place(actor, server);
    return place < 0 ? 0 : shares[actor][place];
  }

  /** r_ij l_i. */
  public double loadOf(int actor, int server) {
    return shareOf(actor, server) * problem.actors().load()[actor];
  }

  /** Whether a server has the memory for one more copy of an actor. */
  public boolean hasMemory(int server, int actor) {
    return problem.actors().memory()[actor]
        <= problem.servers().memoryMax()[server] - memory[server];
  }

  /** Adds a copy where there is none. */
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

  /** Removes a copy; its share is nobody's until it is given to another. */
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

  /** Gives a copy more of the reads, or less. */
  public void addShare(int actor, int server, double share) {
    shares[actor][place(actor, server)] += share;
    load[server] += share * problem.actors().load()[actor];
  }

  /** Copies on servers that did not hold the actor before: formula (9). */
  public int moves() {
    int moves = 0;
    for (int actor = 0; actor < servers.length; actor++) {
      for (int server : servers[actor]) {
        moves += problem.actors().holds(actor, server) ? 0 : 1;
      }
    }
    return moves;
  }

  /** How far the load of a server would be outside of the tolerance. */
  public double excess(double serverLoad) {
    Problem.Servers limits = problem.servers();
    return Math.max(0, Math.max(serverLoad - limits.loadMax(), limits.loadMin() - serverLoad));
  }

  /** Another assignment that is the same now. */
  public Assignment copy() {
    return copyInto(problem);
  }

  /** The same copies for another problem over the same actors and servers. */
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
