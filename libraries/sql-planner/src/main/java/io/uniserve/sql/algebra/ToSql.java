package io.uniserve.sql.algebra;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.rel2sql.RelToSqlConverter;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.sql.SqlDialect;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSetOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * A writer of algebra as SQL. It writes semi-joins in another way than Calcite, which puts the
 * condition into the SELECT of the left side, where the name of that side is not visible after a
 * second semi-join.
 */
final class ToSql extends RelToSqlConverter {
  ToSql(SqlDialect dialect) {
    super(dialect);
  }

  /**
   * Writes an aggregate. Its input is a sub-query if it groups by constants or windows: in {@code
   * GROUP BY} a constant is the place of a column, and a window is not allowed.
   */
  @Override
  public Result visitInput(
      RelNode parent, int i, boolean anon, boolean ignoreClauses, Set<Clause> expectedClauses) {
    if (!(parent instanceof Aggregate aggregate) || !hasKeysApart(aggregate)) {
      return super.visitInput(parent, i, anon, ignoreClauses, expectedClauses);
    }
    Set<Clause> apart = EnumSet.of(Clause.FROM); // only a sub-query can be read there
    apart.addAll(expectedClauses);
    return super.visitInput(parent, i, anon, false, apart);
  }

  private static boolean hasKeysApart(Aggregate aggregate) {
    return aggregate.getInput() instanceof Project project
        && aggregate.getGroupSet().asList().stream()
            .map(project.getProjects()::get)
            .anyMatch(key -> key instanceof RexLiteral || RexOver.containsOver(key));
  }

  /** Writes a union as a balanced tree, since a thousand rows may each be a part of it. */
  @Override
  public Result setOpToSql(SqlSetOperator operator, RelNode set) {
    if (operator.getKind() != SqlKind.UNION) {
      return super.setOpToSql(operator, set);
    }
    List<SqlNode> parts = new ArrayList<>();
    for (int i = 0; i < set.getInputs().size(); i++) {
      parts.add(visitInput(set, i).asSelect());
    }
    return result(ofAll(operator, parts), List.of(Clause.SET_OP), set, null);
  }

  private static SqlNode ofAll(SqlSetOperator operator, List<SqlNode> parts) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    int half = (parts.size() + 1) / 2;
    return operator.createCall(
        SqlParserPos.ZERO,
        ofAll(operator, parts.subList(0, half)),
        ofAll(operator, parts.subList(half, parts.size())));
  }

  @Override
  protected Result visitAntiOrSemiJoin(Join join) {
    Result left = visitInput(join, 0).resetAlias();
    Result right = visitInput(join, 1).resetAlias();
    SqlNode condition =
        convertConditionToSqlNode(
            join.getCondition(), left.qualifiedContext(), right.qualifiedContext());
    SqlNode one = SqlLiteral.createExactNumeric("1", SqlParserPos.ZERO);
    SqlNode exists =
        SqlStdOperatorTable.EXISTS.createCall(
            SqlParserPos.ZERO, select(SqlNodeList.of(one), right.asFrom(), condition));
    SqlNode where =
        join.getJoinType() == JoinRelType.ANTI
            ? SqlStdOperatorTable.NOT.createCall(SqlParserPos.ZERO, exists)
            : exists;
    SqlSelect kept = select(columns(join, left.qualifiedContext()), left.asFrom(), where);
    return result(kept, List.of(Clause.SELECT, Clause.FROM, Clause.WHERE), join, Map.of());
  }

  /** Returns the columns by name, so that the reading query can replace this one. */
  private static SqlNodeList columns(Join join, Context left) {
    List<SqlNode> columns = new ArrayList<>();
    for (RelDataTypeField field : join.getRowType().getFieldList()) {
      columns.add(
          SqlStdOperatorTable.AS.createCall(
              SqlParserPos.ZERO,
              left.field(field.getIndex()),
              new SqlIdentifier(field.getName(), SqlParserPos.ZERO)));
    }
    return new SqlNodeList(columns, SqlParserPos.ZERO);
  }

  private static SqlSelect select(SqlNodeList what, SqlNode from, SqlNode where) {
    return new SqlSelect(
        SqlParserPos.ZERO, null, what, from, where, null, null, null, null, null, null, null, null);
  }
}
