package io.uniserve.api.error;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A failure that Uniserve reports. Its code says which party can mend it and whether a retry is
 * safe. Its message names the input at fault and has at most {@link Excerpt#MESSAGE_CHARACTERS_MAX}
 * characters.
 */
public class UniserveException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final Pattern WORD_START =
      Pattern.compile("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  private final ErrorCode code;
  private final boolean outcomeUnknown;

  /**
   * Makes an exception.
   *
   * @param code the kind of failure
   * @param message the failure, naming the input
   */
  public UniserveException(ErrorCode code, String message) {
    this(code, message, null, false);
  }

  /**
   * Makes an exception with a cause.
   *
   * @param code the kind of failure
   * @param message the failure, naming the input
   * @param cause the failure that led to this one
   */
  public UniserveException(ErrorCode code, String message, Throwable cause) {
    this(code, message, cause, false);
  }

  private UniserveException(
      ErrorCode code, String message, Throwable cause, boolean outcomeUnknown) {
    super(Excerpt.message(message), cause);
    this.code = code;
    this.outcomeUnknown = outcomeUnknown;
  }

  /** Returns the kind of failure. */
  public final ErrorCode code() {
    return code;
  }

  /** Returns whether sending the same request again is safe and may succeed. */
  public final boolean retryable() {
    return code.retryable() && !outcomeUnknown;
  }

  /**
   * Returns whether a change may have been applied, wholly or in part, and has no idempotency key
   * that would make another attempt safe.
   */
  public final boolean outcomeUnknown() {
    return outcomeUnknown;
  }

  /**
   * Returns this failure as one of a change that may have been applied and has no idempotency key.
   * It is not retryable, since sending the change again may apply it twice. A failure that is not
   * retryable anyway is returned as it is.
   */
  public final UniserveException ofUnknownOutcome() {
    return retryable()
        ? new UniserveException(
            code, "the outcome is unknown, it may have been applied: " + getMessage(), this, true)
        : this;
  }

  /**
   * Makes a failure as {@link #ofUnknownOutcome} does, for one that another process reported.
   *
   * @param message the reported message, which says that the outcome is unknown
   */
  public static UniserveException unknownOutcome(ErrorCode code, String message) {
    return new UniserveException(code, message, null, true);
  }

  /** Returns this failure with another message. */
  public final UniserveException saying(String message) {
    return new UniserveException(code, message, this, outcomeUnknown);
  }

  /** Makes an {@link ErrorCode#INVALID_ARGUMENT} error. */
  public static UniserveException invalid(String message) {
    return new UniserveException(ErrorCode.INVALID_ARGUMENT, message);
  }

  /**
   * Returns a failure that is a {@code UniserveException} as it is, and any other within an {@link
   * ErrorCode#INTERNAL} error.
   */
  public static UniserveException of(Throwable failure) {
    return failure instanceof UniserveException known
        ? known
        : new UniserveException(ErrorCode.INTERNAL, reason(failure), failure);
  }

  /**
   * Describes a failure without names of Java classes: its kind in words, then its message. A
   * {@code UniserveException} is described by its message alone.
   */
  public static String reason(Throwable failure) {
    if (failure instanceof UniserveException known) {
      return known.getMessage();
    }
    String kind =
        WORD_START
            .matcher(failure.getClass().getSimpleName())
            .replaceAll(" ")
            .toLowerCase(Locale.ROOT)
            .replaceFirst(" exception$", "");
    return failure.getMessage() == null ? kind : kind + ": " + failure.getMessage();
  }
}
