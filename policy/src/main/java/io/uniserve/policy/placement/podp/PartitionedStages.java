package io.uniserve.policy.placement.podp;

import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Clustering;
import io.uniserve.policy.placement.model.InfeasibleException;
import io.uniserve.policy.placement.model.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Partitioned optimisation, POP (PODP §3.3): sticky parts that are solved separately and in
 * parallel.
 *
 * <p>The paper leaves open how the first partition is made. Here actors that are queried together
 * get into one part if queries then read from clearly fewer parts than now. Among placements of
 * equal clustering, those whose queries stay within one part have the shorter tail: the servers of
 * the part get the same work at the same time, so their queues are about equally long. Once made,
 * such parts are as sticky as others.
 *
 * <p>The result is never worse than that of Getafix+. If it would be, because parts are too small
 * for some queries or too full, the whole is solved as one problem.
 *
 * @param compute the time and processors that a decision may use
 * @param solver the solver
 * @param seed decides among equals
 * @param millisMax the longest time that it may take
 * @param parts the number of parts; 0 for a number that suits the queries
 * @param regroupBelow a share: parts are made anew if queries then read from fewer than this share
 *     of the parts that they read from now; 0 for never
 */
public record PartitionedStages(
    Compute compute, MilpSolver solver, long seed, long millisMax, int parts, double regroupBelow) {
  /** The share of the time for the parts. The rest is for solving the whole if they fail. */
  private static final double TIME_FOR_PARTS = 0.7;

  /**
   * Solves a problem.
   *
   * @throws InfeasibleException if no assignment meets the constraints
   */
  public Assignment solve(Problem problem) {
    LongSupplier millisLeft = compute.countdown(millisMax);
    Parts division = Parts.of(problem.servers().count(), partCount(problem));
    if (division.count() == 1) {
      return TwoStages.solve(problem, solver, seed, millisLeft);
    }
    Assignment whole;
    try {
      whole = solveParts(problem, division, millisLeft);
    } catch (InfeasibleException e) { // a part may be too full although the whole is not
      return TwoStages.solve(problem, solver, seed, millisLeft);
    }
    if (new Clustering(whole).crowded().size() == 0) {
      return whole;
    }
    Assignment undivided = TwoStages.solve(problem, solver, seed, millisLeft);
    return TwoStages.isLessClustered(undivided, whole) ? undivided : whole;
  }

  private int partCount(Problem problem) {
    int servers = problem.servers().count();
    int copies = Arrays.stream(problem.actors().copiesMin()).max().orElse(1);
    int most = Math.max(1, servers / Math.max(2, copies));
    int wanted = parts > 0 ? parts : servers / Math.max(1, typicalSize(problem));
    return Math.clamp(wanted, 1, most);
  }

  /** Returns the number of actors that nine of ten queries do not exceed. */
  private static int typicalSize(Problem problem) {
    Problem.Queries queries = problem.queries();
    int[] bySize =
        IntStream.range(0, queries.count())
            .boxed()
            .sorted((one, other) -> queries.sets()[one].length - queries.sets()[other].length)
            .mapToInt(Integer::intValue)
            .toArray();
    double left = 0.9 * Arrays.stream(queries.frequency()).sum();
    for (int set : bySize) {
      left -= queries.frequency()[set];
      if (left <= 0) {
        return queries.sets()[set].length;
      }
    }
    return problem.servers().count();
  }

  private Assignment solveParts(Problem problem, Parts division, LongSupplier millisLeft) {
    double[][] portions = StickyPartition.divide(problem, division, previous(problem, division));
    long rounds = Math.ceilDiv(division.count(), compute.processors());
    long millisOfPart =
        (long) (TIME_FOR_PARTS * Math.min(millisMax, millisLeft.getAsLong()) / rounds);
    List<SubProblem> subProblems =
        IntStream.range(0, division.count())
            .mapToObj(part -> SubProblem.of(problem, division, portions, part))
            .toList();
    List<Assignment> solutions =
        compute.runAll(
            subProblems.stream()
                .<Callable<Assignment>>map(sub -> () -> solvePart(sub, millisOfPart))
                .toList());
    Assignment whole = new Assignment(problem);
    for (int part = 0; part < division.count(); part++) {
      subProblems.get(part).addTo(whole, solutions.get(part));
    }
    return whole;
  }

  private Assignment solvePart(SubProblem part, long millis) {
    return TwoStages.solve(part.problem(), solver, seed, compute.countdown(millis));
  }

  private int[] previous(Problem problem, Parts division) {
    int[] present = division.present(problem);
    if (regroupBelow <= 0) {
      return present;
    }
    int[] byQueries = division.byQueries(problem);
    boolean allNew = Arrays.stream(present).allMatch(part -> part < 0);
    boolean better =
        division.cut(problem, byQueries) < regroupBelow * division.cut(problem, present);
    return allNew || better ? byQueries : present;
  }
}
