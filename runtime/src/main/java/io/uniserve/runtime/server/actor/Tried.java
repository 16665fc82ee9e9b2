package io.uniserve.runtime.server.actor;

import io.uniserve.api.error.UniserveException;

/** The outcome of a change that the engine was given together with others. */
public sealed interface Tried permits Ran, Tried.Refused {
  /**
   * The engine refused the change, and nothing has changed.
   *
   * @param reason the engine's reason
   */
  record Refused(UniserveException reason) implements Tried {}
}
