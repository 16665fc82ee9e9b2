package io.uniserve.runtime.server.restore;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;

/** The failure of a plan since the store has an actor only from a later place on. */
final class NoBaseException extends UniserveException {
  private static final long serialVersionUID = 1L;

  NoBaseException(String message) {
    super(ErrorCode.NOT_FOUND, message);
  }
}
