package io.uniserve.engines.sharedscan;

import io.uniserve.engines.sharedscan.sql.Statement;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The order of an answer's rows, by their values in stored form. */
final class Ordering {
  private Ordering() {}

  /**
   * Returns the order of rows.
   *
   * @param orders its parts; none leaves the rows as they are
   */
  static Comparator<Object[]> of(List<Statement.Order> orders) {
    Comparator<Object[]> all = (one, other) -> 0;
    for (Statement.Order order : orders) {
      Comparator<Object> values =
          order.descending()
              ? (one, other) -> compare(other, one)
              : (one, other) -> compare(one, other);
      all = all.thenComparing(row -> row[order.item()], Comparator.nullsLast(values));
    }
    return all;
  }

  private static int compare(Object one, Object other) {
    return switch (one) {
      case byte[] text -> Arrays.compareUnsigned(text, (byte[]) other);
      case BigInteger number -> number.compareTo((BigInteger) other);
      case Double number -> number.compareTo((Double) other);
      default -> Long.compare((long) one, (long) other);
    };
  }
}
