package io.uniserve.kernel;

import io.uniserve.api.UniserveException;

/**
 * What a handler sees of a message that it is {@linkplain Transport#tell told}: a call that nobody
 * waits for.
 *
 * @param deadline after which whatever the message begins is of no use any more
 */
public record Told(Deadline deadline) implements Transport.Incoming {
  /** Told just now, without a deadline. */
  public static Told now(Clock clock) {
    return new Told(Deadline.after(clock, Deadline.LONGEST));
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
    // To nobody.
  }

  @Override
  public void complete() {
    // For nobody.
  }

  @Override
  public void fail(UniserveException failure) {
    // Nobody hears of it.
  }
}
