package io.uniserve.sql.syntax;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * A rewriting that qualifies unqualified columns which two tables have in common.
 *
 * <pre>
 * select k from a join b using (k) where k > 1        →   select a.k as k … where a.k > 1
 * select k from a full join b using (k) order by k    →   select coalesce(a.k, b.k) as k …
 * </pre>
 *
 * <p>A comma binds less than any join, which matters for some joins.
 */
final class CommonColumns extends SqlShuttle {
  /** The columns of tables, by their names in lower case. */
  private final Map<String, List<String>> columns = new HashMap<>();

  private CommonColumns(SqlNode statement, List<SqlTable> tables) {
    for (SqlTable table : tables) {
      columns.put(
          table.name().toLowerCase(Locale.ROOT),
          table.columns().stream().map(SqlColumn::name).toList());
    }
    statement.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            if (call instanceof SqlWithItem item) {
              columns.remove(item.name.getSimple());
            }
            return super.visit(call);
          }
        });
  }

  /**
   * Qualifies the columns of a statement.
   *
   * @param tables the tables that it may name
   * @throws UniserveException naming a chain of joins that the planner would misread
   */
  static SqlNode named(SqlNode statement, List<SqlTable> tables) {
    return statement.accept(new CommonColumns(statement, tables));
  }

  @Override
  public SqlNode visit(SqlCall call) {
    SqlNode same = super.visit(call);
    return switch (same) {
      case SqlJoin join -> bound(join);
      case SqlSelect select -> {
        name(select);
        yield select;
      }
      case SqlOrderBy ordered when ordered.query instanceof SqlSelect select ->
          new SqlOrderBy(
              ordered.getParserPosition(),
              select,
              order(select, ordered.orderList),
              ordered.offset,
              ordered.fetch);
      default -> same;
    };
  }

  /** Returns a natural join as one with USING, if all columns are known. */
  private SqlJoin using(SqlJoin join) {
    Optional<List<String>> left = columns(join.getLeft());
    Optional<List<String>> right = columns(join.getRight());
    if (left.isEmpty() || right.isEmpty()) {
      return join;
    }
    SqlParserPos at = join.getParserPosition();
    List<SqlIdentifier> common =
        left.get().stream()
            .filter(right.get()::contains)
            .distinct()
            .map(name -> new SqlIdentifier(name, at))
            .toList();
    if (common.isEmpty()) {
      throw UniserveException.invalid(
          "SQL: line %d, column %d: a natural join of tables that have no column in common"
              .formatted(at.getLineNum(), at.getColumnNum()));
    }
    return new SqlJoin(
        at,
        join.getLeft(),
        SqlLiteral.createBoolean(false, at),
        join.getJoinTypeNode(),
        join.getRight(),
        JoinConditionType.USING.symbol(at),
        new SqlNodeList(common, at));
  }

  private Optional<List<String>> columns(SqlNode from) {
    return switch (from) {
      case SqlJoin join ->
          columns(join.getLeft())
              .flatMap(
                  left ->
                      columns(join.getRight())
                          .map(right -> Stream.concat(left.stream(), right.stream()).toList()));
      case SqlIdentifier name when name.isSimple() ->
          Optional.ofNullable(columns.get(name.getSimple().toLowerCase(Locale.ROOT)));
      case SqlCall call when call.getKind() == SqlKind.AS && call.operandCount() == 2 ->
          columns(call.operand(0));
      case SqlCall call when call.getKind() == SqlKind.TABLE_REF -> columns(call.operand(0));
      default -> Optional.empty();
    };
  }

  private SqlJoin bound(SqlJoin join) {
    boolean common = isByNames(join);
    boolean matters =
        common || join.getJoinType() == JoinType.RIGHT || join.getJoinType() == JoinType.FULL;
    if (matters && join.getLeft() instanceof SqlJoin left && left.getJoinType() == JoinType.COMMA) {
      return with(left, left.getLeft(), bound(with(join, left.getRight(), join.getRight())));
    }
    if (common && (hasUnclear(join.getLeft()) || hasUnclear(join.getRight()))) {
      SqlParserPos at = join.getParserPosition();
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "SQL: line %d, column %d: a join by the names of columns of a RIGHT or FULL one is not supported"
              .formatted(at.getLineNum(), at.getColumnNum()));
    }
    return join.isNatural() ? using(join) : compared(join);
  }

  private static SqlJoin compared(SqlJoin join) {
    Map<String, SqlNode> common = common(join.getLeft());
    common.putAll(common(join.getRight()));
    return join.getConditionType() != JoinConditionType.ON || common.isEmpty()
        ? join
        : new SqlJoin(
            join.getParserPosition(),
            join.getLeft(),
            join.isNaturalNode(),
            join.getJoinTypeNode(),
            join.getRight(),
            join.getConditionTypeNode(),
            join.getCondition().accept(new Naming(common)));
  }

  private static SqlJoin with(SqlJoin join, SqlNode left, SqlNode right) {
    return new SqlJoin(
        join.getParserPosition(),
        left,
        join.isNaturalNode(),
        join.getJoinTypeNode(),
        right,
        join.getConditionTypeNode(),
        join.getCondition());
  }

  private static boolean isByNames(SqlJoin join) {
    return join.isNatural() || join.getConditionType() == JoinConditionType.USING;
  }

  /** Returns whether a common column may have to be that of the second table. */
  private static boolean hasUnclear(SqlNode from) {
    return from instanceof SqlJoin join
        && (isByNames(join)
                && (join.getJoinType() == JoinType.RIGHT || join.getJoinType() == JoinType.FULL)
            || hasUnclear(join.getLeft())
            || hasUnclear(join.getRight()));
  }

  private static void name(SqlSelect select) {
    Map<String, SqlNode> common = common(select.getFrom());
    if (common.isEmpty()) {
      return;
    }
    SqlShuttle naming = new Naming(common);
    List<SqlNode> columns = new ArrayList<>();
    for (SqlNode column : select.getSelectList()) {
      SqlNode named = column.accept(naming);
      columns.add(
          named != column && column instanceof SqlIdentifier name
              ? SqlStdOperatorTable.AS.createCall(
                  name.getParserPosition(), named, name.getComponent(0))
              : named);
    }
    select.setSelectList(new SqlNodeList(columns, select.getSelectList().getParserPosition()));
    if (select.getWhere() != null) {
      select.setWhere(select.getWhere().accept(naming));
    }
    if (select.getGroup() != null) {
      select.setGroupBy((SqlNodeList) select.getGroup().accept(naming));
    }
    if (select.getHaving() != null) {
      select.setHaving(select.getHaving().accept(naming));
    }
    if (select.getQualify() != null) {
      select.setQualify(select.getQualify().accept(naming));
    }
  }

  /** Qualifies sort keys, whose names mean columns of the answer first. */
  private static SqlNodeList order(SqlSelect select, SqlNodeList keys) {
    Map<String, SqlNode> common = common(select.getFrom());
    for (SqlNode column : select.getSelectList()) {
      if (column instanceof SqlIdentifier name && name.isStar()) {
        return keys;
      }
      if (column.getKind() == SqlKind.AS) {
        common.remove(((SqlIdentifier) ((SqlCall) column).operand(1)).getSimple());
      } else if (column instanceof SqlIdentifier name) {
        common.remove(name.names.getLast());
      }
    }
    return common.isEmpty() ? keys : (SqlNodeList) keys.accept(new Naming(common));
  }

  /** Returns the expressions of common columns, by their names, as far as they are known. */
  private static Map<String, SqlNode> common(SqlNode from) {
    Map<String, SqlNode> common = new LinkedHashMap<>();
    collect(from, common);
    return common;
  }

  private static void collect(SqlNode from, Map<String, SqlNode> common) {
    if (from instanceof SqlJoin join) {
      collect(join.getLeft(), common);
      collect(join.getRight(), common);
      if (join.getConditionType() == JoinConditionType.USING) {
        for (SqlNode column : (SqlNodeList) join.getCondition()) {
          String name = ((SqlIdentifier) column).getSimple();
          of(name, join).ifPresent(value -> common.put(name, value));
        }
      }
    }
  }

  private static Optional<SqlNode> of(String name, SqlNode from) {
    if (!(from instanceof SqlJoin join)) {
      return alias(from).map(table -> new SqlIdentifier(List.of(table, name), SqlParserPos.ZERO));
    }
    if (join.getConditionType() != JoinConditionType.USING
        || ((SqlNodeList) join.getCondition())
            .stream().noneMatch(column -> ((SqlIdentifier) column).getSimple().equals(name))) {
      return Optional.empty();
    }
    Optional<SqlNode> left = of(name, join.getLeft());
    Optional<SqlNode> right = of(name, join.getRight());
    return switch (join.getJoinType()) {
      case INNER, LEFT -> left;
      case RIGHT -> right;
      case FULL ->
          left.flatMap(
              one ->
                  right.map(
                      other ->
                          SqlStdOperatorTable.COALESCE.createCall(SqlParserPos.ZERO, one, other)));
      default -> Optional.empty();
    };
  }

  private static Optional<String> alias(SqlNode from) {
    return switch (from.getKind()) {
      case AS -> Optional.of(((SqlIdentifier) ((SqlCall) from).operand(1)).getSimple());
      case TABLE_REF -> alias(((SqlCall) from).operand(0));
      case IDENTIFIER -> Optional.of(((SqlIdentifier) from).names.getLast());
      default -> Optional.empty();
    };
  }

  /** A visitor that replaces names by their expressions, except in sub-queries. */
  private static final class Naming extends SqlShuttle {
    private final Map<String, SqlNode> values;

    Naming(Map<String, SqlNode> values) {
      this.values = values;
    }

    @Override
    public SqlNode visit(SqlIdentifier name) {
      SqlNode value = name.isSimple() ? values.get(name.getSimple()) : null;
      return value == null ? name : value.clone(name.getParserPosition());
    }

    @Override
    public SqlNode visit(SqlCall call) {
      return switch (call.getKind()) {
        case SELECT, UNION, INTERSECT, EXCEPT, WITH, ORDER_BY, VALUES -> call;
        case AS ->
            call.getOperator()
                .createCall(
                    call.getParserPosition(), call.operand(0).accept(this), call.operand(1));
        default -> super.visit(call);
      };
    }
  }
}
