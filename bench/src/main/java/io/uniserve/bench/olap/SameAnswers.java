package io.uniserve.bench.olap;

import java.util.List;
import java.util.Optional;

/** The comparison of answers. Sums in another order differ in their last digits. */
final class SameAnswers {
  private static final double TOLERANCE = 1e-9;

  private SameAnswers() {}

  /** Returns what differs, if anything does. */
  static Optional<String> difference(List<List<String>> expected, List<List<String>> got) {
    if (expected.size() != got.size()) {
      return Optional.of(got.size() + " rows instead of " + expected.size());
    }
    for (int row = 0; row < expected.size(); row++) {
      for (int cell = 0; cell < expected.get(row).size(); cell++) {
        String one = expected.get(row).get(cell);
        String other = got.get(row).get(cell);
        if (!same(one, other)) {
          return Optional.of("row %d has %s instead of %s".formatted(row, other, one));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean same(String one, String other) {
    if (one.equals(other)) {
      return true;
    }
    try {
      double first = Double.parseDouble(one);
      double second = Double.parseDouble(other);
      return Math.abs(first - second) <= TOLERANCE * Math.max(Math.abs(first), Math.abs(second));
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
