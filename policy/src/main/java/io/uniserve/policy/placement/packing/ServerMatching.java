package io.uniserve.policy.placement.packing;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Problem;
import java.util.Arrays;

/**
 * An assignment of packed bins to servers with the fewest moves: a bipartite matching of greatest
 * overlap, by the Hungarian method, as in Getafix. It requires interchangeable servers: equal
 * memory and no pins.
 */
public final class ServerMatching {
  private final int count;
  private final int[][] overlap;
  private final double[] rowPotential;
  private final double[] columnPotential;
  private final int[] rowOf;
  private final int[] way;

  private ServerMatching(int[][] overlap) {
    this.overlap = overlap;
    count = overlap.length;
    rowPotential = new double[count + 1];
    columnPotential = new double[count + 1];
    rowOf = new int[count + 1];
    way = new int[count + 1];
  }

  /** Returns the same bins on matched servers. */
  public static Assignment fewestMoves(Assignment assignment) {
    Problem problem = assignment.problem();
    if (!interchangeable(problem)) {
      return assignment;
    }
    int[] serverOf = new ServerMatching(overlaps(assignment)).match();
    Assignment matched = new Assignment(problem);
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      int[] bins = assignment.serversOf(actor);
      for (int place = 0; place < bins.length; place++) {
        matched.add(actor, serverOf[bins[place]], assignment.sharesOf(actor)[place]);
      }
    }
    return matched;
  }

  private static boolean interchangeable(Problem problem) {
    long[] memory = problem.servers().memoryMax();
    return Arrays.stream(memory).allMatch(max -> max == memory[0])
        && Arrays.stream(problem.actors().pinned()).allMatch(pins -> pins.length == 0);
  }

  private static int[][] overlaps(Assignment assignment) {
    Problem problem = assignment.problem();
    int[][] overlap = new int[problem.servers().count()][problem.servers().count()];
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      for (int bin : assignment.serversOf(actor)) {
        for (int server : problem.actors().held()[actor]) {
          overlap[bin][server]++;
        }
      }
    }
    return overlap;
  }

  /**
   * Returns the server of each bin. Rows and columns count from 1, as in the method; 0 is unused.
   */
  private int[] match() {
    for (int row = 1; row <= count; row++) {
      augment(row);
    }
    int[] serverOf = new int[count];
    for (int column = 1; column <= count; column++) {
      serverOf[rowOf[column] - 1] = column - 1;
    }
    return serverOf;
  }

  private void augment(int row) {
    double[] slack = new double[count + 1];
    boolean[] visited = new boolean[count + 1];
    Arrays.fill(slack, Double.POSITIVE_INFINITY);
    rowOf[0] = row;
    int column = 0;
    while (rowOf[column] != 0) {
      visited[column] = true;
      column = advance(column, slack, visited);
    }
    while (column != 0) {
      rowOf[column] = rowOf[way[column]];
      column = way[column];
    }
  }

  private int advance(int column, double[] slack, boolean[] visited) {
    int row = rowOf[column];
    int next = 0;
    double delta = Double.POSITIVE_INFINITY;
    for (int other = 1; other <= count; other++) {
      if (visited[other]) {
        continue;
      }
      double reduced = -overlap[row - 1][other - 1] - rowPotential[row] - columnPotential[other];
      if (reduced < slack[other]) {
        slack[other] = reduced;
        way[other] = column;
      }
      if (slack[other] < delta) {
        delta = slack[other];
        next = other;
      }
    }
    for (int other = 0; other <= count; other++) {
      if (visited[other]) {
        rowPotential[rowOf[other]] += delta;
        columnPotential[other] -= delta;
      } else {
        slack[other] -= delta;
      }
    }
    return next;
  }
}
