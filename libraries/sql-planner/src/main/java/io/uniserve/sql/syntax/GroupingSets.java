package io.uniserve.sql.syntax;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * A rewriting of ROLLUP and CUBE to grouping sets. If two sets are equal, each gives its rows;
 * Calcite would leave one out.
 *
 * <pre>
 * rollup(a, b)   →   grouping sets ((a, b), (a), ())
 * </pre>
 */
final class GroupingSets extends SqlShuttle {
  /** The most columns of a cube, which then has 4,096 sets. */
  private static final int CUBE_MAX = 12;

  private GroupingSets() {}

  /** Expands a statement. */
  static SqlNode expanded(SqlNode statement) {
    return statement.accept(new GroupingSets());
  }

  @Override
  public SqlNode visit(SqlCall call) {
    SqlCall same = (SqlCall) super.visit(call);
    return switch (same.getKind()) {
      case ROLLUP -> sets(rollup(same.getOperandList()), same.getParserPosition());
      case CUBE -> sets(cube(same), same.getParserPosition());
      default -> same;
    };
  }

  private static List<List<SqlNode>> rollup(List<SqlNode> groups) {
    List<List<SqlNode>> sets = new ArrayList<>();
    for (int size = groups.size(); size >= 0; size--) {
      sets.add(groups.subList(0, size));
    }
    return sets;
  }

  private static List<List<SqlNode>> cube(SqlCall call) {
    List<SqlNode> groups = call.getOperandList();
    if (groups.size() > CUBE_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "SQL: line %d, column %d: CUBE of more than %d groups"
              .formatted(
                  call.getParserPosition().getLineNum(),
                  call.getParserPosition().getColumnNum(),
                  CUBE_MAX));
    }
    List<List<SqlNode>> sets = new ArrayList<>();
    for (int bits = (1 << groups.size()) - 1; bits >= 0; bits--) {
      List<SqlNode> set = new ArrayList<>();
      for (int i = 0; i < groups.size(); i++) {
        if ((bits >> (groups.size() - 1 - i) & 1) == 1) {
          set.add(groups.get(i));
        }
      }
      sets.add(set);
    }
    return sets;
  }

  private static SqlNode sets(List<List<SqlNode>> sets, SqlParserPos at) {
    List<SqlNode> operands = sets.stream().map(set -> set(set, at)).toList();
    return SqlStdOperatorTable.GROUPING_SETS.createCall(at, operands);
  }

  /** Returns one set with copies of its nodes, since later steps change nodes in place. */
  private static SqlNode set(List<SqlNode> groups, SqlParserPos at) {
    List<SqlNode> all = new ArrayList<>();
    for (SqlNode group : groups) {
      List<SqlNode> some =
          group.getKind() == SqlKind.ROW
              ? ((SqlCall) group).getOperandList()
              : group instanceof SqlNodeList list ? list : List.of(group);
      some.forEach(one -> all.add(SqlNode.clone(one)));
    }
    return switch (all.size()) {
      case 0 -> new SqlNodeList(at);
      case 1 -> all.getFirst();
      default -> SqlStdOperatorTable.ROW.createCall(at, all);
    };
  }
}
