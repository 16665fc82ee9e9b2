package io.uniserve.kernel;

/** A flag that is set once and that threads wait for. */
public interface Signal {
  /** Sets the flag and wakes all waiting threads. Any thread may call it, any number of times. */
  void set();

  /** Returns whether the flag is set. */
  boolean isSet();

  /**
   * Waits for the flag or the deadline.
   *
   * @return true if the flag is set
   * @throws InterruptedException if the thread is interrupted
   */
  boolean await(Deadline deadline) throws InterruptedException;

  /**
   * Waits for the flag or the deadline. The implementation may spin before it parks if the flag is
   * expected soon.
   *
   * @param expectedNanos the average duration of such waits (see {@link ExpectedWait})
   */
  default boolean await(Deadline deadline, long expectedNanos) throws InterruptedException {
    return await(deadline);
  }
}
