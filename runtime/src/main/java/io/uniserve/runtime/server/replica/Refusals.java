package io.uniserve.runtime.server.replica;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.entry.Refusal;

/** The failures of ordered updates that are final, as logs and messages have them. */
final class Refusals {
  private static final int MESSAGE_CHARACTERS_MAX = 1_000;

  private Refusals() {}

  static Refusal of(UniserveException failure) {
    return new Refusal(failure.code(), bounded(String.valueOf(failure.getMessage())));
  }

  /** Returns a failure that another attempt would not mend; throws one that it may mend. */
  static UniserveException requireFinal(UniserveException failure) {
    if (!isFinal(failure)) {
      throw failure;
    }
    return failure;
  }

  /** Returns whether another attempt would not mend a failure. */
  static boolean isFinal(UniserveException failure) {
    return !failure.retryable() && failure.code() != ErrorCode.CANCELLED;
  }

  private static String bounded(String message) {
    return message.substring(0, Math.min(message.length(), MESSAGE_CHARACTERS_MAX));
  }
}
