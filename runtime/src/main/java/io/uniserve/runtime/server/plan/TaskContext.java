package io.uniserve.runtime.server.plan;

import io.uniserve.api.OperatorContext;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Transport.Incoming;
import java.time.Duration;
import java.util.Optional;

/**
 * The context of one task, which its operator sees on one dataset after another. For one thread.
 */
final class TaskContext {
  private final Run run;
  private final Incoming call;
  private final Clock clock;
  private double reportedCost = Double.NaN;
  private long rows;

  TaskContext(Run run, Incoming call, Clock clock) {
    this.run = run;
    this.call = call;
    this.clock = clock;
  }

  Incoming call() {
    return call;
  }

  /** Returns the context of a dataset with this number. */
  OperatorContext on(int number) {
    return on(number, Optional.empty());
  }

  /** Returns the context of a dataset in a scatter to a table that stays in place. */
  OperatorContext on(int number, Optional<Partitioner> anchor) {
    return new OnDataset(number, anchor);
  }

  boolean cancelled() {
    return call.cancelled() || run.ended() || call.deadline().expired(clock);
  }

  void checkCancelled() {
    call.deadline().check(clock, "the query");
    if (cancelled()) {
      throw new UniserveException(ErrorCode.CANCELLED, "the query was cancelled");
    }
  }

  /** Returns the cost that the operator reported, or else the CPU time in microseconds. */
  double cost(long cpuNanos) {
    return Double.isNaN(reportedCost) ? cpuNanos / 1000.0 : reportedCost;
  }

  /** Returns the rows that the operator reported. */
  long rows() {
    return rows;
  }

  private final class OnDataset implements OperatorContext {
    private final int number;
    private final Optional<Partitioner> anchor;
    private double mine;

    OnDataset(int number, Optional<Partitioner> anchor) {
      this.number = number;
      this.anchor = anchor;
    }

    @Override
    public Optional<Partitioner> anchor() {
      return anchor;
    }

    @Override
    public int actor() {
      return number;
    }

    @Override
    public Duration remaining() {
      return call.deadline().remaining(clock);
    }

    @Override
    public boolean cancelled() {
      return TaskContext.this.cancelled();
    }

    @Override
    public void checkCancelled() {
      TaskContext.this.checkCancelled();
    }

    /** Adds a reported cost. Only the last report on each dataset counts. */
    @Override
    public void reportCost(double cost) {
      reportedCost = (Double.isNaN(reportedCost) ? 0 : reportedCost) + cost - mine;
      mine = cost;
    }

    @Override
    public void reportRows(long more) {
      rows += more;
    }
  }
}
