package io.uniserve.kernel;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.function.Function;

/** Blocking calls with exactly one reply. */
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
    return ask(
        environment.threads(),
        replies -> environment.transport().call(to, request, deadline, replies),
        expected,
        deadline,
        request.getClass().getSimpleName() + " to " + to);
  }

  /**
   * Begins a call and waits for its reply.
   *
   * @param begin begins the call
   * @param expected the reply's class
   * @param a description of the call, for messages
   * @throws UniserveException as {@link #ask(Environment, Address, Message, Class, Deadline)}
   */
  public static <T extends Message> T ask(
      Threads threads,
      Function<Transport.ReplyObserver, Transport.Call> begin,
      Class<T> expected,
      Deadline deadline,
      String what) {
    Promise<T> promise = new Promise<>(threads);
    Transport.Call call = begin.apply(new SingleReply<>(promise, expected));
    try {
      return promise.await(deadline, what);
    } finally {
      call.cancel();
    }
  }

  /**
   * An observer that gives the reply only once the call has ended. A call that is cancelled between
   * its reply and its end costs a transport more than one that ends by itself.
   */
  private static final class SingleReply<T extends Message> implements Transport.ReplyObserver {
    private final Promise<T> promise;
    private final Class<T> expected;
    private T received;

    SingleReply(Promise<T> promise, Class<T> expected) {
      this.promise = promise;
      this.expected = expected;
    }

    @Override
    public void replied(Message reply) {
      if (expected.isInstance(reply) && received == null) {
        received = expected.cast(reply);
      } else {
        String got = received == null ? reply.getClass().getSimpleName() : "more than one";
        promise.fail(
            new UniserveException(
                ErrorCode.INTERNAL, "expected one " + expected.getSimpleName() + ", got " + got));
      }
    }

    @Override
    public void completed() {
      if (received == null) {
        promise.fail(new UniserveException(ErrorCode.INTERNAL, "a call ended without its reply"));
      } else {
        promise.complete(received);
      }
    }

    @Override
    public void failed(UniserveException failure) {
      promise.fail(failure);
    }
  }
}
