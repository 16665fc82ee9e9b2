package io.uniserve.sql.algebra;

/**
 * Between what values those of a column lie: numbers as they are, days and moments counted from
 * 1970, in days and in milliseconds.
 *
 * @param least no value is less
 * @param greatest no value is greater
 */
public record ColumnRange(double least, double greatest) {

  /** The range of both. */
  ColumnRange plus(ColumnRange other) {
    return new ColumnRange(Math.min(least, other.least), Math.max(greatest, other.greatest));
  }

  /**
   * About the share of the values that lie between two, if all are equally frequent.
   *
   * @param from not more than {@code to}
   */
  public double share(double from, double to) {
    double inside = Math.min(to, greatest) - Math.max(from, least);
    if (inside < 0) {
      return 0;
    }
    return greatest > least ? inside / (greatest - least) : 1;
  }
}
