package io.uniserve.kernel;

/** The threads of one process. */
public interface Threads {
  /** Starts a light thread, for code that waits more than it computes. What it throws is logged. */
  Thread start(String name, Runnable body);

  /** Starts a bounded pool for code that computes: engine code never runs elsewhere. */
  Workers workers(String name, int count);

  /** Something to wait on, unset. */
  Signal signal();

  /**
   * CPU time that the calling thread has used, in nanoseconds; in simulation, a made-up but
   * repeatable figure.
   */
  long cpuNanos();
}
