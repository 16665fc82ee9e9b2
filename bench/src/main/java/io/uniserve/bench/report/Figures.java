package io.uniserve.bench.report;

import io.uniserve.bench.measure.Spread;
import java.util.Locale;

/** Numbers as people read them: three significant digits, the unit beside them. */
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

  /** Three significant digits, without an exponent; whole above a hundred. */
  public static String number(double value) {
    double size = Math.abs(value);
    if (size >= 100) {
      return String.format(Locale.ROOT, "%,d", Math.round(value));
    }
    int decimals = size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** The median with the least and the greatest value. */
  public static String spread(Spread spread) {
    return "%s (%s-%s)"
        .formatted(number(spread.median()), number(spread.least()), number(spread.greatest()));
  }
}
