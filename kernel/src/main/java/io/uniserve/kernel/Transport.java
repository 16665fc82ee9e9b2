package io.uniserve.kernel;

/**
 * Carries calls between processes. A request may be lost, and so may its replies; they are never
 * damaged, and the replies of one call arrive in order. A request is delivered at most once, but
 * whoever resends must expect that an earlier one was delivered.
 */
public interface Transport {

  /**
   * Receives the calls for an address until the registration is closed.
   *
   * @throws io.uniserve.api.UniserveException with {@link io.uniserve.api.ErrorCode#ALREADY_EXISTS}
   *     if somebody listens there
   */
  Registration listen(Address self, Handler handler);

  /**
   * Begins a call. Returns at once and does not throw: whatever goes wrong is told to the observer,
   * a passed deadline included.
   *
   * @return cancels the call, at both ends
   */
  Call call(Address to, Message request, Deadline deadline, ReplyObserver replies);

  /**
   * Sends a message whose outcome nobody awaits. Returns at once and does not throw. It may be lost
   * without a word; whoever receives it gets it as a call whose replies go nowhere. Many such
   * messages to one address may share what each call of its own would cost.
   *
   * @param deadline after which the message is of no use any more; it may be delivered yet
   */
  default void tell(Address to, Message message, Deadline deadline) {
    call(to, message, deadline, Unheard.OBSERVER);
  }

  /** Ends listening. Calls under way are failed. */
  interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  /** A call under way. */
  @FunctionalInterface
  interface Call {
    /**
     * Nobody waits for this call any more. Any number of times; nothing happens once the call has
     * ended.
     */
    void cancel();
  }

  /** Takes requests. */
  @FunctionalInterface
  interface Handler {
    /**
     * Takes one request. Runs on a thread of the transport or of the caller, so it must not wait: a
     * handler that waits starts a thread of its own. What it throws ends the call as a failure.
     */
    void handle(Message request, Incoming call);
  }

  /**
   * The receiving end of one call. Safe for use by many threads; nothing happens once the call has
   * ended.
   */
  interface Incoming {
    /** When the caller stops waiting, on this process's clock. */
    Deadline deadline();

    /**
     * Whether the thread that hands the request over is the caller's own, in the same process: it
     * has nothing to do but wait, so that brief work may be done, and every reply sent, right
     * there.
     */
    default boolean onCallersThread() {
      return false;
    }

    /** Whether the caller cancelled, is gone, or its deadline passed. */
    boolean cancelled();

    /** Runs a task once the call is cancelled, at once if it already is. The task must not wait. */
    void onCancel(Runnable task);

    /**
     * Sends one reply; waits, within the deadline, while the receiver is behind. Only threads that
     * may wait send more than one reply.
     *
     * @throws io.uniserve.api.UniserveException if the call was cancelled or its deadline passed
     */
    void reply(Message message);

    /** Ends the call well. */
    void complete();

    /** Ends the call with an error, whose code and message reach the caller. */
    void fail(io.uniserve.api.UniserveException failure);
  }

  /**
   * Receives what a call brings: any number of replies, then exactly one of {@link #completed} and
   * {@link #failed}. Not called by two threads at once. Must not wait.
   */
  interface ReplyObserver {
    /** One reply. */
    void replied(Message reply);

    /** The end, when all went well. */
    void completed();

    /** The end, when something went wrong, be it here, there or between. */
    void failed(io.uniserve.api.UniserveException failure);
  }
}
