package io.uniserve.sql.planner;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.algebra.RowChange;
import io.uniserve.sql.planner.SqlChange.Insert;
import io.uniserve.sql.planner.SqlChange.Rewrite;
import io.uniserve.sql.rewrites.Conditions;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.Targets;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUpdate;

/** The planning of changes: rows are inserted by key, and changed and deleted where they are. */
public final class Changes {
  private final Catalog catalog;

  Changes(Catalog catalog) {
    this.catalog = catalog;
  }

  SqlChange of(SqlNode statement) {
    return switch (statement) {
      case SqlInsert insert -> insert(insert);
      case SqlUpdate update ->
          rewrite(RowChange.of(update, catalog.tables(), catalog.translation()));
      case SqlDelete delete ->
          rewrite(RowChange.of(delete, catalog.tables(), catalog.translation()));
      default ->
          throw new UniserveException(
              ErrorCode.UNSUPPORTED,
              "SQL: " + statement.getKind() + " is neither query nor change");
    };
  }

  private SqlChange insert(SqlInsert insert) {
    SqlTable table = Targets.table(catalog.tables(), insert.getTargetTable());
    List<String> columns =
        insert.getTargetColumnList() == null
            ? table.columns().stream().map(SqlColumn::name).toList()
            : Targets.columns(table, insert.getTargetColumnList());
    DistributedQuery rows = SqlPlanner.stages(catalog, insert.getSource());
    if (rows.columns().size() != columns.size()) {
      throw UniserveException.invalid(
          "SQL: INSERT has "
              + columns.size()
              + " columns and "
              + rows.columns().size()
              + " values");
    }
    return new Insert(table, columns, rows);
  }

  private SqlChange rewrite(RowChange change) {
    ActorSql sql = catalog.actorSql();
    RelNode rows = sql.checked(Conditions.shortened(change.rows()));
    for (int i = 0; i < change.columns().size(); i++) {
      sql.checkAssignment(
          change.columns().get(i), rows.getRowType().getFieldList().get(i).getType());
    }
    RowChange checked = new RowChange(change.table(), change.columns(), rows);
    return new Rewrite(change.table(), checked.sql(sql.dialect()));
  }
}
