package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.UniserveException;

/** An intended defect of the errors that the callers of a client are told. */
@FunctionalInterface
public interface ErrorDefect {
  /** No defect. */
  ErrorDefect NONE = failure -> failure;

  /** Returns what a caller is told instead of a failure. */
  UniserveException told(UniserveException failure);
}
