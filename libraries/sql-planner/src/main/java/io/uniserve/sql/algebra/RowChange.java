package io.uniserve.sql.algebra;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.Targets;
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
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlDialect;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * The change of an UPDATE or DELETE. The change of each row depends on that row alone, so it can be
 * made wherever the row is.
 *
 * @param table the table
 * @param columns the columns that get new values; none if the rows are deleted
 * @param rows the changed rows, as their new values in the order of the columns
 */
public record RowChange(SqlTable table, List<SqlColumn> columns, RelNode rows) {
  /** Copies the columns. */
  public RowChange {
    columns = List.copyOf(columns);
  }

  /**
   * Makes the change of an UPDATE.
   *
   * @param tables the tables that it may name, those of the translation
   * @throws UniserveException naming a part that does not exist, does not fit, or depends on more
   *     than one row
   */
  public static RowChange of(SqlUpdate update, List<SqlTable> tables, Translation translation) {
    SqlTable table = Targets.table(tables, update.getTargetTable());
    List<String> columns = Targets.columns(table, update.getTargetColumnList());
    for (String column : columns) {
      if (table.partitionBy().contains(column) || table.primaryKey().contains(column)) {
        throw new UniserveException(
            ErrorCode.UNSUPPORTED,
            "SQL: UPDATE of column '%s', which tells the actor or the identity of a row of '%s'"
                .formatted(column, table.name()));
      }
    }
    RelNode rows =
        rows(
            translation,
            "UPDATE",
            update.getSourceExpressionList(),
            update.getTargetTable(),
            update.getAlias(),
            update.getCondition());
    List<SqlColumn> set =
        columns.stream().map(column -> table.columns().get(table.indexOf(column))).toList();
    return new RowChange(table, set, rows);
  }

  /**
   * Makes the change of a DELETE.
   *
   * @param tables the tables that it may name, those of the translation
   * @throws UniserveException as for an UPDATE
   */
  public static RowChange of(SqlDelete delete, List<SqlTable> tables, Translation translation) {
    SqlTable table = Targets.table(tables, delete.getTargetTable());
    SqlNodeList one = SqlNodeList.of(SqlLiteral.createExactNumeric("1", SqlParserPos.ZERO));
    RelNode rows =
        rows(
            translation,
            "DELETE",
            one,
            delete.getTargetTable(),
            delete.getAlias(),
            delete.getCondition());
    return new RowChange(table, List.of(), rows);
  }

  /** Returns the rows that a statement changes, and the values that it computes for each. */
  private static RelNode rows(
      Translation translation,
      String what,
      SqlNodeList values,
      SqlNode table,
      SqlIdentifier alias,
      SqlNode condition) {
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
    // Checked before a name in a sub-query is looked up outside of it.
    requireNoQuery(what, values, condition);
    RelNode rel = translation.algebra(select).rel;
    requireOfOneRow(what, rel);
    return rel;
  }

  private static void requireNoQuery(String what, SqlNodeList values, SqlNode condition) {
    SqlBasicVisitor<Void> visitor =
        new SqlBasicVisitor<>() {
          @Override
          public Void visit(SqlCall call) {
            if (call.getKind().belongsTo(SqlKind.QUERY)) {
              SqlParserPos at = call.getParserPosition();
              throw refused(
                  what,
                  "a sub-query at line %d, column %d"
                      .formatted(at.getLineNum(), at.getColumnNum()));
            }
            return super.visit(call);
          }
        };
    values.accept(visitor);
    if (condition != null) {
      condition.accept(visitor);
    }
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
        "SQL: " + what + " with " + construct + ": a change may depend on the row itself alone");
  }

  /** Returns the statement for a database that holds rows of the table. */
  public String sql(SqlDialect dialect) {
    SqlSelect values = new RelToSqlConverter(dialect).visitRoot(rows).asSelect();
    String where = values.getWhere() == null ? "" : " WHERE " + text(values.getWhere(), dialect);
    if (columns.isEmpty()) {
      return "DELETE FROM \"%s\"%s".formatted(table.stored(), where);
    }
    List<String> set = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      String value = text(bare(values.getSelectList().get(i)), dialect);
      set.add('"' + columns.get(i).name() + "\" = " + value);
    }
    return "UPDATE \"%s\" SET %s%s".formatted(table.stored(), String.join(", ", set), where);
  }

  private static SqlNode bare(SqlNode item) {
    return item.getKind() == SqlKind.AS ? ((SqlBasicCall) item).operand(0) : item;
  }

  private static String text(SqlNode node, SqlDialect dialect) {
    return node.toSqlString(dialect).getSql();
  }
}
