package io.uniserve.policy.placement.podp;

import io.uniserve.policy.placement.milp.Formulas;
import io.uniserve.policy.placement.milp.Milp;
import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Clustering;
import io.uniserve.policy.placement.model.Constraints;
import io.uniserve.policy.placement.model.InfeasibleException;
import io.uniserve.policy.placement.model.Problem;
import io.uniserve.policy.placement.packing.CoScan;
import io.uniserve.policy.placement.packing.Packing;
import io.uniserve.policy.placement.search.Balancer;
import io.uniserve.policy.placement.search.Effort;
import io.uniserve.policy.placement.search.HeldCopies;
import io.uniserve.policy.placement.search.Homing;
import io.uniserve.policy.placement.search.Levelling;
import io.uniserve.policy.placement.search.SeededRandom;
import io.uniserve.policy.placement.search.Spreading;
import io.uniserve.policy.placement.search.SurplusCopies;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The two stages of PODP §3.2 for one problem: the least clustering, then the fewest moves that
 * keep it. Between them load is made as level as clustering allows, and stage 2 keeps this level.
 * In each stage search runs first, and the solver starts from its result. The better valid answer
 * is kept. If search reaches the lower bound of stage 1, the solver is not needed.
 *
 * <p>Search begins with the present copies, since its result then needs few moves. If it does not
 * reach the bound, it also begins with the packing of Getafix+ and with a packing in the order of
 * {@link Affinity}, so that the answer is never worse than either.
 */
public final class TwoStages {
  /** The most variables of stage 1 with which a solver finds an answer in seconds. */
  private static final long STAGE_ONE_VARIABLES_MAX = 12_000;

  /**
   * The most variables of stage 2. With more, a solver uses up all its time and rarely saves a
   * move.
   */
  private static final long STAGE_TWO_VARIABLES_MAX = 3_000;

  private static final long SOLVER_MILLIS_LEAST = 20;
  private static final long SOLVER_MILLIS_MAX = 20_000;
  private static final double SEARCH_STEPS_PER_ACTOR = 60;
  private static final long SEARCH_STEPS_LEAST = 4_000;
  private static final long LEVELLING_STEPS_MAX = 10_000;
  private static final double GAP_OF_STAGE_TWO = 0.05;

  private final Problem problem;
  private final MilpSolver solver;
  private final long seed;
  private final LongSupplier millisLeft;

  private TwoStages(Problem problem, MilpSolver solver, long seed, LongSupplier millisLeft) {
    this.problem = problem;
    this.solver = solver;
    this.seed = seed;
    this.millisLeft = millisLeft;
  }

  /**
   * Solves a problem.
   *
   * @param millisLeft returns the time that is left; called now and then
   * @throws InfeasibleException if no assignment meets the constraints
   */
  public static Assignment solve(
      Problem problem, MilpSolver solver, long seed, LongSupplier millisLeft) {
    TwoStages stages = new TwoStages(problem, solver, seed, millisLeft);
    Assignment parallel = stages.parallel();
    int[] limits = new Clustering(parallel).ofAll();
    Levelling.level(parallel, limits, new Effort(LEVELLING_STEPS_MAX, millisLeft));
    return stages.within(parallel).settled(parallel).copyInto(problem);
  }

  /**
   * Returns these stages with the loads of an assignment as limits, so that stage 2 keeps its
   * level.
   */
  private TwoStages within(Assignment level) {
    double[] loads =
        IntStream.range(0, problem.servers().count()).mapToDouble(level::loadOf).toArray();
    double slack = 1e-9 * problem.servers().meanLoad();
    double least = Arrays.stream(loads).min().orElse(0) - slack;
    double greatest = Arrays.stream(loads).max().orElse(0) + slack;
    return new TwoStages(problem.withLoads(least, greatest), solver, seed, millisLeft);
  }

  /**
   * Finds the fewest moves that meet the constraints, regardless of clustering: stage 2 without
   * formula (10).
   */
  public static Assignment balance(
      Problem problem, MilpSolver solver, long seed, LongSupplier millisLeft) {
    Problem blind = problem.withoutQueries();
    Assignment start = HeldCopies.of(blind);
    Balancer.balance(start, seed);
    return new TwoStages(blind, solver, seed, millisLeft).settled(start).copyInto(problem);
  }

  private Assignment parallel() {
    Optional<Assignment> best = Optional.empty();
    Optional<InfeasibleException> failure = Optional.empty();
    for (Supplier<Assignment> start : starts()) {
      try {
        Assignment found = spread(start.get());
        if (best.isEmpty() || isBetter(found, best.get())) {
          best = Optional.of(found);
        }
      } catch (InfeasibleException e) {
        failure = failure.isEmpty() ? Optional.of(e) : failure;
      }
      if (best.isPresent() && isLeast(best.get())) {
        return best.get();
      }
    }
    if (best.isEmpty()) {
      throw failure.orElseThrow();
    }
    return solvedFrom(best.get());
  }

  private List<Supplier<Assignment>> starts() {
    return List.of(
        () -> {
          Assignment held = HeldCopies.of(problem);
          Balancer.balance(held, seed);
          return held;
        },
        () -> Packing.inOrder(problem, new CoScan(problem), Affinity.ranks(problem), seed),
        () -> Packing.greatestFirst(problem, new CoScan(problem), seed));
  }

  private Assignment spread(Assignment start) {
    SurplusCopies.remove(start);
    long steps = SEARCH_STEPS_LEAST + Math.round(SEARCH_STEPS_PER_ACTOR * problem.actors().count());
    return Spreading.improve(start, steps, new Effort(steps, millisLeft), new SeededRandom(seed));
  }

  /** Returns whether one assignment has less clustering than another. */
  static boolean isLessClustered(Assignment one, Assignment other) {
    double otherTotal = new Clustering(other).total();
    return new Clustering(one).total() < otherTotal - 1e-9 * otherTotal;
  }

  /**
   * Returns whether one assignment has less clustering than another, or the same with fewer moves.
   */
  private static boolean isBetter(Assignment one, Assignment other) {
    double total = new Clustering(one).total();
    double otherTotal = new Clustering(other).total();
    double slack = 1e-9 * otherTotal;
    return total < otherTotal - slack || total <= otherTotal + slack && one.moves() < other.moves();
  }

  private boolean isLeast(Assignment assignment) {
    return new Clustering(assignment).crowded().size() == 0;
  }

  private Assignment solvedFrom(Assignment start) {
    return ask(() -> Formulas.stageOne(start), STAGE_ONE_VARIABLES_MAX, 0.5)
        .filter(found -> isBetter(found, start))
        .orElse(start);
  }

  private Assignment settled(Assignment start) {
    Assignment parallel = start.copyInto(problem);
    int[] limits = new Clustering(parallel).ofAll();
    Homing.settle(parallel, limits, new Effort(Long.MAX_VALUE, millisLeft));
    SurplusCopies.remove(parallel);
    if (parallel.moves() == 0) {
      return parallel;
    }
    Optional<Assignment> solved =
        ask(
            () -> Formulas.stageTwo(parallel, limits, GAP_OF_STAGE_TWO),
            STAGE_TWO_VARIABLES_MAX,
            0.9);
    solved.ifPresent(SurplusCopies::remove);
    return solved
        .filter(found -> found.moves() < parallel.moves() && isWithin(found, limits))
        .orElse(parallel);
  }

  private static boolean isWithin(Assignment assignment, int[] limits) {
    Clustering clustering = new Clustering(assignment);
    return IntStream.range(0, limits.length).allMatch(set -> clustering.of(set) <= limits[set]);
  }

  /** Returns the solver's answer, if it has a valid one. */
  private Optional<Assignment> ask(Supplier<Milp> program, long variablesMax, double shareOfTime) {
    long millis = (long) (Math.min(millisLeft.getAsLong(), SOLVER_MILLIS_MAX) * shareOfTime);
    if (Formulas.variables(problem) > variablesMax || millis < SOLVER_MILLIS_LEAST) {
      return Optional.empty();
    }
    MilpSolver.Answer answer = solver.solve(program.get(), millis);
    return answer.solved()
        ? Optional.of(Formulas.read(problem, answer.values()))
            .filter(found -> Constraints.violations(found).isEmpty())
        : Optional.empty();
  }
}
