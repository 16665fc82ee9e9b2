package io.uniserve.bench.tpch;

/** What TPC-H's amounts of money and goods are, on all sides. */
enum ColumnTypes {
  /** {@code decimal(15,2)}, as the specification has it. */
  DECIMAL,
  /** Floating point with 64 bits. */
  DOUBLE;

  private static final String DECIMALS = "decimal(15,2)";

  /** The type of a column, given the one with decimals. */
  String of(String type) {
    return this == DOUBLE ? type.replace(DECIMALS, "double") : type;
  }
}
