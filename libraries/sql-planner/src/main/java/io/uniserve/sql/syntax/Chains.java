package io.uniserve.sql.syntax;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * A rewriting that balances chains of AND and OR. Later steps recurse into their trees, and an
 * unbalanced chain of ten thousand parts would need a stack of that depth. Many chains within
 * chains are refused, since the time and memory of planning grow faster than their number.
 */
final class Chains extends SqlShuttle {
  /** The most chains of AND or OR that may be parts of chains, in one statement. */
  static final int MOST_WITHIN = 1_000;

  private int within;

  private Chains() {}

  /**
   * * Balances a statement. * @throws UniserveException with {@link ErrorCode#TOO_LARGE} if more
   * than {@link #MOST_WITHIN} chains are parts of chains
   */
  static SqlNode balanced(SqlNode statement) {
    return statement.accept(new Chains());
  }

  @Override
  public SqlNode visit(SqlCall call) {
    if (call.getKind() != SqlKind.AND && call.getKind() != SqlKind.OR) {
      return super.visit(call);
    }
    List<SqlNode> parts = new ArrayList<>();
    for (SqlNode part : parts(call)) {
      count(call, part);
      parts.add(part.accept(this));
    }
    return of(call.getOperator(), parts);
  }

  private void count(SqlCall chain, SqlNode part) {
    if ((part.getKind() == SqlKind.AND || part.getKind() == SqlKind.OR) && ++within > MOST_WITHIN) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "SQL: more than %d conditions of %s within %s; IN, or a join with VALUES, says the same in less"
              .formatted(MOST_WITHIN, part.getKind(), chain.getKind()));
    }
  }

  private static List<SqlNode> parts(SqlCall chain) {
    List<SqlNode> parts = new ArrayList<>();
    Deque<SqlNode> next = new ArrayDeque<>(List.of(chain));
    while (!next.isEmpty()) {
      SqlNode node = next.pop();
      if (node.getKind() == chain.getKind()) {
        next.push(((SqlCall) node).operand(1));
        next.push(((SqlCall) node).operand(0));
      } else {
        parts.add(node);
      }
    }
    return parts;
  }

  private static SqlNode of(SqlOperator operator, List<SqlNode> parts) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    int half = parts.size() / 2;
    SqlNode left = of(operator, parts.subList(0, half));
    SqlNode right = of(operator, parts.subList(half, parts.size()));
    return operator.createCall(
        left.getParserPosition().plus(right.getParserPosition()), left, right);
  }
}
