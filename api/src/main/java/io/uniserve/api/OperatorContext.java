package io.uniserve.api;

import java.time.Duration;
import java.util.Optional;

/** What a running operator may ask of the runtime. */
public interface OperatorContext {

  /** The number, within its table, of the actor that the operator runs on. */
  int actor();

  /**
   * To which actors the attributes of a scatter's chunks belong, if the gather that follows is
   * anchored at a table: what that table was when the run began. All of the run relies on it, and
   * the run begins again if an actor is split or merged meanwhile.
   */
  default Optional<Partitioner> anchor() {
    return Optional.empty();
  }

  /** What remains until the query's deadline; never negative. */
  Duration remaining();

  /** True once the query is cancelled or past its deadline; a long operator looks at this often. */
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
   * Reports that the operator gave so many more rows, in the engine's sense, on this actor. Only
   * for the plan's {@link PlanProfile}.
   */
  default void reportRows(long rows) {}
}
