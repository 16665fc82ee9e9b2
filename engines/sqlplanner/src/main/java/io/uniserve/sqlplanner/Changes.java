package io.uniserve.sqlplanner;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlplanner.SqlChange.Insert;
import io.uniserve.sqlplanner.SqlChange.Rewrite;
import io.uniserve.sqlsyntax.SqlColumn;
import io.uniserve.sqlsyntax.SqlTable;
import io.uniserve.sqlsyntax.Targets;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.rel2sql.RelToSqlConverter;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Makes changes of statements: rows are inserted by key, changed and deleted where they are. */
final class Changes {
  private final Catalog catalog;
  private final Translation translation;

  Changes(Catalog catalog) {
    this.catalog = catalog;
    translation = new Translation(catalog);
  }

  SqlChange of(SqlNode statement) {
    return switch (statement) {
      case SqlInsert insert -> insert(insert);
      case SqlUpdate update -> update(update);
      case SqlDelete delete -> delete(delete);
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

  private SqlChange update(SqlUpdate update) {
    SqlTable table = Targets.table(catalog.tables(), update.getTargetTable());
    List<String> columns = Targets.columns(table, update.getTargetColumnList());
    for (String column : columns) {
      if (table.partitionBy().contains(column) || table.primaryKey().contains(column)) {
        throw new UniserveException(
            ErrorCode.UNSUPPORTED,
            "SQL: UPDATE of column '%s', which tells the actor or the identity of a row of '%s'"
                .formatted(column, table.name()));
      }
    }
    RelNode rel =
        rows(
            "UPDATE",
            update.getSourceExpressionList(),
            update.getTargetTable(),
            update.getAlias(),
            update.getCondition());
    for (int i = 0; i < columns.size(); i++) {
      catalog
          .actorSql()
          .checkAssignment(
              table.columns().get(table.indexOf(columns.get(i))),
              rel.getRowType().getFieldList().get(i).getType());
    }
    SqlSelect values = written(rel);
    List<String> set = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      set.add('"' + columns.get(i) + "\" = " + text(bare(values.getSelectList().get(i))));
    }
    return new Rewrite(
        table,
        "UPDATE \"%s\" SET %s%s".formatted(table.stored(), String.join(", ", set), where(values)));
  }

  private SqlChange delete(SqlDelete delete) {
    SqlTable table = Targets.table(catalog.tables(), delete.getTargetTable());
    SqlNodeList one = SqlNodeList.of(SqlLiteral.createExactNumeric("1", SqlParserPos.ZERO));
    RelNode rows =
        rows("DELETE", one, delete.getTargetTable(), delete.getAlias(), delete.getCondition());
    return new Rewrite(
        table, "DELETE FROM \"%s\"%s".formatted(table.stored(), where(written(rows))));
  }

  /** The rows that a statement is about, and what it computes of them. */
  private RelNode rows(
      String what, SqlNodeList values, SqlNode table, SqlIdentifier alias, SqlNode condition) {
    SqlNode from =
        alias == null
            ? table
            : new SqlBasicCall(SqlStdOperatorTable.AS, List.of(table, alias), SqlParserPos.ZERO);
    SqlSelect select =
        new SqlSelect(
            SqlParserPos.ZERO,
            null,
            values,
            from,
            condition,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    RelNode rel = translation.asWritten(select);
    requireOfOneRow(what, rel);
    return catalog.actorSql().checked(rel);
  }

  private SqlSelect written(RelNode rel) {
    return new RelToSqlConverter(catalog.actorSql().dialect()).visitRoot(rel).asSelect();
  }

  private static void requireOfOneRow(String what, RelNode rel) {
    if (!(rel instanceof LogicalProject || rel instanceof LogicalFilter)
        && !(rel instanceof LogicalTableScan)) {
      throw refused(what, rel.getRelTypeName());
    }
    rel.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery query) {
            throw refused(what, "a sub-query");
          }

          @Override
          public RexNode visitOver(RexOver over) {
            throw refused(what, "a window");
          }

          @Override
          public RexNode visitCall(RexCall call) {
            if (!call.getOperator().isDeterministic() || call.getOperator().isDynamicFunction()) {
              throw refused(what, call.getOperator().getName());
            }
            return super.visitCall(call);
          }
        });
    rel.getInputs().forEach(input -> requireOfOneRow(what, input));
  }

  private static UniserveException refused(String what, String construct) {
    return new UniserveException(
        ErrorCode.UNSUPPORTED,
        "SQL: "
            + what
            + " with "
            + construct
            + ": only what follows from the row itself is possible");
  }

  private String where(SqlSelect rows) {
    return rows.getWhere() == null ? "" : " WHERE " + text(rows.getWhere());
  }

  private static SqlNode bare(SqlNode item) {
    return item.getKind() == SqlKind.AS ? ((SqlBasicCall) item).operand(0) : item;
  }

  private String text(SqlNode node) {
    return node.toSqlString(catalog.actorSql().dialect()).getSql();
  }
}
