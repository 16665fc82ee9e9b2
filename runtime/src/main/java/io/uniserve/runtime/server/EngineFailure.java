package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.io.IOException;

/**
 * Engine code, or the disk that has the log, failed in a way that leaves the actor's state in
 * doubt.
 */
final class EngineFailure extends UniserveException {
  private static final long serialVersionUID = 1L;
  private static final String NO_ROOM = "No space left";

  EngineFailure(String what, Throwable cause) {
    super(code(cause), what + " failed: " + cause, cause);
  }

  /** Chooses the code: what the disk failed to keep, another copy may take, or this one later. */
  private static ErrorCode code(Throwable cause) {
    if (outOfRoom(cause)) {
      return ErrorCode.EXHAUSTED;
    }
    return cause instanceof IOException ? ErrorCode.UNAVAILABLE : ErrorCode.INTERNAL;
  }

  /** Whether a failure is one of the disk's being full, which systems tell in words alone. */
  static boolean outOfRoom(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UniserveException known) {
        return known.code() == ErrorCode.EXHAUSTED;
      }
      if (cause instanceof IOException && String.valueOf(cause.getMessage()).contains(NO_ROOM)) {
        return true;
      }
    }
    return false;
  }
}
