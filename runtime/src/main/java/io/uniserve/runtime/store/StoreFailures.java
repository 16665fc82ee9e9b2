package io.uniserve.runtime.store;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;

/** The errors of {@link DurableStore}, derived from failures of files. */
public final class StoreFailures {
  private StoreFailures() {}

  /**
   * @param what the operation, and its object
   */
  public static UniserveException of(IOException failure, String what) {
    if (failure instanceof ClosedByInterruptException
        || failure instanceof InterruptedIOException) {
      Thread.currentThread().interrupt();
      return new UniserveException(ErrorCode.CANCELLED, what + ": interrupted", failure);
    }
    if (failure instanceof NoSuchFileException) {
      return new UniserveException(
          ErrorCode.NOT_FOUND, what + ": there is no " + failure.getMessage(), failure);
    }
    ErrorCode code = isFull(failure) ? ErrorCode.EXHAUSTED : ErrorCode.UNAVAILABLE;
    return new UniserveException(code, what + ": " + failure, failure);
  }

  static UniserveException notFound(String what) {
    return new UniserveException(ErrorCode.NOT_FOUND, what + ": there is no such object");
  }

  public static UniserveException corrupt(String what, String how) {
    return new UniserveException(ErrorCode.CORRUPT, what + ": " + how);
  }

  /** Returns the failure for an object with contents that this program cannot read. */
  public static UniserveException undecodable(String key, UniserveException failure) {
    ErrorCode code = failure.code();
    return new UniserveException(
        code == ErrorCode.INVALID_ARGUMENT ? ErrorCode.CORRUPT : code,
        key + ": " + failure.getMessage(),
        failure);
  }

  public static UniserveException tooLarge(String what, long sizeBytes, long sizeBytesMax) {
    return new UniserveException(
        ErrorCode.TOO_LARGE,
        what + ": the object has " + sizeBytes + " bytes, at most " + sizeBytesMax + " are read");
  }

  /** Returns whether the disk is full, which the JDK tells only by the system's words. */
  private static boolean isFull(IOException failure) {
    String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return message.contains("no space left")
        || message.contains("quota exceeded")
        || message.contains("not enough space");
  }
}
