package io.uniserve.sql.algebra.functions;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlLibrary;
import org.apache.calcite.sql.fun.SqlLibraryOperatorTableFactory;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The operators of Calcite that a statement may use. Of Calcite's functions it has only those with
 * the same meaning as DuckDB's function of the same name.
 */
public final class DuckOperators implements SqlOperatorTable {
  public static final SqlOperatorTable INSTANCE = new DuckOperators();

  /** The functions that are part of DuckDB's grammar instead of names. */
  private static final Set<String> GRAMMAR =
      Set.of("cast", "try_cast", "extract", "coalesce", "grouping", "grouping_id");

  private final SqlOperatorTable all =
      SqlLibraryOperatorTableFactory.INSTANCE.getOperatorTable(
          SqlLibrary.STANDARD, SqlLibrary.POSTGRESQL);

  private DuckOperators() {}

  /** Returns whether Calcite resolves a function. */
  static boolean has(String function) {
    String name = function.toLowerCase(Locale.ROOT);
    return GRAMMAR.contains(name)
        || KnownFunctions.kind(name).equals(Optional.of(KnownFunctions.Kind.PLANNER));
  }

  @Override
  public void lookupOperatorOverloads(
      SqlIdentifier name,
      @Nullable SqlFunctionCategory category,
      SqlSyntax syntax,
      List<SqlOperator> found,
      SqlNameMatcher matcher) {
    if (syntax != SqlSyntax.FUNCTION) {
      all.lookupOperatorOverloads(name, category, syntax, found, matcher);
    } else if (name.isSimple() && has(name.getSimple())) {
      if (name.getSimple().equalsIgnoreCase("try_cast")) {
        found.add(SqlLibraryOperators.TRY_CAST);
      } else {
        all.lookupOperatorOverloads(name, category, syntax, found, matcher);
      }
    }
  }

  @Override
  public List<SqlOperator> getOperatorList() {
    List<SqlOperator> operators = new ArrayList<>(all.getOperatorList());
    operators.removeIf(
        operator -> operator.getSyntax() == SqlSyntax.FUNCTION && !has(operator.getName()));
    return operators;
  }
}
