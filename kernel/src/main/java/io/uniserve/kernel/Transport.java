package io.uniserve.kernel;

/**
 * A carrier of calls between processes. Requests and replies may be lost but are never damaged, and
 * the replies of one call arrive in order. A request is delivered at most once. A caller that
 * resends one must expect that the earlier one was delivered, too.
 */
public interface Transport {

  /**
   * Receives the calls for an address until the registration is closed.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#ALREADY_EXISTS} if the address is in use
   */
  Registration listen(Address self, Handler handler);

  /**
   * Begins a call. Returns at once and does not throw. The observer learns of every failure, a
   * passed deadline included.
   *
   * @return the call, which can be cancelled at both ends
   */
  Call call(Address to, Message request, Deadline deadline, ReplyObserver replies);

  /**
   * Sends a one-way message. Returns at once and does not throw. The message may be lost silently.
   * The receiver gets it as a call whose replies are dropped. Many such messages to one address may
   * be sent together, which costs less than a call for each.
   *
   * @param deadline the time after which the message is of no use; it may still be delivered then
   */
  default void tell(Address to, Message message, Deadline deadline) {
    call(to, message, deadline, IgnoredReplies.OBSERVER);
  }

  /** A registration of a listener. Closing it ends listening and fails calls under way. */
  interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  /** A call under way. */
  @FunctionalInterface
  interface Call {
    /**
     * Cancels the call, because nobody waits for it any more. May be called repeatedly; nothing
     * happens once the call has ended.
     */
    void cancel();
  }

  /** A receiver of requests. */
  @FunctionalInterface
  interface Handler {
    /**
     * Handles one request. Runs on a thread of the transport or of the caller and must not wait: a
     * handler that needs to wait starts its own thread. An exception ends the call as a failure.
     */
    void handle(Message request, Incoming call);
  }

  /**
   * The receiving end of one call. Safe for use by many threads; nothing happens once the call has
   * ended.
   */
  interface Incoming {
    /** Returns the time at which the caller stops waiting, on this process's clock. */
    Deadline deadline();

    /**
     * Returns whether the handler runs on the caller's own thread, in the same process. That thread
     * would only wait, so brief work may be done, and every reply sent, on it.
     */
    default boolean onCallersThread() {
      return false;
    }

    /** Returns whether the caller cancelled the call, is gone, or its deadline passed. */
    boolean cancelled();

    /**
     * Runs a task when the call is cancelled, or at once if it already is. The task must not wait.
     */
    void onCancel(Runnable task);

    /**
     * Sends one reply. Waits, within the deadline, while the receiver is behind. Only threads that
     * may wait may send more than one reply.
     *
     * @throws io.uniserve.api.error.UniserveException if the call was cancelled or its deadline
     *     passed
     */
    void reply(Message message);

    /** Ends the call successfully. */
    void complete();

    /** Ends the call with an error, whose code and message reach the caller. */
    void fail(io.uniserve.api.error.UniserveException failure);
  }

  /**
   * An observer of a call. It receives any number of replies, then exactly one of {@link
   * #completed} and {@link #failed}. It is not called by two threads at once. It must not wait.
   */
  interface ReplyObserver {
    /** Receives one reply. */
    void replied(Message reply);

    /** Receives the successful end. */
    void completed();

    /** Receives the end after a failure on either side or between. */
    void failed(io.uniserve.api.error.UniserveException failure);
  }
}
