package io.uniserve.runtime.server.backup;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/**
 * A copy that leads nothing yet, since it will soon be known if its server may write to the durable
 * store. That is no failure of the copy.
 */
public final class OwnerAwaitedException extends UniserveException {
  private static final long serialVersionUID = 1L;

  OwnerAwaitedException(String message) {
    super(ErrorCode.UNAVAILABLE, message);
  }
}
