package io.uniserve.runtime.server.query;

import io.uniserve.api.OperatorContext;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Transport.Incoming;
import java.time.Duration;

/** The context of one operator on one actor. */
final class OperatorRun implements OperatorContext {
  private final int actor;
  private final Incoming call;
  private final Clock clock;
  private double reportedCost = Double.NaN;

  OperatorRun(int actor, Incoming call, Clock clock) {
    this.actor = actor;
    this.call = call;
    this.clock = clock;
  }

  @Override
  public int actor() {
    return actor;
  }

  @Override
  public Duration remaining() {
    return call.deadline().remaining(clock);
  }

  @Override
  public boolean cancelled() {
    return call.cancelled() || call.deadline().expired(clock);
  }

  @Override
  public void checkCancelled() {
    call.deadline().check(clock, "the query");
    if (call.cancelled()) {
      throw new UniserveException(ErrorCode.CANCELLED, "the query was cancelled");
    }
  }

  @Override
  public void reportCost(double cost) {
    reportedCost = cost;
  }

  /** Returns the cost that the operator reported, or else the CPU time in microseconds. */
  double cost(long cpuNanos) {
    return Double.isNaN(reportedCost) ? cpuNanos / 1000.0 : reportedCost;
  }
}
