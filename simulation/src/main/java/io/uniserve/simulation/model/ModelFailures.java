package io.uniserve.simulation.model;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/** The failures of engine code on one process. */
public interface ModelFailures {
  /** The value without failures. */
  ModelFailures NONE = () -> false;

  /** The words in every message of such a failure. */
  String MADE_UP = "made up by the simulator";

  /**
   * Returns whether an error is one of these. It looks like a defect, after which the outcome is
   * unknown, and it is still right to try again with the same key.
   */
  static boolean caused(UniserveException failure) {
    return failure.code() == ErrorCode.INTERNAL && failure.getMessage().contains(MADE_UP);
  }

  /** Returns whether the next call of an engine fails. */
  boolean next();

  /**
   * Fails, or not.
   *
   * @throws IllegalStateException as a defect of an engine, or a broken library, would
   */
  default void perhaps(String what) {
    if (next()) {
      throw new IllegalStateException(what + " fails: " + MADE_UP);
    }
  }
}
