package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.nio.file.FileSystemException;

/** Engine code failed in a way that its contract does not know: the actor's state is in doubt. */
final class EngineFailure extends UniserveException {
  private static final long serialVersionUID = 1L;

  EngineFailure(String what, Throwable cause) {
    super(
        outOfRoom(cause) ? ErrorCode.EXHAUSTED : ErrorCode.INTERNAL,
        what + " failed: " + cause,
        cause);
  }

  /** Whether a failure is one of the disk's being full. */
  static boolean outOfRoom(Throwable cause) {
    if (cause instanceof UniserveException known) {
      return known.code() == ErrorCode.EXHAUSTED;
    }
    return cause instanceof FileSystemException file
        && file.getReason() != null
        && file.getReason().contains("No space left");
  }
}
