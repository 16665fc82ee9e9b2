package io.uniserve.runtime.client.plan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/**
 * A failure: a run cannot be finished, but another may. Data that it needs was lost with a server,
 * or an actor was split or merged since it was planned.
 */
final class RunLostException extends UniserveException {
  private static final long serialVersionUID = 1L;

  private final boolean reshaped;

  RunLostException(String what, Throwable cause) {
    super(ErrorCode.UNAVAILABLE, what, cause);
    this.reshaped = false;
  }

  private RunLostException(String what) {
    super(ErrorCode.UNAVAILABLE, what);
    this.reshaped = true;
  }

  /** Returns the failure of a run that a split or merge of an actor has overtaken. */
  static RunLostException reshaped(String what) {
    return new RunLostException(what);
  }

  /**
   * Returns whether nothing has failed: a run that is planned now may find everything in its place.
   */
  boolean isReshaped() {
    return reshaped;
  }
}
