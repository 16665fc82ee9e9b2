package io.uniserve.policy.placement.podp;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The problem of one part: its servers, its portions of actors, and the query sets restricted to
 * these actors.
 *
 * @param problem the problem, with actors and servers numbered anew
 * @param servers the servers' numbers in the whole problem
 * @param actors the actors' numbers in the whole problem
 * @param portions the portions of the actors' load
 */
record SubProblem(Problem problem, int[] servers, int[] actors, double[] portions) {

  static SubProblem of(Problem whole, Parts parts, double[][] portions, int part) {
    int[] servers = parts.servers()[part];
    int[] actors =
        IntStream.range(0, portions.length).filter(actor -> portions[actor][part] > 0).toArray();
    double[] own = Arrays.stream(actors).mapToDouble(actor -> portions[actor][part]).toArray();
    long[] memoryMax =
        Arrays.stream(servers).mapToLong(server -> whole.servers().memoryMax()[server]).toArray();
    Problem problem =
        new Problem(
            new Problem.Servers(memoryMax, whole.servers().loadMin(), whole.servers().loadMax()),
            actors(whole, servers, actors, portions, part),
            queries(whole, actors),
            new Problem.Names(
                Arrays.stream(servers).mapToObj(whole.names().servers()::get).toList(),
                Arrays.stream(actors).mapToObj(whole.names().actors()::get).toList()));
    return new SubProblem(problem, servers, actors, own);
  }

  private static Problem.Actors actors(
      Problem whole, int[] servers, int[] actors, double[][] portions, int part) {
    Problem.Actors all = whole.actors();
    double[] load = new double[actors.length];
    long[] memory = new long[actors.length];
    int[] copiesMin = new int[actors.length];
    int[][] held = new int[actors.length][];
    int[][] pinned = new int[actors.length][];
    for (int place = 0; place < actors.length; place++) {
      int actor = actors[place];
      load[place] = all.load()[actor] * portions[actor][part];
      memory[place] = all.memory()[actor];
      copiesMin[place] =
          Math.min(servers.length, copies(all.copiesMin()[actor], portions[actor], part));
      held[place] = within(all.held()[actor], servers);
      pinned[place] = within(all.pinned()[actor], servers);
    }
    return new Problem.Actors(load, memory, copiesMin, held, pinned);
  }

  /**
   * Returns the number of copies of an actor in a part. Each other part with a portion has one
   * copy; the part with the greatest portion has the rest.
   */
  private static int copies(int wanted, double[] portions, int part) {
    int others = 0;
    boolean greatest = true;
    for (int other = 0; other < portions.length; other++) {
      if (other != part && portions[other] > 0) {
        others++;
        greatest &=
            portions[part] > portions[other] || portions[part] == portions[other] && part < other;
      }
    }
    return greatest ? Math.max(1, wanted - others) : 1;
  }

  private static int[] within(int[] wanted, int[] servers) {
    return Arrays.stream(wanted)
        .map(server -> Arrays.binarySearch(servers, server))
        .filter(place -> place >= 0)
        .toArray();
  }

  private static Problem.Queries queries(Problem whole, int[] actors) {
    List<int[]> sets = new ArrayList<>();
    List<Double> frequencies = new ArrayList<>();
    int[] placeOf = new int[whole.actors().count()];
    Arrays.fill(placeOf, -1);
    for (int place = 0; place < actors.length; place++) {
      placeOf[actors[place]] = place;
    }
    for (int set = 0; set < whole.queries().count(); set++) {
      int[] left =
          Arrays.stream(whole.queries().sets()[set])
              .map(actor -> placeOf[actor])
              .filter(place -> place >= 0)
              .toArray();
      if (left.length > 1) {
        sets.add(left);
        frequencies.add(whole.queries().frequency()[set]);
      }
    }
    return Problem.Queries.of(
        actors.length,
        sets.toArray(int[][]::new),
        frequencies.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** Adds a solution to the assignment of the whole. */
  void addTo(Assignment whole, Assignment solution) {
    for (int place = 0; place < actors.length; place++) {
      int[] own = solution.serversOf(place);
      for (int copy = 0; copy < own.length; copy++) {
        whole.add(
            actors[place], servers[own[copy]], solution.sharesOf(place)[copy] * portions[place]);
      }
    }
  }
}
