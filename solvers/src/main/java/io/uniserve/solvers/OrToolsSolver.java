package io.uniserve.solvers;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import io.uniserve.policy.placement.milp.Milp;
import io.uniserve.policy.placement.milp.MilpSolver;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The solvers of OR-Tools: SCIP first, and HiGHS with the time that is left if SCIP finds nothing.
 * It is safe for use by many threads.
 */
public final class OrToolsSolver implements MilpSolver {
  private static final Logger LOG = LoggerFactory.getLogger(OrToolsSolver.class);

  /** The backends in the order of use, each with its share of the time that is left. */
  private static final List<Backend> BACKENDS =
      List.of(new Backend("SCIP", 0.7), new Backend("HIGHS", 1));

  private static final long MILLIS_LEAST = 10;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private record Backend(String name, double shareOfTime) {}

  private OrToolsSolver() {}

  /**
   * Loads the solver; returns {@link MilpSolver#none} if there is no native library for this
   * machine.
   */
  public static MilpSolver load() {
    try {
      Loader.loadNativeLibraries();
      return new OrToolsSolver();
    } catch (RuntimeException | UnsatisfiedLinkError e) {
      LOG.warn("no solver: OR-Tools does not load; placement goes by search alone", e);
      return MilpSolver.none();
    }
  }

  @Override
  public Answer solve(Milp program, long millisMax) {
    long end = System.nanoTime() + millisMax * NANOS_PER_MILLI;
    for (Backend backend : BACKENDS) {
      long millisLeft = (end - System.nanoTime()) / NANOS_PER_MILLI;
      long millis = (long) (millisLeft * backend.shareOfTime());
      Optional<Answer> answer =
          millis < MILLIS_LEAST ? Optional.empty() : solve(backend.name(), program, millis);
      if (answer.isPresent()) {
        return answer.get();
      }
    }
    return Answer.UNSOLVED;
  }

  /** Solves with one backend; empty if it is missing, failed or found nothing. */
  private static Optional<Answer> solve(String backend, Milp program, long millis) {
    MPSolver solver = MPSolver.createSolver(backend);
    if (solver == null) {
      LOG.warn("OR-Tools has no {}", backend);
      return Optional.empty();
    }
    MPSolverParameters parameters = new MPSolverParameters();
    try {
      OrToolsProgram translated = new OrToolsProgram(solver, program);
      solver.setTimeLimit(millis);
      parameters.setDoubleParam(MPSolverParameters.DoubleParam.RELATIVE_MIP_GAP, program.gap());
      return answer(backend, solver.solve(parameters), translated);
    } finally {
      parameters.delete();
      solver.delete();
    }
  }

  private static Optional<Answer> answer(
      String backend, MPSolver.ResultStatus status, OrToolsProgram program) {
    return switch (status) {
      case OPTIMAL -> Optional.of(new Answer(Status.OPTIMAL, program.values()));
      case FEASIBLE -> Optional.of(new Answer(Status.FEASIBLE, program.values()));
      case INFEASIBLE -> Optional.of(new Answer(Status.INFEASIBLE, new double[0]));
      case NOT_SOLVED -> Optional.empty();
      case UNBOUNDED, ABNORMAL, MODEL_INVALID -> {
        LOG.warn("{} gives up with {}", backend, status);
        yield Optional.empty();
      }
    };
  }
}
