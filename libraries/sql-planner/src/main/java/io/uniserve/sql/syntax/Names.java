package io.uniserve.sql.syntax;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * The qualified names of a statement. Tables have no qualifier in the databases, so it is removed
 * first.
 */
final class Names {
  /** The schema that every warehouse has besides its own. */
  private static final String DESCRIBING = "information_schema";

  private Names() {}

  /** Returns the qualifiers of tables of warehouses, in lower case. */
  static Set<String> qualifiers(SqlNode statement) {
    Set<String> qualifiers = new TreeSet<>();
    statement.accept(
        new Tables() {
          @Override
          void table(SqlIdentifier name) {
            String qualifier = name.names.getFirst().toLowerCase(Locale.ROOT);
            if (name.names.size() > 1 && !qualifier.equals(DESCRIBING)) {
              qualifiers.add(qualifier);
            }
          }
        });
    return qualifiers;
  }

  /** Returns whether a statement names a table that no WITH defines. */
  static boolean namesTables(SqlNode statement) {
    Set<String> named = new TreeSet<>();
    Set<String> defined = new TreeSet<>();
    statement.accept(
        new Tables() {
          @Override
          void table(SqlIdentifier name) {
            named.add(name.toString().toLowerCase(Locale.ROOT));
          }

          @Override
          public Void visit(SqlCall call) {
            if (call instanceof SqlWithItem item) {
              defined.add(item.name.getSimple().toLowerCase(Locale.ROOT));
            }
            return super.visit(call);
          }
        });
    named.removeAll(defined);
    return !named.isEmpty();
  }

  /**
   * Removes the qualifier from the names of some tables; changes the statement in place and returns
   * it.
   */
  static SqlNode unqualified(SqlNode statement, String qualifier, List<SqlTable> tables) {
    statement.accept(
        new Tables() {
          @Override
          void table(SqlIdentifier name) {
            if (name.names.size() == 2 && isOf(qualifier, tables, name)) {
              shorten(name);
            }
          }

          /** Handles names of columns: {@code qualifier.table.column}. */
          @Override
          public Void visit(SqlIdentifier name) {
            if (name.names.size() > 2 && isOf(qualifier, tables, name)) {
              shorten(name);
            }
            return null;
          }
        });
    return statement;
  }

  private static boolean isOf(String qualifier, List<SqlTable> tables, SqlIdentifier name) {
    return name.names.getFirst().equalsIgnoreCase(qualifier)
        && tables.stream().anyMatch(table -> table.name().equalsIgnoreCase(name.names.get(1)));
  }

  private static void shorten(SqlIdentifier name) {
    int size = name.names.size();
    List<String> names = List.copyOf(name.names.subList(1, size));
    name.setNames(
        names, IntStream.range(1, size).mapToObj(name::getComponentParserPosition).toList());
  }

  /** A visitor that finds the names of tables. */
  private abstract static class Tables extends SqlBasicVisitor<Void> {
    abstract void table(SqlIdentifier name);

    @Override
    public Void visit(SqlCall call) {
      if (call instanceof SqlSelect select && select.getFrom() != null) {
        from(select.getFrom());
      } else if (call instanceof SqlJoin join) {
        from(join.getLeft());
        from(join.getRight());
      } else if (call.getKind() == SqlKind.EXPLICIT_TABLE) {
        from(call.operand(0));
      } else if (call instanceof SqlInsert insert) {
        from(insert.getTargetTable());
      } else if (call instanceof SqlUpdate update) {
        from(update.getTargetTable());
      } else if (call instanceof SqlDelete delete) {
        from(delete.getTargetTable());
      }
      return super.visit(call);
    }

    private void from(SqlNode node) {
      SqlNode named = node.getKind() == SqlKind.AS ? ((SqlCall) node).operand(0) : node;
      SqlNode table = named.getKind() == SqlKind.TABLE_REF ? ((SqlCall) named).operand(0) : named;
      if (table instanceof SqlIdentifier name) {
        table(name);
      }
    }
  }
}
