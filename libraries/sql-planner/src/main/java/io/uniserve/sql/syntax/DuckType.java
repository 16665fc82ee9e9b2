package io.uniserve.sql.syntax;

import org.apache.calcite.sql.type.AbstractSqlType;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * A type that DuckDB has and Calcite does not compute with, such as a list. Calcite accepts any
 * operation on it; DuckDB decides which ones are possible.
 */
public final class DuckType extends AbstractSqlType {
  private final String name;

  /**
   * * Makes a type. *
   *
   * @param name its name in DuckDB's SQL
   * @param nullable true if null is among its values
   */
  DuckType(String name, boolean nullable) {
    super(SqlTypeName.ANY, nullable, null);
    this.name = name;
    computeDigest();
  }

  /** Returns its name in DuckDB's SQL. */
  public String name() {
    return name;
  }

  @Override
  protected void generateTypeString(StringBuilder text, boolean withDetail) {
    text.append(name);
  }
}
