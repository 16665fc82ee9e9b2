package io.uniserve.kernel;

/** A fixed number of threads that compute. */
public interface Workers extends AutoCloseable {
  /**
   * Hands a task to the next free thread. Tasks that arrive while all threads are busy wait in
   * order. The caller must bound the number of tasks that it submits. Exceptions of tasks are
   * logged.
   */
  void submit(Runnable task);

  /**
   * Runs a task on the calling thread, which waits for it anyway, if the task is expected to take
   * microseconds: to hand it over would take longer. It does so for few callers at a time, so that
   * tasks that take long for once leave processors to threads that wait for other things.
   *
   * @return false if it did not run the task, which must then be submitted
   */
  default boolean tryHere(Runnable task) {
    return false;
  }

  /** Returns the number of threads. */
  int count();

  /**
   * Ends the threads after the submitted tasks. Later tasks are refused with {@link
   * IllegalStateException}.
   */
  @Override
  void close();
}
