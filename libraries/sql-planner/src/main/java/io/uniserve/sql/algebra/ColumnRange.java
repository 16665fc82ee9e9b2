package io.uniserve.sql.algebra;

/**
 * The range of a column's values. Days are counted from 1970 in days, moments in milliseconds.
 *
 * @param least a lower bound of the values
 * @param greatest an upper bound of the values
 */
public record ColumnRange(double least, double greatest) {

  /** Returns the smallest range that contains both. */
  ColumnRange plus(ColumnRange other) {
    return new ColumnRange(Math.min(least, other.least), Math.max(greatest, other.greatest));
  }

  /**
   * Estimates the share of the values between two, if all are equally frequent.
   *
   * @param from the lower value, not more than {@code to}
   */
  public double share(double from, double to) {
    double inside = Math.min(to, greatest) - Math.max(from, least);
    if (inside < 0) {
      return 0;
    }
    return greatest > least ? inside / (greatest - least) : 1;
  }
}
