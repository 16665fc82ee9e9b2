package io.uniserve.engines.warehouse.fuzz;

/**
 * A part of a statement that is a value.
 *
 * @param exact true if it is computed alike in whatever order rows come, so that sums of it are
 */
record Expression(Type type, boolean exact, Part part) {
  static Expression of(Type type, Object... parts) {
    return new Expression(type, type != Type.DOUBLE, Part.sorted(type.sort(), parts));
  }
}
