package io.uniserve.solvers;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.policy.placement.milp.Milp;
import io.uniserve.policy.placement.milp.Milp.Row;
import io.uniserve.policy.placement.milp.Milp.Variable;
import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.policy.placement.milp.MilpSolver.Answer;
import io.uniserve.policy.placement.milp.MilpSolver.Status;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class OrToolsSolverTest {
  private static final double NO_BOUND = Double.POSITIVE_INFINITY;

  private final MilpSolver solver = OrToolsSolver.load();

  @Test
  void solvesAProgramWhoseOptimumIsKnown() {
    Answer answer = solver.solve(knapsack(7), 5_000);
    assertThat(answer.status()).isEqualTo(Status.OPTIMAL);
    assertThat(answer.values()).containsExactly(new double[] {0, 1, 1, 0.5}, Offset.offset(1e-6));
  }

  @Test
  void saysThatNothingHoldsAllRows() {
    assertThat(solver.solve(knapsack(-1), 5_000).status()).isEqualTo(Status.INFEASIBLE);
  }

  @Test
  void withoutTimeThereIsNoAnswer() {
    assertThat(solver.solve(knapsack(7), 0)).isEqualTo(Answer.UNSOLVED);
  }

  /**
   * Makes a knapsack problem: whole things worth 5, 6, 7 of weight 4, 3, 3, and a divisible one
   * worth 1 of weight 2.
   */
  private static Milp knapsack(double capacity) {
    return new Milp(
        List.of(
            new Variable(0, 1, true, -5, 0),
            new Variable(0, 1, true, -6, 0),
            new Variable(0, 1, true, -7, 0),
            new Variable(0, 1, false, -1, 0)),
        List.of(new Row(-NO_BOUND, capacity, new int[] {0, 1, 2, 3}, new double[] {4, 3, 3, 2})),
        0);
  }
}
