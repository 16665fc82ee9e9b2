package io.uniserve.sql.planner;

import io.uniserve.sql.syntax.SqlType;
import org.apache.calcite.rel.type.RelDataType;

/** The kinds of columns whose equal values have equal partition keys. */
public enum PartitionKind {
  /** Integers of any size. */
  WHOLE,
  /** Texts. */
  TEXT,
  /** Days. */
  DAY,
  /** Types by which rows cannot be spread. */
  OTHER;

  /** Returns the kind of a column. */
  public static PartitionKind of(SqlType type) {
    return switch (type.kind()) {
      case INTEGER, BIGINT -> WHOLE;
      case VARCHAR -> TEXT;
      case DATE -> DAY;
      case BOOLEAN, DOUBLE, DECIMAL, TIMESTAMP -> OTHER;
    };
  }

  static PartitionKind of(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT -> WHOLE;
      case CHAR, VARCHAR -> TEXT;
      case DATE -> DAY;
      default -> OTHER;
    };
  }
}
