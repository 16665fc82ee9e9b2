package io.uniserve.policy.scaling;

import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of durations: {@code 200ms}, {@code 30s}, {@code 5m}, {@code 2h}. */
final class Spans {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,7})(ms|s|m|h)");

  private Spans() {}

  /**
   * Reads a duration.
   *
   * @param name the name of the setting, for the error
   * @throws UniserveException if the text is not a duration
   */
  static Duration parse(String name, String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw UniserveException.invalid(
          name + " must be a span such as 200ms, 30s, 5m or 2h, not '" + text + "'");
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      default -> Duration.ofHours(count);
    };
  }

  /** Writes a duration in the largest unit of which it is a whole number. */
  static String text(Duration span) {
    long millis = span.toMillis();
    if (millis == 0) {
      return "0s";
    }
    if (millis % 3_600_000 == 0) {
      return millis / 3_600_000 + "h";
    }
    if (millis % 60_000 == 0) {
      return millis / 60_000 + "m";
    }
    return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
  }
}
