package io.uniserve.sql.syntax;

import org.apache.calcite.sql.type.AbstractSqlType;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * A type that DuckDB has and Calcite does not compute with, such as a list. To Calcite it may be
 * anything: what can be done with its values is DuckDB's to say.
 */
public final class DuckType extends AbstractSqlType {
  private final String name;

  /**
   * A type.
   *
   * @param name in DuckDB's SQL
   * @param nullable whether null is among its values
   */
  DuckType(String name, boolean nullable) {
    super(SqlTypeName.ANY, nullable, null);
    this.name = name;
    computeDigest();
  }

  /** Its name in DuckDB's SQL. */
  public String name() {
    return name;
  }

  @Override
  protected void generateTypeString(StringBuilder text, boolean withDetail) {
    text.append(name);
  }
}
