package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/** A failure: the input of a task, made by its own run, is not available any more. */
public final class InputLostException extends UniserveException {
  private static final long serialVersionUID = 1L;

  public InputLostException(String what) {
    super(ErrorCode.UNAVAILABLE, what);
  }

  public InputLostException(String what, Throwable cause) {
    super(ErrorCode.UNAVAILABLE, what, cause);
  }
}
