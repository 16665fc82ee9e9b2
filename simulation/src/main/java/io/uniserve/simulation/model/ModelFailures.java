package io.uniserve.simulation.model;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/** The failures of engine code on one process. */
public interface ModelFailures {
  /** No failures. */
  ModelFailures NONE = () -> false;

  /** The words that every message of such a failure has. */
  String MADE_UP = "made up by the simulator";

  /**
   * Tells whether an error is one of these: that of a defect, after which nobody knows what has
   * happened, and which it is still right to try again with the same key.
   */
  static boolean caused(UniserveException failure) {
    return failure.code() == ErrorCode.INTERNAL && failure.getMessage().contains(MADE_UP);
  }

  /** Tells whether the next thing that an engine does fails. */
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
