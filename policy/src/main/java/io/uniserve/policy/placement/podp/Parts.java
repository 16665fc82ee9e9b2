package io.uniserve.policy.placement.podp;

import io.uniserve.policy.placement.model.Problem;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A division of the servers into parts of equal size, in the order of their names, so that the same
 * servers form the same parts in every round.
 *
 * @param ofServer the part of each server
 * @param servers the servers of each part
 */
record Parts(int[] ofServer, int[][] servers) {

  static Parts of(int serverCount, int parts) {
    int[] ofServer =
        IntStream.range(0, serverCount)
            .map(server -> (int) ((long) server * parts / serverCount))
            .toArray();
    int[][] servers =
        IntStream.range(0, parts)
            .mapToObj(
                part ->
                    IntStream.range(0, serverCount)
                        .filter(server -> ofServer[server] == part)
                        .toArray())
            .toArray(int[][]::new);
    return new Parts(ofServer, servers);
  }

  int count() {
    return servers.length;
  }

  /** Returns the load that a part should serve. */
  double load(Problem problem, int part) {
    return problem.servers().meanLoad() * servers[part].length;
  }

  /**
   * Returns the memory of a part's servers, or {@link Long#MAX_VALUE} if one of them has no limit.
   */
  long memory(Problem problem, int part) {
    long sum = 0;
    for (int server : servers[part]) {
      long max = problem.servers().memoryMax()[server];
      sum = max > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + max;
    }
    return sum;
  }

  /** Returns the part of each actor's first copy; -1 for an actor without copies. */
  int[] present(Problem problem) {
    return Arrays.stream(problem.actors().held())
        .mapToInt(held -> held.length == 0 ? -1 : ofServer[held[0]])
        .toArray();
  }

  /**
   * Returns parts of actors that are queried together: the order of {@link Affinity}, cut by load.
   */
  int[] byQueries(Problem problem) {
    int[] order = Affinity.order(problem);
    int[] partOf = new int[order.length];
    int part = 0;
    double end = load(problem, 0);
    double sum = 0;
    for (int actor : order) {
      double load = problem.actors().load()[actor];
      while (part + 1 < count() && sum + load / 2 > end) {
        part++;
        end += load(problem, part);
      }
      partOf[actor] = part;
      sum += load;
    }
    return partOf;
  }

  /**
   * Returns the number of parts that queries read from, Σ f_s × parts, with each actor in one part.
   */
  double cut(Problem problem, int[] partOf) {
    Problem.Queries queries = problem.queries();
    int[] seen = new int[count()];
    Arrays.fill(seen, -1);
    double cut = 0;
    for (int set = 0; set < queries.count(); set++) {
      for (int actor : queries.sets()[set]) {
        int part = partOf[actor];
        if (part >= 0 && seen[part] != set) {
          seen[part] = set;
          cut += queries.frequency()[set];
        }
      }
    }
    return cut;
  }
}
