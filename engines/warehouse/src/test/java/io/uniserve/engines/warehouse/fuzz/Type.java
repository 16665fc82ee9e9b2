package io.uniserve.engines.warehouse.fuzz;

import java.util.List;
import java.util.stream.Stream;

/** The type of a value. */
enum Type {
  /** True or false. */
  BOOLEAN("boolean", "true"),
  /** 32 bits. */
  INTEGER("integer", "1"),
  /** 64 bits. */
  BIGINT("bigint", "1"),
  /** Floating point. */
  DOUBLE("double", "1e0"),
  /** A decimal of 12 digits, 2 of them after the point. */
  DECIMAL("decimal(12,2)", "1.5"),
  /** Text. */
  TEXT("varchar", "'a'"),
  /** A day. */
  DATE("date", "date '2024-01-01'"),
  /** A day and a time, in microseconds. */
  TIMESTAMP("timestamp", "timestamp '2024-01-01 00:00:00'");

  /** Those that rows can be spread by. */
  static final List<Type> SPREADING = List.of(INTEGER, BIGINT, TEXT, DATE);

  /** Those that can be added up. */
  static final List<Type> NUMBERS = List.of(INTEGER, BIGINT, DOUBLE, DECIMAL);

  private final String sql;
  private final String simplest;

  Type(String sql, String simplest) {
    this.sql = sql;
    this.simplest = simplest;
  }

  String sql() {
    return sql;
  }

  /** The sort of its expressions. */
  String sort() {
    return name();
  }

  boolean isNumber() {
    return NUMBERS.contains(this);
  }

  /** The simplest expression of a sort, if it is that of a type's. */
  static Stream<String> simplest(String sort) {
    return Stream.of(values()).filter(type -> type.sort().equals(sort)).map(type -> type.simplest);
  }
}
