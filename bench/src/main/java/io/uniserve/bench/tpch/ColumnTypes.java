package io.uniserve.bench.tpch;

/** The column type of TPC-H's amounts of money and goods, in all systems. */
public enum ColumnTypes {
  /** {@code decimal(15,2)}, as the specification has it. */
  DECIMAL,
  /** Floating point with 64 bits. */
  DOUBLE;

  private static final String DECIMALS = "decimal(15,2)";

  /** Returns the type of a column, given the one with decimals. */
  String of(String type) {
    return this == DOUBLE ? type.replace(DECIMALS, "double") : type;
  }
}
