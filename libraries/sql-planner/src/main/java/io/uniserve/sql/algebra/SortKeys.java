package io.uniserve.sql.algebra;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The correction of sort keys. A name in {@code ORDER BY} means a column of the answer first, and a
 * column of the input only if there is none. Calcite writes names of the input.
 *
 * <pre>
 * SELECT sum(b) AS a, a AS b FROM t GROUP BY a ORDER BY a   →   … ORDER BY 2
 * </pre>
 */
final class SortKeys extends SqlBasicVisitor<Void> {
  /**
   * Replaces the ambiguous sort keys of a statement and its sub-queries by the places of the
   * columns.
   */
  static void settle(SqlNode statement) {
    statement.accept(new SortKeys());
  }

  @Override
  public Void visit(SqlCall call) {
    if (call instanceof SqlSelect select && select.getOrderList() != null) {
      settle(select);
    }
    return super.visit(call);
  }

  private static void settle(SqlSelect select) {
    // Calcite writes a number that is not a place as a text.
    List<SqlNode> sorting = select.getOrderList().stream().filter(key -> !isConstant(key)).toList();
    if (sorting.isEmpty()) {
      select.setOrderBy(null);
      return;
    }
    SqlShuttle places =
        new SqlShuttle() {
          @Override
          public SqlNode visit(SqlIdentifier key) {
            return key.isSimple() && isHidden(key, select.getSelectList())
                ? unhidden(key, select)
                : key;
          }
        };
    List<SqlNode> keys = sorting.stream().map(key -> key.accept(places)).toList();
    select.setOrderBy(new SqlNodeList(keys, SqlParserPos.ZERO));
  }

  /** Returns whether a key is the same for all rows; DuckDB does not accept such keys. */
  private static boolean isConstant(SqlNode key) {
    return switch (key.getKind()) {
      case DESCENDING, NULLS_FIRST, NULLS_LAST -> isConstant(((SqlCall) key).operand(0));
      default -> key instanceof SqlLiteral && !(key instanceof SqlNumericLiteral);
    };
  }

  /** Returns whether another column of the answer has the name of a key. */
  private static boolean isHidden(SqlIdentifier key, SqlNodeList columns) {
    return columns.stream()
        .anyMatch(
            column -> key.getSimple().equalsIgnoreCase(alias(column)) && !isColumn(key, column));
  }

  private static @Nullable String alias(SqlNode column) {
    return SqlValidatorUtil.alias(column);
  }

  private static boolean isColumn(SqlIdentifier key, SqlNode column) {
    SqlNode value = column.getKind() == SqlKind.AS ? ((SqlCall) column).operand(0) : column;
    return value instanceof SqlIdentifier name && name.names.equals(key.names);
  }

  private static SqlNode unhidden(SqlIdentifier key, SqlSelect select) {
    SqlNodeList columns = select.getSelectList();
    for (int i = 0; i < columns.size(); i++) {
      if (isColumn(key, columns.get(i))) {
        return SqlLiteral.createExactNumeric(Integer.toString(i + 1), SqlParserPos.ZERO);
      }
    }
    String table = select.getFrom() == null ? null : alias(select.getFrom());
    if (table == null) {
      throw new IllegalStateException("the sort key " + key + " is no column of the answer");
    }
    return new SqlIdentifier(List.of(table, key.getSimple()), SqlParserPos.ZERO);
  }
}
