package io.uniserve.testkit;

import io.uniserve.api.OperatorContext;
import java.time.Duration;

/** Of a query that nobody cancels and nobody waits for. */
record LocalOperatorContext(int actor) implements OperatorContext {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  @Override
  public Duration remaining() {
    return TIMEOUT;
  }

  @Override
  public boolean cancelled() {
    return false;
  }

  @Override
  public void checkCancelled() {
    // Never over.
  }

  @Override
  public void reportCost(double cost) {
    if (!(cost >= 0 && cost < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("the cost of an operator cannot be " + cost);
    }
  }
}
