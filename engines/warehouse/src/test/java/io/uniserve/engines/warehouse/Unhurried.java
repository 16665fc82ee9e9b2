package io.uniserve.engines.warehouse;

import io.uniserve.api.OperatorContext;
import java.time.Duration;

/** A request that nobody cancels. */
class Unhurried implements OperatorContext {
  @Override
  public int actor() {
    return 0;
  }

  @Override
  public Duration remaining() {
    return Duration.ofMinutes(1);
  }

  @Override
  public boolean cancelled() {
    return false;
  }

  @Override
  public void checkCancelled() {}

  @Override
  public void reportCost(double cost) {}
}
