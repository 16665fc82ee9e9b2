package io.uniserve.policy.placement.milp;

/**
 * A solver of mixed-integer linear programs. Several threads may call it at once. It keeps no state
 * between calls. An answer may break rows by rounding errors, so the caller must check it.
 */
@FunctionalInterface
public interface MilpSolver {

  /**
   * Solves a program as well as the time allows. A failure inside the solver gives {@link
   * Status#UNSOLVED}, since a policy can do without an answer.
   */
  Answer solve(Milp program, long millisMax);

  /** Returns a solver that solves nothing. */
  static MilpSolver none() {
    return (program, millisMax) -> Answer.UNSOLVED;
  }

  /** The state of an answer. */
  enum Status {
    /** The values are optimal, within the program's gap. */
    OPTIMAL,
    /** The values meet all rows, but the time was over before they were proven optimal. */
    FEASIBLE,
    /** No values can meet all rows, which is proven. */
    INFEASIBLE,
    /** Nothing was found in time, or the solver failed. */
    UNSOLVED
  }

  /**
   * An answer.
   *
   * @param values the values of the variables; empty unless optimal or feasible
   */
  record Answer(Status status, double[] values) {
    /** The answer without values. */
    public static final Answer UNSOLVED = new Answer(Status.UNSOLVED, new double[0]);

    /** Returns whether there are values. */
    public boolean solved() {
      return status == Status.OPTIMAL || status == Status.FEASIBLE;
    }
  }
}
