package io.uniserve.runtime.server.scan;

import io.uniserve.api.OperatorContext;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.wire.ScanMessage.ReadPage;
import java.time.Duration;

/** The context of the reading of one page. */
final class PageRun implements OperatorContext {
  private final ReadPage request;
  private final Incoming call;
  private final Clock clock;
  private final long beganNanos;
  private double reportedCost = Double.NaN;

  PageRun(ReadPage request, Incoming call, Clock clock) {
    this.request = request;
    this.call = call;
    this.clock = clock;
    this.beganNanos = clock.nanos();
  }

  @Override
  public int actor() {
    return request.actor();
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
    call.deadline().check(clock, "a page of a scan");
    if (call.cancelled()) {
      throw new UniserveException(ErrorCode.CANCELLED, "the scan was cancelled");
    }
  }

  @Override
  public void reportCost(double cost) {
    reportedCost = cost;
  }

  long busyNanos() {
    return clock.nanos() - beganNanos;
  }

  double cost() {
    return Double.isNaN(reportedCost) ? busyNanos() / 1000.0 : reportedCost;
  }
}
