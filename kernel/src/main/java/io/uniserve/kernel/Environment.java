package io.uniserve.kernel;

import java.util.random.RandomGenerator;

/**
 * The ports through which a Uniserve process reaches everything outside itself. Each process,
 * simulated or real, has one environment.
 */
public interface Environment {
  /** Returns the time and timers. */
  Clock clock();

  /** Returns the threads, and the signals that they wait for. */
  Threads threads();

  /** Returns the files that belong to this process. */
  Storage storage();

  /** Returns the transport to other processes. */
  Transport transport();

  /**
   * Returns a generator of random numbers. It is safe for use by many threads and unsuitable for
   * secrets.
   */
  RandomGenerator random();
}
