package io.uniserve.solvers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.uniserve.policy.placement.milp.Formulas;
import io.uniserve.policy.placement.milp.Milp;
import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.policy.placement.milp.MilpSolver.Answer;
import io.uniserve.policy.placement.milp.MilpSolver.Status;
import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.Clustering;
import io.uniserve.policy.placement.model.Constraints;
import io.uniserve.policy.placement.model.Problem;
import io.uniserve.policy.placement.podp.Compute;
import io.uniserve.policy.placement.podp.TwoStages;
import io.uniserve.policy.placement.search.SeededRandom;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of search against the solver: the exact solution of the paper's formulas is the oracle. */
class PodpWithSolverTest {
  private static final int SERVERS = 3;
  private static final int ACTORS = 9;

  private final MilpSolver solver = OrToolsSolver.load();

  @Test
  void searchFindsWhatTheFormulasOfBothStagesFind() {
    int movesOfSearch = 0;
    int movesOfSolver = 0;
    for (int seed = 0; seed < 25; seed++) {
      Problem problem = problem(new SeededRandom(seed), 1);
      Assignment found = search(problem);
      Assignment first = exact(problem, Formulas.stageOne(found));
      assertThat(new Clustering(found).total())
          .as("clustering, seed %d", seed)
          .isCloseTo(new Clustering(first).total(), within(1e-3));
      int[] limits = new Clustering(found).ofAll();
      movesOfSearch += found.moves();
      movesOfSolver += exact(problem, Formulas.stageTwo(found, limits, 0)).moves();
    }
    assertThat(movesOfSearch).isGreaterThanOrEqualTo(movesOfSolver);
    assertThat(movesOfSearch / (double) movesOfSolver).as("moves").isLessThan(1.5);
  }

  @Test
  void withTheSolverThereAreAsFewMovesAsPossible() {
    for (int seed = 0; seed < 10; seed++) {
      Problem problem = problem(new SeededRandom(seed), 1);
      Assignment solved = TwoStages.solve(problem, solver, 1, Compute.unhurried().countdown(0));
      int[] limits = new Clustering(solved).ofAll();
      Assignment fewest = exact(problem, Formulas.stageTwo(solved, limits, 0));
      assertThat(solved.moves()).as("seed %d", seed).isLessThanOrEqualTo(fewest.moves() + 1);
    }
  }

  @Test
  void replicatedActorsKeepTheirCopiesInTheFormulas() {
    Problem problem = problem(new SeededRandom(5), 2);
    Assignment start = search(problem);
    Assignment solved = exact(problem, Formulas.stageOne(start));
    assertThat(Constraints.violations(solved)).isEmpty();
    assertThat(new Clustering(solved).total())
        .isLessThanOrEqualTo(new Clustering(start).total() + 1e-3);
  }

  private static Assignment search(Problem problem) {
    return TwoStages.solve(problem, MilpSolver.none(), 1, Compute.unhurried().countdown(0));
  }

  private Assignment exact(Problem problem, Milp program) {
    Answer answer = solver.solve(program, 30_000);
    assertThat(answer.status()).isEqualTo(Status.OPTIMAL);
    Assignment assignment = Formulas.read(problem, answer.values());
    assertThat(Constraints.violations(assignment)).isEmpty();
    return assignment;
  }

  private static Problem problem(RandomGenerator random, int copies) {
    double[] load = new double[ACTORS];
    Arrays.fill(load, 1);
    int[] copiesMin = new int[ACTORS];
    Arrays.fill(copiesMin, copies);
    long[] memory = new long[SERVERS];
    Arrays.fill(memory, Long.MAX_VALUE);
    int[][] held =
        IntStream.range(0, ACTORS)
            .mapToObj(actor -> new int[] {actor % SERVERS})
            .toArray(int[][]::new);
    int[][] sets =
        IntStream.range(0, 8)
            .mapToObj(
                set ->
                    random
                        .ints(0, ACTORS)
                        .distinct()
                        .limit(random.nextInt(2, 5))
                        .sorted()
                        .toArray())
            .toArray(int[][]::new);
    double[] frequency = random.doubles(8, 0.5, 2).toArray();
    double mean = ACTORS / (double) SERVERS;
    return new Problem(
        new Problem.Servers(memory, mean * 0.95, mean * 1.05),
        new Problem.Actors(load, new long[ACTORS], copiesMin, held, new int[ACTORS][0]),
        Problem.Queries.of(ACTORS, sets, frequency),
        new Problem.Names(
            IntStream.range(0, SERVERS).mapToObj(server -> "s" + server).toList(),
            IntStream.range(0, ACTORS).mapToObj(actor -> "a" + actor).toList()));
  }
}
