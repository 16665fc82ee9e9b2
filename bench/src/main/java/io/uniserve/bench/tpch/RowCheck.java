package io.uniserve.bench.tpch;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A check that two answers to a query are the same: the same rows in the same order, with numbers
 * within {@link #TOLERANCE} of each other, as TPC-H §2.1.3.5 allows for amounts of money. Large
 * floating point numbers, written with an exponent, are the same if they agree to twelve digits,
 * because a sum depends on the order of its terms.
 */
final class RowCheck {
  private static final BigDecimal TOLERANCE = new BigDecimal("0.01");
  private static final BigDecimal FLOATING_TOLERANCE = new BigDecimal("1e-12");
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");

  /**
   * The query that counts words in comments. The published answers come from another generator,
   * whose addresses and comments differ.
   */
  private static final int COUNTS_COMMENTS = 13;

  private static final Pattern MADE_UP = Pattern.compile(".*_(address|comment)");

  private RowCheck() {}

  /** Returns whether a query has a published answer that can be compared. */
  static boolean isPublished(int query) {
    return query != COUNTS_COMMENTS;
  }

  /**
   * Returns a description of the difference from the published answer, if there is one.
   *
   * @param published lines of values; the first names the columns
   */
  static Optional<String> againstPublished(List<List<String>> published, List<List<String>> rows) {
    List<String> heads = published.getFirst();
    return difference(published.subList(1, published.size()), rows, heads);
  }

  /**
   * Returns a description of the difference between the answers of two systems, if there is one.
   */
  static Optional<String> difference(List<List<String>> expected, List<List<String>> rows) {
    return difference(expected, rows, List.of());
  }

  private static Optional<String> difference(
      List<List<String>> expected, List<List<String>> rows, List<String> heads) {
    if (expected.size() != rows.size()) {
      return Optional.of("%,d rows, not %,d".formatted(rows.size(), expected.size()));
    }
    for (int i = 0; i < rows.size(); i++) {
      if (expected.get(i).size() != rows.get(i).size()) {
        return Optional.of(
            "row %d has %d columns, not %d"
                .formatted(i + 1, rows.get(i).size(), expected.get(i).size()));
      }
      for (int j = 0; j < rows.get(i).size(); j++) {
        boolean compared = heads.isEmpty() || !MADE_UP.matcher(heads.get(j)).matches();
        if (compared && !same(expected.get(i).get(j), rows.get(i).get(j))) {
          return Optional.of(
              "row %d, column %d: %s, not %s"
                  .formatted(i + 1, j + 1, rows.get(i).get(j), expected.get(i).get(j)));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean same(String expected, String actual) {
    return actual.equals(expected)
        || NUMBER.matcher(actual).matches()
            && NUMBER.matcher(expected).matches()
            && isNear(expected, actual);
  }

  private static boolean isNear(String expected, String actual) {
    BigDecimal wanted = new BigDecimal(expected);
    boolean floating = (expected + actual).toUpperCase(Locale.ROOT).contains("E");
    BigDecimal tolerance =
        floating ? TOLERANCE.max(wanted.abs().multiply(FLOATING_TOLERANCE)) : TOLERANCE;
    return new BigDecimal(actual).subtract(wanted).abs().compareTo(tolerance) <= 0;
  }
}
