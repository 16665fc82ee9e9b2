package io.uniserve.runtime.server.keys;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.nio.file.Path;

/**
 * A failure: a file of idempotency keys that an open copy uses is not what was written there, or
 * cannot be read. Nobody knows then whether an update was applied before, so none is applied.
 */
public final class DamagedKeysException extends UniserveException {
  private static final long serialVersionUID = 1L;

  DamagedKeysException(Path file, String how, Throwable cause) {
    super(
        ErrorCode.UNAVAILABLE,
        "the idempotency keys in " + file + " cannot be read: " + how,
        cause);
  }
}
