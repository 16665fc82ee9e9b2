package io.uniserve.sql.algebra;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlDialect;
import org.apache.calcite.sql.SqlNode;

/** The conversion of algebra to a query in a dialect of SQL. */
public final class SqlText {
  private SqlText() {}

  /**
   * Writes a query of tables by their stored names, with columns {@code c0}, {@code c1} and so on.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if the dialect cannot express it
   */
  public static String of(RelNode algebra, SqlDialect dialect) {
    RelNode rel = ColumnNames.settled(TypedNulls.of(StoredNames.of(algebra)));
    try {
      RelNode named =
          rel instanceof LogicalSort sort
              ? sort.copy(sort.getTraitSet(), List.of(renamed(sort.getInput())))
              : renamed(rel);
      SqlNode statement = new ToSql(dialect).visitRoot(named).asStatement();
      SortKeys.settle(statement);
      return statement.toSqlString(dialect).getSql();
    } catch (UnsupportedOperationException | IllegalStateException | AssertionError e) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "SQL: " + rel.getRelTypeName() + " cannot be written as SQL: " + e.getMessage(),
          e);
    }
  }

  /** Returns the same rows with columns {@code c0}, {@code c1} and so on. */
  public static RelNode renamed(RelNode rel) {
    List<RexNode> columns = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < rel.getRowType().getFieldCount(); i++) {
      columns.add(RexInputRef.of(i, rel.getRowType()));
      names.add("c" + i);
    }
    return LogicalProject.create(rel, List.of(), columns, names, Set.of());
  }
}
