package io.uniserve.testkit.local;

import io.uniserve.api.OperatorContext;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The context of an operator that runs without a cluster.
 *
 * @param actor the number of the dataset it runs on
 * @param anchor the partitioner for the chunks of a scatter
 * @param over returns true if the operator's query is cancelled
 */
public record LocalContext(int actor, Optional<Partitioner> anchor, BooleanSupplier over)
    implements OperatorContext {

  /** Makes the context of a query that nobody cancels. */
  public LocalContext(int actor) {
    this(actor, Optional.empty());
  }

  /** Makes the context of a scatter to a table. */
  public LocalContext(int actor, Optional<Partitioner> anchor) {
    this(actor, anchor, () -> false);
  }

  /** Makes the context of a query that may be cancelled. */
  public LocalContext(int actor, BooleanSupplier over) {
    this(actor, Optional.empty(), over);
  }

  @Override
  public Duration remaining() {
    return Duration.ofMinutes(1);
  }

  @Override
  public boolean cancelled() {
    return over.getAsBoolean();
  }

  @Override
  public void checkCancelled() {
    if (cancelled()) {
      throw new UniserveException(ErrorCode.CANCELLED, "the query was cancelled");
    }
  }

  @Override
  public void reportCost(double cost) {
    if (!(cost >= 0 && cost < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("the cost of an operator cannot be " + cost);
    }
  }
}
