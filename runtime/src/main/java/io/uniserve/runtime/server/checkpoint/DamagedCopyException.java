package io.uniserve.runtime.server.checkpoint;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/** A failure: the actor's data on this server's disk is not what was written there. */
public final class DamagedCopyException extends UniserveException {
  private static final long serialVersionUID = 1L;

  public DamagedCopyException(String how) {
    super(ErrorCode.CORRUPT, how);
  }

  public DamagedCopyException(String how, Throwable cause) {
    super(ErrorCode.CORRUPT, how, cause);
  }
}
