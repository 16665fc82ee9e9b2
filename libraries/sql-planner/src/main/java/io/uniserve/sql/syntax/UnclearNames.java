package io.uniserve.sql.syntax;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * A search for names that Calcite and DuckDB resolve differently. Some mean a column of the answer
 * to Calcite and one of the tables to DuckDB: in expressions among the sort keys, in QUALIFY, and
 * in HAVING with grouping sets. Others mean a column of the outer query to Calcite and a whole row
 * of a table of that name to DuckDB.
 *
 * <pre>
 * select -x as x from t order by x + 1
 * select -x as x from t qualify x > 2
 * select -x as x from t group by rollup (x) having x > 2
 * select (select count(*) from t x where x is not null) from u
 * </pre>
 */
final class UnclearNames extends SqlBasicVisitor<Void> {
  /** The names of the columns of all named tables, and of WITH, in lower case. */
  private final Set<String> everywhere = new HashSet<>();

  /** The number of queries around the present one. */
  private int around;

  private UnclearNames(SqlNode statement, List<SqlTable> tables) {
    Set<String> named = lastNames(statement);
    for (SqlTable table : tables) {
      if (named.contains(table.name().toLowerCase(Locale.ROOT))) {
        table.columns().forEach(column -> everywhere.add(column.name().toLowerCase(Locale.ROOT)));
      }
    }
    statement.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            if (call instanceof SqlWithItem item) {
              everywhere.addAll(lastNames(item));
            }
            return super.visit(call);
          }
        });
  }

  /**
   * Checks that a statement has no such name, and returns it.
   *
   * @param tables the tables that it may name
   * @throws UniserveException naming the place of such a name
   */
  static SqlNode requireNone(SqlNode statement, List<SqlTable> tables) {
    statement.accept(new UnclearNames(statement, tables));
    return statement;
  }

  @Override
  public Void visit(SqlCall call) {
    if (call instanceof SqlOrderBy ordered) {
      SqlNode query = ordered.query instanceof SqlWith with ? with.body : ordered.query;
      if (query instanceof SqlSelect select) {
        ordered.orderList.forEach(key -> requireClearKey(select, key));
      }
    } else if (call instanceof SqlSelect select) {
      requireClear(select, select.getQualify());
      if (hasSets(select.getGroup())) {
        requireClear(select, select.getHaving());
      }
      if (around > 0) {
        requireNoRows(select);
      }
      around++;
      super.visit(call);
      around--;
      return null;
    }
    return super.visit(call);
  }

  private static void requireNoRows(SqlSelect select) {
    Set<String> tables = new HashSet<>();
    addNamesOfTables(select.getFrom(), tables);
    for (SqlNode part :
        new SqlNode[] {
          select.getSelectList(),
          select.getWhere(),
          select.getGroup(),
          select.getHaving(),
          select.getQualify()
        }) {
      for (SqlIdentifier name : part == null ? List.<SqlIdentifier>of() : names(part)) {
        if (name.isSimple() && tables.contains(last(name))) {
          throw unclear(name, "a table and perhaps a column");
        }
      }
    }
  }

  private static void addNamesOfTables(SqlNode from, Set<String> names) {
    switch (from) {
      case null -> {}
      case SqlJoin join -> {
        addNamesOfTables(join.getLeft(), names);
        addNamesOfTables(join.getRight(), names);
      }
      case SqlIdentifier table -> names.add(last(table));
      case SqlCall call when call.getKind() == SqlKind.AS -> names.add(last(call.operand(1)));
      case SqlCall call when call.getKind() == SqlKind.TABLE_REF ->
          addNamesOfTables(call.operand(0), names);
      default -> {}
    }
  }

  private static UniserveException unclear(SqlIdentifier name, String what) {
    return new UniserveException(
        ErrorCode.UNSUPPORTED,
        "SQL: line %d, column %d: '%s', which is %s"
            .formatted(
                name.getParserPosition().getLineNum(),
                name.getParserPosition().getColumnNum(),
                name,
                what));
  }

  private void requireClearKey(SqlSelect select, SqlNode key) {
    SqlNode sorted = key;
    while (sorted.getKind() == SqlKind.DESCENDING
        || sorted.getKind() == SqlKind.NULLS_FIRST
        || sorted.getKind() == SqlKind.NULLS_LAST) {
      sorted = ((SqlCall) sorted).operand(0);
    }
    if (!(sorted instanceof SqlIdentifier)) {
      requireClear(select, sorted);
    }
  }

  private static boolean hasSets(SqlNodeList groups) {
    return groups != null
        && groups.stream().anyMatch(group -> group.getKind() == SqlKind.GROUPING_SETS);
  }

  private void requireClear(SqlSelect select, SqlNode part) {
    if (part == null) {
      return;
    }
    Set<String> answer = namesOfAnswer(select);
    Set<String> read = null;
    for (SqlIdentifier name : names(part)) {
      if (!name.isSimple() || !answer.contains(last(name))) {
        continue;
      }
      read = read == null ? namesRead(select) : read;
      if (read.contains(last(name)) || everywhere.contains(last(name))) {
        throw unclear(name, "a column of the tables and of the answer");
      }
    }
  }

  /** Returns the names that a select list gives to anything but the column of that name. */
  private static Set<String> namesOfAnswer(SqlSelect select) {
    Set<String> names = new HashSet<>();
    for (SqlNode column : select.getSelectList()) {
      if (column.getKind() == SqlKind.AS) {
        SqlNode value = ((SqlCall) column).operand(0);
        String name = last(((SqlCall) column).operand(1));
        if (!(value instanceof SqlIdentifier same && last(same).equals(name))) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** Returns the names that the rest of a query reads. */
  private static Set<String> namesRead(SqlSelect select) {
    Set<String> names = new HashSet<>();
    for (SqlNode column : select.getSelectList()) {
      names.addAll(
          lastNames(column.getKind() == SqlKind.AS ? ((SqlCall) column).operand(0) : column));
    }
    for (SqlNode part : new SqlNode[] {select.getFrom(), select.getWhere(), select.getGroup()}) {
      if (part != null) {
        names.addAll(lastNames(part));
      }
    }
    return names;
  }

  private static Set<String> lastNames(SqlNode node) {
    Set<String> last = new HashSet<>();
    names(node).forEach(name -> last.add(last(name)));
    return last;
  }

  private static String last(SqlIdentifier name) {
    return name.names.getLast().toLowerCase(Locale.ROOT);
  }

  private static List<SqlIdentifier> names(SqlNode node) {
    List<SqlIdentifier> names = new ArrayList<>();
    node.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlIdentifier name) {
            names.add(name);
            return null;
          }
        });
    return names;
  }
}
