package io.uniserve.kernel;

import io.uniserve.api.UniserveException;

/** Of a call whose outcome nobody awaits. */
enum Unheard implements Transport.ReplyObserver {
  OBSERVER;

  @Override
  public void replied(Message reply) {
    // Nobody asked.
  }

  @Override
  public void completed() {
    // Delivered, which is all that was wanted.
  }

  @Override
  public void failed(UniserveException failure) {
    // Lost: whoever tells expects that.
  }
}
