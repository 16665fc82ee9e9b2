package io.uniserve.policy.placement.milp;

/**
 * Solves mixed-integer linear programs. Called by several threads at once; keeps nothing between
 * calls. An answer may break rows by rounding errors: the caller checks it.
 */
@FunctionalInterface
public interface MilpSolver {

  /**
   * Solves as well as the time allows. Whatever goes wrong inside is {@link Status#UNSOLVED}: a
   * policy can do without.
   */
  Answer solve(Milp program, long millisMax);

  /** No solver. */
  static MilpSolver none() {
    return (program, millisMax) -> Answer.UNSOLVED;
  }

  /** How far it came. */
  enum Status {
    /** The values are optimal, within the program's gap. */
    OPTIMAL,
    /** The values hold all rows, but the time was over. */
    FEASIBLE,
    /** It is proven that no values hold all rows. */
    INFEASIBLE,
    /** Nothing was found in time, or the solver failed. */
    UNSOLVED
  }

  /**
   * An answer.
   *
   * @param values of the variables; empty unless optimal or feasible
   */
  record Answer(Status status, double[] values) {
    /** Nothing. */
    public static final Answer UNSOLVED = new Answer(Status.UNSOLVED, new double[0]);

    /** Whether there are values. */
    public boolean solved() {
      return status == Status.OPTIMAL || status == Status.FEASIBLE;
    }
  }
}
