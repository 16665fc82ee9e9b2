package io.uniserve.runtime.server.engine;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.util.List;

/**
 * A failure of engine code, or of the disk that has the log, that leaves the actor's state in
 * doubt.
 */
public final class EngineFailedException extends UniserveException {
  private static final long serialVersionUID = 1L;

  /** The words of operating and file systems for a full disk, which has no exception class. */
  private static final List<String> NO_ROOM =
      List.of("No space left", "Disk quota exceeded", "not enough space", "out of disk space");

  public EngineFailedException(String what, Throwable cause) {
    super(code(cause), what + " failed: " + cause, cause);
  }

  private EngineFailedException(ErrorCode code, String message, Throwable cause) {
    super(code, message, cause);
  }

  /**
   * Returns the failure as it is told to each of several updates that were applied together. Only
   * one of them is at fault, and none is applied, so each may be tried again.
   *
   * @param count the number of updates
   */
  public EngineFailedException ofOneAmong(int count) {
    return new EngineFailedException(
        ErrorCode.UNAVAILABLE,
        "one of " + count + " updates that were applied together: " + getMessage(),
        this);
  }

  /** Chooses the code: another copy, or a later attempt here, may succeed after a full disk. */
  private static ErrorCode code(Throwable cause) {
    if (outOfRoom(cause)) {
      return ErrorCode.EXHAUSTED;
    }
    return cause instanceof IOException ? ErrorCode.UNAVAILABLE : ErrorCode.INTERNAL;
  }

  /**
   * Returns whether a failure means that the disk is full. Operating systems say so in the message
   * only.
   */
  public static boolean outOfRoom(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UniserveException known) {
        return known.code() == ErrorCode.EXHAUSTED;
      }
      String message = String.valueOf(cause.getMessage());
      if (cause instanceof IOException && NO_ROOM.stream().anyMatch(message::contains)) {
        return true;
      }
    }
    return false;
  }
}
