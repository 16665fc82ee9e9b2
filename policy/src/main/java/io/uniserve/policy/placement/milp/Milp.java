package io.uniserve.policy.placement.milp;

import java.util.List;

/**
 * A mixed-integer linear program: it minimises the variables' cost while every row is within its
 * bounds.
 *
 * @param gap the allowed distance of an answer from the optimum, relative to its cost
 */
public record Milp(List<Variable> variables, List<Row> rows, double gap) {

  /**
   * A variable.
   *
   * @param start its value in a solution that is known already
   */
  public record Variable(double least, double greatest, boolean whole, double cost, double start) {}

  /**
   * A linear constraint: {@code least <= Σ coefficient × variable <= greatest}; infinite where not
   * bounded.
   */
  public record Row(double least, double greatest, int[] variables, double[] coefficients) {}
}
