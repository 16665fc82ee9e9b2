package io.uniserve.bench.report;

import io.uniserve.bench.measure.Spread;
import java.util.Locale;

/** Numbers in a form for people: three significant digits, with the unit beside them. */
public final class Figures {

  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double BYTES_PER_MEGABYTE = 1 << 20;

  private Figures() {}

  public static String millis(double nanos) {
    return number(nanos / NANOS_PER_MILLI) + " ms";
  }

  public static String micros(double nanos) {
    return number(nanos / NANOS_PER_MICRO) + " µs";
  }

  public static String megabytes(long bytes) {
    return Math.round(bytes / BYTES_PER_MEGABYTE) + " MB";
  }

  /**
   * Formats a number with three significant digits, without an exponent; above a hundred as an
   * integer.
   */
  public static String number(double value) {
    double size = Math.abs(value);
    if (size >= 100) {
      return String.format(Locale.ROOT, "%,d", Math.round(value));
    }
    int decimals = size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** Formats the median with the minimum and the maximum. */
  public static String spread(Spread spread) {
    return "%s (%s-%s)"
        .formatted(number(spread.median()), number(spread.least()), number(spread.greatest()));
  }
}
