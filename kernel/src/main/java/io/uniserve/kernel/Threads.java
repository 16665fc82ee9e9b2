package io.uniserve.kernel;

/** The threads of one process. */
public interface Threads {
  /**
   * Starts a light thread, for code that waits more than it computes. Its exceptions are logged.
   */
  Thread start(String name, Runnable body);

  /** Starts a bounded pool for code that computes. Engine code runs only on such pools. */
  Workers workers(String name, int count);

  /** Makes a signal that is not set. */
  Signal signal();

  /**
   * Returns the CPU time that the calling thread has used, in nanoseconds; in simulation, an
   * invented but repeatable figure.
   */
  long cpuNanos();
}
