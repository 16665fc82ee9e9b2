package org.apache.druid.sql.calcite;

import java.util.function.UnaryOperator;
import org.apache.druid.sql.calcite.util.SqlTestFramework.QueryComponentSupplier;

/**
 * The place where the framework of Druid's tests keeps what its tests run on. Only this package
 * sees it.
 */
public final class TestedWalker {
  private TestedWalker() {}

  /** Has all tests that run from now on use components that are made of Druid's own. */
  public static void use(UnaryOperator<QueryComponentSupplier> components) {
    BaseCalciteQueryTest.queryFrameworkRule.configStore =
        new SqlTestFrameworkConfig.SqlTestFrameworkConfigStore(components::apply);
  }
}
