package io.uniserve.api;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import java.time.Duration;
import java.util.Optional;

/** The services of the runtime for a running operator. */
public interface OperatorContext {

  /** Returns the number, within its table, of the actor that the operator runs on. */
  int actor();

  /**
   * Returns the partitioner of the anchor table as of the begin of the run, if the gather that
   * follows is anchored. It says to which actors the attributes of a scatter's chunks belong. The
   * whole run uses the same partitioner. If an actor is split or merged meanwhile, the run begins
   * again.
   */
  default Optional<Partitioner> anchor() {
    return Optional.empty();
  }

  /** Returns the time that remains until the query's deadline; never negative. */
  Duration remaining();

  /**
   * Returns true once the query is cancelled or past its deadline. A long operator checks this
   * often.
   */
  boolean cancelled();

  /**
   * Ends the operator if the query is over.
   *
   * @throws UniserveException with {@link ErrorCode#CANCELLED} or {@link
   *     ErrorCode#DEADLINE_EXCEEDED}
   */
  void checkCancelled();

  /**
   * Reports the cost of this operator on this actor, in a unit of the engine's choice that is the
   * same for all its operators (QAS Fig. 2, {@code getQueryCost}). Without a report, the measured
   * CPU time in microseconds counts.
   */
  void reportCost(double cost);

  /**
   * Adds to the number of rows, as the engine counts them, that the operator has given on this
   * actor. Only the plan's {@link PlanProfile} shows it.
   */
  default void reportRows(long rows) {}
}
