package io.uniserve.api;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Every failure that Uniserve reports: a code, the party it belongs to, whether a retry is safe,
 * and what it is about. Its message has at most {@link Excerpt#MESSAGE_CHARACTERS_MAX} characters.
 */
public class UniserveException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final Pattern WORD_START =
      Pattern.compile("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  private final ErrorCode code;
  private final boolean outcomeUnknown;

  /**
   * @param code what kind of failure
   * @param message what failed, naming the input
   */
  public UniserveException(ErrorCode code, String message) {
    this(code, message, null, false);
  }

  /**
   * @param code what kind of failure
   * @param message what failed, naming the input
   * @param cause what it followed from
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

  /** What kind of failure. */
  public final ErrorCode code() {
    return code;
  }

  /** Whether the same request, sent again, is safe and may succeed. */
  public final boolean retryable() {
    return code.retryable() && !outcomeUnknown;
  }

  /**
   * Tells whether a change may have been applied, wholly or in part, without a key by which another
   * attempt would be known as the same.
   */
  public final boolean outcomeUnknown() {
    return outcomeUnknown;
  }

  /**
   * The same failure of a change that may have been applied, and that has no idempotency key of the
   * caller's: sending it again may apply it twice. What is not retryable anyway stays as it is.
   */
  public final UniserveException ofUnknownOutcome() {
    return retryable()
        ? new UniserveException(
            code, "the outcome is unknown, it may have been applied: " + getMessage(), this, true)
        : this;
  }

  /**
   * A failure of {@link #ofUnknownOutcome} that somebody else tells.
   *
   * @param message which says so
   */
  public static UniserveException unknownOutcome(ErrorCode code, String message) {
    return new UniserveException(code, message, null, true);
  }

  /** The same failure in other words. */
  public final UniserveException saying(String message) {
    return new UniserveException(code, message, this, outcomeUnknown);
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
        : new UniserveException(ErrorCode.INTERNAL, reason(failure), failure);
  }

  /**
   * What a failure says, without names of Java: its kind in words, then its message. One of ours
   * says it all in its message.
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
