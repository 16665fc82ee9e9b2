package io.uniserve.policy.placement.model;

import java.util.List;

/**
 * A placement problem (PODP §3.2, table 1). Actors, servers and query sets are numbered from 0. The
 * arrays belong to the problem and must not be changed.
 */
public record Problem(Servers servers, Actors actors, Queries queries, Names names) {

  /**
   * The servers that may hold copies; all serve the same load.
   *
   * @param memoryMax C_j in bytes; {@link Long#MAX_VALUE} if not limited
   * @param loadMin the least load of a server, L - ε
   * @param loadMax the greatest load of a server, L + ε
   */
  public record Servers(long[] memoryMax, double loadMin, double loadMax) {
    /** Returns N, the number of servers. */
    public int count() {
      return memoryMax.length;
    }

    /** Returns L, the load of a server if all have the same. */
    public double meanLoad() {
      return (loadMin + loadMax) / 2;
    }
  }

  /**
   * The actors.
   *
   * @param load l_i
   * @param memory m_i in bytes
   * @param copiesMin R of each actor, not above the number of servers
   * @param held the servers with a copy of it now, the primary first
   * @param pinned the servers that must have a copy of it
   */
  public record Actors(
      double[] load, long[] memory, int[] copiesMin, int[][] held, int[][] pinned) {
    /** Returns M, the number of actors. */
    public int count() {
      return load.length;
    }

    /** Returns whether a server holds a copy now (t_ij = 0). */
    public boolean holds(int actor, int server) {
      return contains(held[actor], server);
    }

    /** Returns whether a server must have a copy. */
    public boolean isPinned(int actor, int server) {
      return contains(pinned[actor], server);
    }

    private static boolean contains(int[] servers, int wanted) {
      for (int server : servers) {
        if (server == wanted) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * The query sets.
   *
   * @param sets the actors of each set s, ascending
   * @param frequency f_s
   * @param setsOf the sets that each actor is in, ascending
   */
  public record Queries(int[][] sets, double[] frequency, int[][] setsOf) {
    /** Returns the number of sets. */
    public int count() {
      return sets.length;
    }

    /** Makes the query sets for a number of actors. */
    public static Queries of(int actors, int[][] sets, double[] frequency) {
      int[] sizes = new int[actors];
      for (int[] set : sets) {
        for (int actor : set) {
          sizes[actor]++;
        }
      }
      int[][] setsOf = new int[actors][];
      for (int actor = 0; actor < actors; actor++) {
        setsOf[actor] = new int[sizes[actor]];
      }
      for (int set = sets.length - 1; set >= 0; set--) {
        for (int actor : sets[set]) {
          setsOf[actor][--sizes[actor]] = set;
        }
      }
      return new Queries(sets, frequency, setsOf);
    }

    /** Makes an empty collection of query sets for a number of actors. */
    public static Queries none(int actors) {
      return of(actors, new int[0][], new double[0]);
    }
  }

  /** The names of servers and actors for messages. */
  public record Names(List<String> servers, List<String> actors) {}

  /** Returns this problem with other load limits. */
  public Problem withLoads(double loadMin, double loadMax) {
    return new Problem(new Servers(servers.memoryMax(), loadMin, loadMax), actors, queries, names);
  }

  /** Returns this problem without query sets. */
  public Problem withoutQueries() {
    return new Problem(servers, actors, Queries.none(actors.count()), names);
  }

  /**
   * Returns a lower bound of the clustering of a set: c_s is at least 1, and at least its copies
   * divided by N.
   */
  public int leastClustering(int set) {
    int copies = 0;
    for (int actor : queries.sets()[set]) {
      copies += actors.copiesMin()[actor];
    }
    return Math.max(1, Math.ceilDiv(copies, servers.count()));
  }
}
