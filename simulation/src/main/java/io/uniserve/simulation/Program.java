package io.uniserve.simulation;

import io.uniserve.kernel.Environment;

/** The program of a process, which runs from its start and again from each restart. */
@FunctionalInterface
public interface Program {
  /**
   * Runs the program on the process's first thread. The process goes on when it returns.
   *
   * @throws Exception ends the thread; any but a {@link io.uniserve.api.error.UniserveException}
   *     ends the simulation
   */
  void run(Environment environment) throws Exception;
}
