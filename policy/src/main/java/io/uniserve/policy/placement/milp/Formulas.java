package io.uniserve.policy.placement.milp;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Clustering;
import io.uniserve.policy.placement.model.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The formulas of PODP §3.2 for one problem. Variables r_ij and x_ij for every actor i and server
 * j, and in stage 1 c_s for every set s that has more than one copy.
 *
 * <p>Differences from the paper: c_s is at least 1, and at least the set's copies divided by the
 * servers (without such a bound the relaxation is 0 and no solver gets anywhere); (6) stands as x
 * <= r + 0.9999, only where R > 1; pinned copies have x = 1; rows that always hold are left out.
 */
public final class Formulas {
  private static final double NO_BOUND = Double.POSITIVE_INFINITY;
  private static final double ALMOST_ONE = 0.9999;
  private static final double GAP_OF_STAGE_ONE = 1e-4;

  private final Problem problem;
  private final int actors;
  private final int servers;
  private final Assignment start;
  private final List<Milp.Variable> variables = new ArrayList<>();
  private final List<Milp.Row> rows = new ArrayList<>();

  private Formulas(Assignment start) {
    this.start = start;
    problem = start.problem();
    actors = problem.actors().count();
    servers = problem.servers().count();
  }

  /** Returns the number of variables that the program of a problem has. */
  public static long variables(Problem problem) {
    return 2L * problem.actors().count() * problem.servers().count() + problem.queries().count();
  }

  /** Makes P_c, the program of the least clustering: formulas (1) to (8). */
  public static Milp stageOne(Assignment start) {
    Formulas formulas = new Formulas(start);
    formulas.addCopies((actor, server) -> 0);
    formulas.addConstraints();
    formulas.addClustering(new Clustering(start));
    return new Milp(formulas.variables, formulas.rows, GAP_OF_STAGE_ONE);
  }

  /**
   * Makes P_bal, the program of the fewest moves: formulas (9), (10) and (2) to (7).
   *
   * @param limits c_s of every set
   * @param gap the allowed distance from the optimum, relative to the moves
   */
  public static Milp stageTwo(Assignment start, int[] limits, double gap) {
    Formulas formulas = new Formulas(start);
    Problem.Actors actors = formulas.problem.actors();
    formulas.addCopies((actor, server) -> actors.holds(actor, server) ? 0 : 1);
    formulas.addConstraints();
    formulas.addLimits(limits);
    return new Milp(formulas.variables, formulas.rows, gap);
  }

  /** Returns the assignment that the values of a program's variables stand for. */
  public static Assignment read(Problem problem, double[] values) {
    return new Reading(problem, values).assignment();
  }

  static int share(Problem problem, int actor, int server) {
    return 2 * (actor * problem.servers().count() + server);
  }

  static int copy(Problem problem, int actor, int server) {
    return share(problem, actor, server) + 1;
  }

  @FunctionalInterface
  private interface CopyCost {
    double of(int actor, int server);
  }

  private void addCopies(CopyCost cost) {
    for (int actor = 0; actor < actors; actor++) {
      for (int server = 0; server < servers; server++) {
        double share = start.shareOf(actor, server);
        double pinned = problem.actors().isPinned(actor, server) ? 1 : 0;
        double held = start.holds(actor, server) ? 1 : 0;
        variables.add(new Milp.Variable(0, 1, false, 0, share));
        variables.add(new Milp.Variable(pinned, 1, true, cost.of(actor, server), held));
      }
    }
  }

  private void addConstraints() {
    for (int server = 0; server < servers; server++) {
      addLoad(server);
      addMemory(server);
    }
    for (int actor = 0; actor < actors; actor++) {
      addShares(actor);
      addReplication(actor);
    }
  }

  /** Adds formula (2), in units of the mean load. */
  private void addLoad(int server) {
    Problem.Servers limits = problem.servers();
    double mean = limits.meanLoad();
    if (mean <= 0) {
      return;
    }
    int[] over = new int[actors];
    double[] loads = new double[actors];
    for (int actor = 0; actor < actors; actor++) {
      over[actor] = share(problem, actor, server);
      loads[actor] = problem.actors().load()[actor] / mean;
    }
    rows.add(new Milp.Row(limits.loadMin() / mean, limits.loadMax() / mean, over, loads));
  }

  /** Adds formula (4), in units of the capacity. */
  private void addMemory(int server) {
    long max = problem.servers().memoryMax()[server];
    if (max == Long.MAX_VALUE) {
      return;
    }
    int[] over = new int[actors];
    double[] memory = new double[actors];
    for (int actor = 0; actor < actors; actor++) {
      over[actor] = copy(problem, actor, server);
      memory[actor] = problem.actors().memory()[actor] / (double) Math.max(1, max);
    }
    rows.add(new Milp.Row(-NO_BOUND, 1, over, memory));
  }

  /** Adds formulas (3), (5) and (6). */
  private void addShares(int actor) {
    int[] over = new int[servers];
    for (int server = 0; server < servers; server++) {
      over[server] = share(problem, actor, server);
      int[] pair = {share(problem, actor, server), copy(problem, actor, server)};
      rows.add(new Milp.Row(-NO_BOUND, 0, pair, new double[] {1, -1}));
      if (problem.actors().copiesMin()[actor] > 1) {
        rows.add(new Milp.Row(-NO_BOUND, ALMOST_ONE, pair, new double[] {-1, 1}));
      }
    }
    rows.add(new Milp.Row(1, 1, over, ones(servers)));
  }

  /** Adds formula (7). */
  private void addReplication(int actor) {
    int copies = problem.actors().copiesMin()[actor];
    if (copies > 1) {
      int[] over = new int[servers];
      for (int server = 0; server < servers; server++) {
        over[server] = copy(problem, actor, server);
      }
      rows.add(new Milp.Row(copies, NO_BOUND, over, ones(servers)));
    }
  }

  /** Adds formulas (1) and (8). */
  private void addClustering(Clustering clustering) {
    for (int set = 0; set < problem.queries().count(); set++) {
      int size = problem.queries().sets()[set].length;
      int variable = variables.size();
      variables.add(
          new Milp.Variable(
              problem.leastClustering(set),
              Math.max(size, clustering.of(set)),
              true,
              problem.queries().frequency()[set],
              clustering.of(set)));
      if (size > 1) {
        addClusteringRows(set, variable);
      }
    }
  }

  private void addClusteringRows(int set, int variable) {
    int size = problem.queries().sets()[set].length;
    for (int server = 0; server < servers; server++) {
      int[] over = copies(set, server, size + 1);
      over[size] = variable;
      double[] coefficients = ones(size + 1);
      coefficients[size] = -1;
      rows.add(new Milp.Row(-NO_BOUND, 0, over, coefficients));
    }
  }

  /** Adds formula (10). */
  private void addLimits(int[] limits) {
    for (int set = 0; set < problem.queries().count(); set++) {
      int size = problem.queries().sets()[set].length;
      for (int server = 0; server < servers && size > limits[set]; server++) {
        rows.add(new Milp.Row(-NO_BOUND, limits[set], copies(set, server, size), ones(size)));
      }
    }
  }

  private int[] copies(int set, int server, int length) {
    int[] members = problem.queries().sets()[set];
    int[] over = new int[length];
    for (int place = 0; place < members.length; place++) {
      over[place] = copy(problem, members[place], server);
    }
    return over;
  }

  private static double[] ones(int count) {
    double[] ones = new double[count];
    Arrays.fill(ones, 1);
    return ones;
  }
}
