package io.uniserve.sql.estimates;

import io.uniserve.sql.algebra.ColumnRange;
import java.util.Optional;

/**
 * What is known of the values of a column of some rows.
 *
 * @param values about how many different ones there are; 0 if that is not known
 * @param domain about how many different ones there might be if nothing had been left out; 0 if
 *     that is not known
 * @param share what share of the domain a semi-join reduction has left: what the column is going to
 *     be joined with are about these
 * @param range between what values they lie
 */
record ColumnEstimate(double values, double domain, double share, Optional<ColumnRange> range) {
  static final ColumnEstimate UNKNOWN = new ColumnEstimate(0, 0, 1, Optional.empty());

  /** Of a table. */
  static ColumnEstimate of(double values, Optional<ColumnRange> range) {
    return new ColumnEstimate(values, values, 1, range);
  }

  /**
   * The values that are still there if some rows are, whichever.
   *
   * @param rows how many there were
   * @param left how many there are
   */
  ColumnEstimate among(double rows, double left) {
    if (values == 0 || left >= rows) {
      return this;
    }
    // each value has as many rows as any other, and is there if one of them is
    double each = rows / values;
    return withValues(values * (1 - Math.pow(1 - left / rows, each)));
  }

  private ColumnEstimate withValues(double most) {
    return values > most ? new ColumnEstimate(Math.max(1, most), domain, share, range) : this;
  }

  /** A part of the values. */
  ColumnEstimate filtered(double part) {
    return values == 0 ? this : withValues(values * part);
  }

  /** That part of the values that the column will be joined with. */
  ColumnEstimate reduced(double part) {
    ColumnEstimate left = filtered(part);
    return new ColumnEstimate(left.values, domain, share * part, range);
  }

  /** The values that both have. */
  ColumnEstimate met(ColumnEstimate other) {
    double both = values == 0 || other.values == 0 ? 0 : Math.min(values, other.values);
    return new ColumnEstimate(both, Math.max(domain, other.domain), 1, range);
  }
}
