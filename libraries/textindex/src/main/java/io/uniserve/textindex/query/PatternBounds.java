package io.uniserve.textindex.query;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The bounds of wildcards, regular expressions and fuzzy words. Their automata can be far larger
 * than their texts: a repetition copies its operand, and nested repetitions multiply.
 */
final class PatternBounds {
  static final int CHARACTERS_MAX = 1000;
  static final int REPETITIONS_MAX = 1000;

  private static final Pattern REPETITION = Pattern.compile("\\{\\s*(\\d*)\\s*,?\\s*(\\d*)\\s*}");

  private PatternBounds() {}

  /**
   * Checks the length.
   *
   * @throws UniserveException with {@link ErrorCode#TOO_LARGE}
   */
  static void check(String text) {
    if (text.length() > CHARACTERS_MAX) {
      throw tooLarge("longer than " + CHARACTERS_MAX + " characters");
    }
  }

  /** Checks a regular expression by the product of all repetitions, as if all were nested. */
  static void checkRegexp(String text) {
    check(text);
    long product = 1;
    Matcher repetition = REPETITION.matcher(text);
    while (repetition.find()) {
      product *= Math.max(1, Math.max(count(repetition.group(1)), count(repetition.group(2))));
      if (product > REPETITIONS_MAX) {
        throw tooLarge("with more than " + REPETITIONS_MAX + " repetitions");
      }
    }
  }

  private static long count(String digits) {
    return digits.isEmpty() ? 0 : digits.length() > 6 ? Integer.MAX_VALUE : Long.parseLong(digits);
  }

  private static UniserveException tooLarge(String what) {
    return new UniserveException(
        ErrorCode.TOO_LARGE, "a wildcard, regular expression or fuzzy word " + what);
  }
}
