package io.uniserve.simulation.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An axis.
 *
 * @param label its quantity and unit
 * @param logarithmic true if equal distances are equal ratios
 * @param names the labels at 0, 1, 2 and so on; empty for numbers
 */
public record Axis(String label, boolean logarithmic, List<String> names) {
  private static final int TICKS = 6;

  /** Returns an axis from small to large in equal steps. */
  public static Axis linear(String label) {
    return new Axis(label, false, List.of());
  }

  /** Returns an axis whose equal distances are equal ratios; values are above 0. */
  public static Axis logarithmic(String label) {
    return new Axis(label, true, List.of());
  }

  /** Returns an axis with names at 0, 1, 2 and so on. */
  public static Axis named(String label, List<String> names) {
    return new Axis(label, false, names);
  }

  /** Returns the place of a value between two ends, 0 to 1. */
  double place(double value, double from, double to) {
    return logarithmic
        ? (Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from))
        : (value - from) / (to - from);
  }

  /** Returns the values that are written between two ends. */
  List<Double> ticks(double from, double to) {
    List<Double> ticks = new ArrayList<>();
    if (!names.isEmpty()) {
      for (int place = 0; place < names.size(); place++) {
        ticks.add((double) place);
      }
    } else if (logarithmic) {
      addRatios(from, to, ticks);
    } else {
      double step = step((to - from) / TICKS);
      for (double tick = Math.ceil(from / step) * step; tick <= to * (1 + 1e-9); tick += step) {
        ticks.add(tick);
      }
    }
    return ticks;
  }

  private static void addRatios(double from, double to, List<Double> ticks) {
    for (double power = Math.pow(10, Math.floor(Math.log10(from))); power <= to; power *= 10) {
      for (double factor : new double[] {1, 2, 5}) {
        if (power * factor >= from * (1 - 1e-9) && power * factor <= to * (1 + 1e-9)) {
          ticks.add(power * factor);
        }
      }
    }
  }

  /** Returns the next larger 1, 2 or 5 times a power of ten. */
  private static double step(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    double ratio = least / power;
    return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
  }

  String text(double tick) {
    if (!names.isEmpty()) {
      return names.get((int) Math.round(tick));
    }
    return Math.abs(tick - Math.rint(tick)) < 1e-9
        ? String.valueOf(Math.round(tick))
        : String.format(Locale.ROOT, "%.3g", tick).replaceAll("0+$", "");
  }
}
