package io.uniserve.node.text;

import java.time.Duration;
import java.util.Locale;

/** Figures as people read them. */
public final class Figures {
  private static final int SECONDS_PER_HOUR = 3_600;
  private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Figures() {}

  /** Returns a number with separators: {@code 36,273}. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Returns {@code 3.7 MiB} and the like. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, BYTE_UNITS[unit]);
  }

  /**
   * Returns {@code 0.42 ms}, {@code 3.1 s}, {@code 2 min 05 s}, {@code 24 h 00 min} and the like.
   */
  public static String duration(Duration duration) {
    double seconds = duration.toNanos() / 1e9;
    if (seconds < 0.01) {
      return String.format(Locale.ROOT, "%.2f ms", seconds * 1e3);
    }
    if (seconds < 1) {
      return String.format(Locale.ROOT, "%.0f ms", seconds * 1e3);
    }
    if (seconds < 90) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    if (seconds < SECONDS_PER_HOUR) {
      return String.format(Locale.ROOT, "%d min %02d s", (long) seconds / 60, (long) seconds % 60);
    }
    return String.format(
        Locale.ROOT, "%d h %02d min", duration.toHours(), duration.toMinutesPart());
  }

  /**
   * Returns {@code 1 table}, {@code 4 tables}, {@code 2 copies}, {@code 0 matches} and the like.
   */
  public static String plural(long number, String noun) {
    return count(number) + " " + (number == 1 ? noun : pluralOf(noun));
  }

  private static String pluralOf(String noun) {
    if (noun.endsWith("ch")) {
      return noun + "es";
    }
    return noun.matches(".*[^aeiou]y") ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s";
  }
}
