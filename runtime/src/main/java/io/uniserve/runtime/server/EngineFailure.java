package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.nio.file.FileSystemException;

/** Engine code failed in a way that its contract does not know: the actor's state is in doubt. */
final class EngineFailure extends UniserveException {
  private static final long serialVersionUID = 1L;

  EngineFailure(String what, Throwable cause) {
    super(code(cause), what + " failed: " + cause, cause);
  }

  private static ErrorCode code(Throwable cause) {
    boolean full =
        cause instanceof FileSystemException file
            && file.getReason() != null
            && file.getReason().contains("No space left");
    return full ? ErrorCode.EXHAUSTED : ErrorCode.INTERNAL;
  }
}
