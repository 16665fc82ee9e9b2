package io.uniserve.runtime.server.replication;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Transport.ReplyObserver;

/**
 * An observer that gives a call's only answer to the thread that waits for it.
 *
 * @param promise the promise of the answer
 */
record OneAnswer(Promise<Message> promise) implements ReplyObserver {
  @Override
  public void replied(Message reply) {
    promise.complete(reply);
  }

  /**
   * Fails the promise if there was no answer. Every call ends here, so an exception is only created
   * if somebody sees it.
   */
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
