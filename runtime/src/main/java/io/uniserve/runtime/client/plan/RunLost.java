package io.uniserve.runtime.client.plan;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;

/** A run cannot be finished, but another may: what it needs was lost with a server. */
final class RunLost extends UniserveException {
  private static final long serialVersionUID = 1L;

  RunLost(String what, Throwable cause) {
    super(ErrorCode.UNAVAILABLE, what, cause);
  }
}
