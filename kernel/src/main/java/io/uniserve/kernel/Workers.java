package io.uniserve.kernel;

/** A fixed number of threads that compute. */
public interface Workers extends AutoCloseable {
  /**
   * Hands a task to the next free thread. Tasks that arrive while all threads are busy wait in
   * order. The caller must bound the number of tasks that it submits. Exceptions of tasks are
   * logged.
   */
  void submit(Runnable task);

  /** Returns the number of threads. */
  int count();

  /**
   * Ends the threads after the submitted tasks. Later tasks are refused with {@link
   * IllegalStateException}.
   */
  @Override
  void close();
}
