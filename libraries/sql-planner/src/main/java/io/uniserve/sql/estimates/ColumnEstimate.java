package io.uniserve.sql.estimates;

import io.uniserve.sql.algebra.ColumnRange;
import java.util.Optional;

/**
 * An estimate of the values of a column.
 *
 * @param values the estimated number of distinct values; 0 if unknown
 * @param domain the estimated number of distinct values before any row was left out; 0 if unknown
 * @param share the share of the domain that a semi-join reduction has left; the column will be
 *     joined with about these values
 * @param range the range of the values
 */
record ColumnEstimate(double values, double domain, double share, Optional<ColumnRange> range) {
  static final ColumnEstimate UNKNOWN = new ColumnEstimate(0, 0, 1, Optional.empty());

  /** Makes the estimate of a table's column. */
  static ColumnEstimate of(double values, Optional<ColumnRange> range) {
    return new ColumnEstimate(values, values, 1, range);
  }

  /**
   * Returns the estimate if only some rows are left, chosen at random.
   *
   * @param rows the former number of rows
   * @param left the number of rows that are left
   */
  ColumnEstimate among(double rows, double left) {
    if (values == 0 || left >= rows) {
      return this;
    }
    // all values have the same number of rows, and a value is left if one of its rows is
    double each = rows / values;
    return withValues(values * (1 - Math.pow(1 - left / rows, each)));
  }

  private ColumnEstimate withValues(double most) {
    return values > most ? new ColumnEstimate(Math.max(1, most), domain, share, range) : this;
  }

  /** Returns the estimate if only a part of the values is left. */
  ColumnEstimate filtered(double part) {
    return values == 0 ? this : withValues(values * part);
  }

  /** Returns the estimate if only the values that the column will be joined with are left. */
  ColumnEstimate reduced(double part) {
    ColumnEstimate left = filtered(part);
    return new ColumnEstimate(left.values, domain, share * part, range);
  }

  /** Returns the estimate of the values that both columns have. */
  ColumnEstimate met(ColumnEstimate other) {
    double both = values == 0 || other.values == 0 ? 0 : Math.min(values, other.values);
    return new ColumnEstimate(both, Math.max(domain, other.domain), 1, range);
  }
}
