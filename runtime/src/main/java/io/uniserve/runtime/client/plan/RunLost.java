package io.uniserve.runtime.client.plan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/**
 * A run cannot be finished, but another may: what it needs was lost with a server, or an actor is
 * not any more what it was planned with.
 */
final class RunLost extends UniserveException {
  private static final long serialVersionUID = 1L;

  private final boolean reshaped;

  RunLost(String what, Throwable cause) {
    super(ErrorCode.UNAVAILABLE, what, cause);
    this.reshaped = false;
  }

  private RunLost(String what) {
    super(ErrorCode.UNAVAILABLE, what);
    this.reshaped = true;
  }

  /** One that an actor's split or merge has overtaken. */
  static RunLost reshaped(String what) {
    return new RunLost(what);
  }

  /** Whether nothing has failed: a run that is planned now may find everything in its place. */
  boolean isReshaped() {
    return reshaped;
  }
}
