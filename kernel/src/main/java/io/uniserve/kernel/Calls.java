package io.uniserve.kernel;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;

/** Calls with exactly one reply, for threads that may wait. */
public final class Calls {
  private Calls() {}

  /**
   * Sends a request and waits for its reply.
   *
   * @param expected the reply's class
   * @throws UniserveException the callee's error; or with {@link ErrorCode#UNAVAILABLE} or {@link
   *     ErrorCode#DEADLINE_EXCEEDED}
   */
  public static <T extends Message> T ask(
      Environment environment, Address to, Message request, Class<T> expected, Deadline deadline) {
    Promise<T> promise = new Promise<>(environment.threads());
    Transport.Call call =
        environment.transport().call(to, request, deadline, new SingleReply<>(promise, expected));
    try {
      return promise.await(deadline, request.getClass().getSimpleName() + " to " + to);
    } finally {
      call.cancel();
    }
  }

  private static final class SingleReply<T extends Message> implements Transport.ReplyObserver {
    private final Promise<T> promise;
    private final Class<T> expected;

    SingleReply(Promise<T> promise, Class<T> expected) {
      this.promise = promise;
      this.expected = expected;
    }

    @Override
    public void replied(Message reply) {
      if (expected.isInstance(reply)) {
        promise.complete(expected.cast(reply));
      } else {
        promise.fail(
            new UniserveException(
                ErrorCode.INTERNAL, "expected " + expected.getSimpleName() + ", got " + reply));
      }
    }

    @Override
    public void completed() {
      promise.fail(new UniserveException(ErrorCode.INTERNAL, "a call ended without its reply"));
    }

    @Override
    public void failed(UniserveException failure) {
      promise.fail(failure);
    }
  }
}
