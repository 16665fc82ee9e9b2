package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;

/** A failure: the actor's data on this server's disk is not what was written there. */
final class DamagedCopy extends UniserveException {
  private static final long serialVersionUID = 1L;

  DamagedCopy(String how) {
    super(ErrorCode.CORRUPT, how);
  }

  DamagedCopy(String how, Throwable cause) {
    super(ErrorCode.CORRUPT, how, cause);
  }
}
