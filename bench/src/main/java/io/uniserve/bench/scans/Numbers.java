package io.uniserve.bench.scans;

import java.util.Locale;

/** Figures as text. */
final class Numbers {
  private Numbers() {}

  static String one(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  static String seconds(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** Returns a share with its sign. */
  static String percent(double share) {
    return String.format(Locale.ROOT, "%+.0f %%", 100 * share);
  }
}
