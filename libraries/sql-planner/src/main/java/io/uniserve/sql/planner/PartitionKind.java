package io.uniserve.sql.planner;

import io.uniserve.sql.syntax.SqlType;
import org.apache.calcite.rel.type.RelDataType;

/** Kinds of columns whose equal values give equal partition keys. */
public enum PartitionKind {
  /** Integers of any size. */
  WHOLE,
  /** Texts. */
  TEXT,
  /** Days. */
  DAY,
  /** No rows are spread by these. */
  OTHER;

  /** The kind of a column. */
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
