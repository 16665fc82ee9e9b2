package io.uniserve.backends.monetdb;

import io.uniserve.sql.planner.ActorSql;
import io.uniserve.sql.syntax.SqlColumn;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlDialect;

/** The part of MonetDB's SQL of 2019 with the same meaning as here. */
final class MonetSql implements ActorSql {
  static final MonetSql INSTANCE = new MonetSql();

  private MonetSql() {}

  @Override
  public SqlDialect dialect() {
    return MonetDialect.INSTANCE;
  }

  @Override
  public RelNode checked(RelNode rel) {
    RelNode joins = MonetSemiJoins.asJoins(rel);
    MonetSubset.check(joins);
    return MonetLists.written(MonetJoins.written(joins));
  }

  @Override
  public void checkAssignment(SqlColumn column, RelDataType value) {
    MonetSubset.checkAssignment(column, value);
  }
}
