package io.uniserve.kernel;

/** A fixed number of threads that compute. */
public interface Workers extends AutoCloseable {
  /**
   * Hands a task to the next free thread. Tasks that arrive while all are busy wait in order; the
   * caller bounds how many it submits. What a task throws is logged.
   */
  void submit(Runnable task);

  /** How many threads. */
  int count();

  /**
   * Ends the threads after the tasks at hand; later tasks are refused with {@link
   * IllegalStateException}.
   */
  @Override
  void close();
}
