package io.uniserve.runtime.server.plan;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;

/** What a task was to read of its own run is not to be had any more. */
final class InputLost extends UniserveException {
  private static final long serialVersionUID = 1L;

  InputLost(String what) {
    super(ErrorCode.UNAVAILABLE, what);
  }

  InputLost(String what, Throwable cause) {
    super(ErrorCode.UNAVAILABLE, what, cause);
  }
}
