package io.uniserve.kernel;

import io.uniserve.api.error.UniserveException;

/**
 * The receiving end of a one-way message ({@link Transport#tell}): a call whose replies are
 * dropped.
 *
 * @param deadline the time after which the work that the message starts is of no use
 */
public record OneWayCall(Deadline deadline) implements Transport.Incoming {
  /** Makes one that was sent now, with the longest deadline. */
  public static OneWayCall now(Clock clock) {
    return new OneWayCall(Deadline.after(clock, Deadline.LONGEST));
  }

  @Override
  public boolean cancelled() {
    return false;
  }

  @Override
  public void onCancel(Runnable task) {
    // Never.
  }

  @Override
  public void reply(Message message) {
    // Nobody waits for replies.
  }

  @Override
  public void complete() {
    // Nobody waits for the end.
  }

  @Override
  public void fail(UniserveException failure) {
    // Nobody hears of it.
  }
}
