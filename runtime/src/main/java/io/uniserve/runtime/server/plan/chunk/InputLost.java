package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/** A failure: the input of a task, made by its own run, is not available any more. */
public final class InputLost extends UniserveException {
  private static final long serialVersionUID = 1L;

  public InputLost(String what) {
    super(ErrorCode.UNAVAILABLE, what);
  }

  public InputLost(String what, Throwable cause) {
    super(ErrorCode.UNAVAILABLE, what, cause);
  }
}
