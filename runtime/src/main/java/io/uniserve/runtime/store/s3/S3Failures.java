package io.uniserve.runtime.store.s3;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.store.DurableStore;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The errors of {@link DurableStore}, derived from those of the object store's client. */
final class S3Failures {
  static final int NOT_FOUND = 404;
  static final int CONFLICT = 409;
  static final int PRECONDITION_FAILED = 412;

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int INSUFFICIENT_STORAGE = 507;

  private S3Failures() {}

  /**
   * @param what the operation, and its object
   */
  static UniserveException of(SdkException failure, String what) {
    if (failure instanceof S3Exception answered && answered.statusCode() > 0) {
      return ofAnswer(answered, what);
    }
    if (failure instanceof AbortedException || Thread.currentThread().isInterrupted()) {
      Thread.currentThread().interrupt();
      return new UniserveException(ErrorCode.CANCELLED, what + ": interrupted", failure);
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UniserveException ours) {
        return ours;
      }
    }
    return new UniserveException(
        ErrorCode.UNAVAILABLE, what + ": " + failure.getMessage(), failure);
  }

  private static UniserveException ofAnswer(S3Exception answered, String what) {
    String message = what + ": the store answers " + describe(answered);
    return new UniserveException(codeOf(answered), message, answered);
  }

  private static ErrorCode codeOf(S3Exception answered) {
    int status = answered.statusCode();
    if (status == NOT_FOUND) {
      return ErrorCode.NOT_FOUND;
    }
    if (status == INSUFFICIENT_STORAGE || nameOf(answered).matches(".*(Quota|StorageFull).*")) {
      return ErrorCode.EXHAUSTED;
    }
    boolean passing = status >= 500 || status == TOO_MANY_REQUESTS || status == CONFLICT;
    return passing ? ErrorCode.UNAVAILABLE : ErrorCode.INVALID_ARGUMENT;
  }

  private static String describe(S3Exception answered) {
    return answered.statusCode() + " " + nameOf(answered) + ", " + answered.getMessage();
  }

  private static String nameOf(S3Exception answered) {
    return answered.awsErrorDetails() == null
        ? ""
        : String.valueOf(answered.awsErrorDetails().errorCode());
  }
}
