package io.uniserve.policy.scanning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An optimal schedule of unit jobs: an f-edge-colouring of the bipartite graph of scans and servers
 * (PNUTS, proof of Theorem 1). Each vertex is divided into as many as it may have edges of one
 * colour, and the edges are then coloured so that no two at a vertex are alike (König).
 */
final class Colouring {
  private final int[][] edgeAt;
  private final List<int[]> edges = new ArrayList<>();
  private final int[] colourOf;
  private final int colours;

  private Colouring(int vertices, int edgeCount, int colours) {
    this.colours = colours;
    edgeAt = new int[vertices][colours];
    Arrays.stream(edgeAt).forEach(row -> Arrays.fill(row, -1));
    colourOf = new int[edgeCount];
  }

  /** Returns the step of each job, in order of scans and servers. */
  static int[] steps(int[] parallelism, int[][] jobs, int[] slots) {
    int colours = (int) Makespans.optimum(parallelism, jobs, slots);
    int count = Arrays.stream(jobs).flatMapToInt(Arrays::stream).sum();
    int left = Arrays.stream(parallelism).sum();
    Colouring colouring = new Colouring(left + Arrays.stream(slots).sum(), count, colours);
    int[] usedOfServer = new int[slots.length];
    int firstOfScan = 0;
    for (int scan = 0; scan < jobs.length; scan++) {
      int usedOfScan = 0;
      for (int server = 0; server < slots.length; server++) {
        for (int job = 0; job < jobs[scan][server]; job++) {
          int from = firstOfScan + usedOfScan++ % parallelism[scan];
          int firstOfServer = left + Arrays.stream(slots).limit(server).sum();
          colouring.add(from, firstOfServer + usedOfServer[server]++ % slots[server]);
        }
      }
      firstOfScan += parallelism[scan];
    }
    return colouring.colourOf;
  }

  private void add(int from, int to) {
    int edge = edges.size();
    edges.add(new int[] {from, to});
    int free = free(from);
    int other = free(to);
    if (edgeAt[to][free] >= 0) {
      exchange(to, free, other);
    }
    paint(edge, free);
  }

  /** Exchanges two colours along the path that begins with the one; the path does not come back. */
  private void exchange(int vertex, int one, int other) {
    List<Integer> path = new ArrayList<>();
    int at = vertex;
    int colour = one;
    while (edgeAt[at][colour] >= 0) {
      int edge = edgeAt[at][colour];
      path.add(edge);
      at = edges.get(edge)[0] == at ? edges.get(edge)[1] : edges.get(edge)[0];
      colour = colour == one ? other : one;
    }
    for (int edge : path) {
      for (int end : edges.get(edge)) {
        edgeAt[end][colourOf[edge]] = -1;
      }
    }
    path.forEach(edge -> paint(edge, colourOf[edge] == one ? other : one));
  }

  private void paint(int edge, int colour) {
    colourOf[edge] = colour;
    for (int end : edges.get(edge)) {
      edgeAt[end][colour] = edge;
    }
  }

  private int free(int vertex) {
    for (int colour = 0; colour < colours; colour++) {
      if (edgeAt[vertex][colour] < 0) {
        return colour;
      }
    }
    throw new AssertionError("vertex " + vertex + " has no free colour");
  }
}
