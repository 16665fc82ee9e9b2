package io.uniserve.solvers;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import io.uniserve.policy.placement.milp.Milp;
import java.util.Arrays;

/** A program in the form of OR-Tools. */
final class OrToolsProgram {
  private final MPVariable[] variables;

  OrToolsProgram(MPSolver solver, Milp program) {
    variables = new MPVariable[program.variables().size()];
    MPObjective objective = solver.objective();
    double[] start = new double[variables.length];
    for (int place = 0; place < variables.length; place++) {
      Milp.Variable variable = program.variables().get(place);
      variables[place] =
          solver.makeVar(variable.least(), variable.greatest(), variable.whole(), "");
      objective.setCoefficient(variables[place], variable.cost());
      start[place] = variable.start();
    }
    objective.setMinimization();
    for (Milp.Row row : program.rows()) {
      add(solver, row);
    }
    solver.setHint(variables, start);
  }

  private void add(MPSolver solver, Milp.Row row) {
    MPConstraint constraint = solver.makeConstraint(row.least(), row.greatest());
    for (int place = 0; place < row.variables().length; place++) {
      constraint.setCoefficient(variables[row.variables()[place]], row.coefficients()[place]);
    }
  }

  double[] values() {
    return Arrays.stream(variables).mapToDouble(MPVariable::solutionValue).toArray();
  }
}
