package io.uniserve.api;

/**
 * Every failure that Uniserve reports: a code, the party it belongs to, whether a retry is safe,
 * and what it is about.
 */
public class UniserveException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  /**
   * @param code what kind of failure
   * @param message what failed, naming the input
   */
  public UniserveException(ErrorCode code, String message) {
    super(message);
    this.code = code;
  }

  /**
   * @param code what kind of failure
   * @param message what failed, naming the input
   * @param cause what it followed from
   */
  public UniserveException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** What kind of failure. */
  public final ErrorCode code() {
    return code;
  }

  /** Whether the same request, sent again, is safe and may succeed. */
  public final boolean retryable() {
    return code.retryable();
  }

  /** An {@link ErrorCode#INVALID_ARGUMENT} error. */
  public static UniserveException invalid(String message) {
    return new UniserveException(ErrorCode.INVALID_ARGUMENT, message);
  }

  /**
   * This very exception if it already is one of ours, otherwise an {@link ErrorCode#INTERNAL} error
   * around it.
   */
  public static UniserveException of(Throwable failure) {
    return failure instanceof UniserveException known
        ? known
        : new UniserveException(ErrorCode.INTERNAL, failure.toString(), failure);
  }
}
