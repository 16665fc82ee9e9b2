package io.uniserve.engines.sharedscan.scan;

import io.uniserve.api.form.Name;

/**
 * A value of a group of records.
 *
 * @param kind the computation
 * @param column the place of the column; -1 for the number of records
 */
@Name("Aggregate")
public record Aggregate(Kind kind, int column) {
  /** A kind of computation. */
  public enum Kind {
    /** The number of values, or of records. */
    @Name("COUNT")
    COUNT,
    /** The sum of the values. */
    @Name("SUM")
    SUM,
    /** The least value. */
    @Name("MIN")
    MIN,
    /** The greatest value. */
    @Name("MAX")
    MAX
  }
}
