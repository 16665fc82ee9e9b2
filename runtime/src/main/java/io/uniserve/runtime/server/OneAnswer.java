package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Transport.ReplyObserver;

/**
 * Gives the only answer to a call to whoever waits for it.
 *
 * @param promise of the answer
 */
record OneAnswer(Promise<Message> promise) implements ReplyObserver {
  @Override
  public void replied(Message reply) {
    promise.complete(reply);
  }

  /** Every call ends so: a failure that nobody sees is not made. */
  @Override
  public void completed() {
    if (!promise.isDone()) {
      promise.fail(new UniserveException(ErrorCode.INTERNAL, "the call ended without an answer"));
    }
  }

  @Override
  public void failed(UniserveException failure) {
    promise.fail(failure);
  }
}
