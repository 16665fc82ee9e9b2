package io.uniserve.kernel;

import io.uniserve.api.error.UniserveException;

/** The observer of a one-way message, which ignores the outcome. */
enum IgnoredReplies implements Transport.ReplyObserver {
  OBSERVER;

  @Override
  public void replied(Message reply) {
    // Nobody waits for replies.
  }

  @Override
  public void completed() {
    // The message was delivered.
  }

  @Override
  public void failed(UniserveException failure) {
    // The message was lost, which its sender must expect.
  }
}
