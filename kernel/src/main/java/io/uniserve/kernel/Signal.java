package io.uniserve.kernel;

/** A flag that is set once and that threads wait for. */
public interface Signal {
  /** Sets the flag and wakes all who wait. Any number of times, from any thread. */
  void set();

  /** Whether the flag is set. */
  boolean isSet();

  /**
   * Waits for the flag or the deadline.
   *
   * @return whether the flag is set
   * @throws InterruptedException if the thread is interrupted
   */
  boolean await(Deadline deadline) throws InterruptedException;

  /**
   * The same, for a flag that may be set sooner than a thread can be put to sleep and woken.
   *
   * @param expectedNanos how long such waits have lately taken (see {@link ExpectedWait})
   */
  default boolean await(Deadline deadline, long expectedNanos) throws InterruptedException {
    return await(deadline);
  }
}
