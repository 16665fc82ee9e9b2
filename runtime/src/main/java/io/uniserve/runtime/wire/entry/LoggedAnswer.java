package io.uniserve.runtime.wire.entry;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.Arrays;

/**
 * The answer of an update function on one actor, as the actor's log has it.
 *
 * @param each true if it is a list with a value for each record
 * @param value the bytes of a {@link Payload}; none if the function answered nothing
 */
public record LoggedAnswer(boolean each, byte[] value) {
  /** The answer of a function that might have answered, and did not. */
  public static final LoggedAnswer NONE = new LoggedAnswer(false, new byte[0]);

  /**
   * Requires that an answer of a function can be kept.
   *
   * @param records the number of records of one actor
   * @throws UniserveException with {@link ErrorCode#TOO_LARGE}
   */
  public static void requireBounded(UpdateFunction<?, ?> function, int records) {
    int bytesMax = function.answerBytesMax(records);
    if (bytesMax < 0 || bytesMax > Answer.BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "%s may answer with %d bytes for %d records of an actor, at most %d: send fewer at once"
              .formatted(function.getClass().getSimpleName(), bytesMax, records, Answer.BYTES_MAX));
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LoggedAnswer answer
        && each == answer.each
        && Arrays.equals(value, answer.value);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(value);
  }

  @Override
  public String toString() {
    return (each ? "an answer for each record, " : "an answer, ") + value.length + " bytes";
  }
}
