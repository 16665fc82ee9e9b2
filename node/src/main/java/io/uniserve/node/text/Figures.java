package io.uniserve.node.text;

import java.time.Duration;
import java.util.Locale;

/** Figures as people read them. */
public final class Figures {
  private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Figures() {}

  /** With separators: {@code 36,273}. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** {@code 3.7 MiB}. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, BYTE_UNITS[unit]);
  }

  /** {@code 0.42 ms}, {@code 3.1 s} or {@code 2 min 05 s}. */
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
    return String.format(Locale.ROOT, "%d min %02d s", (long) seconds / 60, (long) seconds % 60);
  }

  /** {@code 1 table} or {@code 4 tables}. */
  public static String plural(long number, String noun) {
    return count(number) + " " + noun + (number == 1 ? "" : "s");
  }
}
