package io.uniserve.kernel;

import java.util.random.RandomGenerator;

/**
 * All that a Uniserve process gets from outside itself. One for each process, simulated or real.
 */
public interface Environment {
  /** Time and timers. */
  Clock clock();

  /** Threads and what they wait on. */
  Threads threads();

  /** Files that belong to this process. */
  Storage storage();

  /** The way to other processes. */
  Transport transport();

  /** Random numbers; safe for use by many threads. Not for secrets. */
  RandomGenerator random();
}
