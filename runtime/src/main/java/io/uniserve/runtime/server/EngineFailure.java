package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.io.IOException;

/** Engine code failed in a way that its contract does not know: the actor's state is in doubt. */
final class EngineFailure extends UniserveException {
  private static final long serialVersionUID = 1L;
  private static final String NO_ROOM = "No space left";

  EngineFailure(String what, Throwable cause) {
    super(
        outOfRoom(cause) ? ErrorCode.EXHAUSTED : ErrorCode.INTERNAL,
        what + " failed: " + cause,
        cause);
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
