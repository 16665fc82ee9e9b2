package io.uniserve.runtime.server.plan;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;

/** A failure: the input of a task, made by its own run, is not available any more. */
final class InputLost extends UniserveException {
  private static final long serialVersionUID = 1L;

  InputLost(String what) {
    super(ErrorCode.UNAVAILABLE, what);
  }

  InputLost(String what, Throwable cause) {
    super(ErrorCode.UNAVAILABLE, what, cause);
  }
}
