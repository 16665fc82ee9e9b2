package io.uniserve.backends.monetdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Plan;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.warehouse.Library;
import io.uniserve.engines.warehouse.StatementsTest;
import io.uniserve.engines.warehouse.WarehouseActor;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.engines.warehouse.WarehousePlanner;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many small statements give on actors in MonetDB what one DuckDB with all the data gives, or are
 * refused: nothing is answered otherwise.
 */
@Tag("native")
class MonetStatementsTest {
  /** The codes of errors that refuse a statement and name the responsible party. */
  private static final Set<ErrorCode> REFUSALS =
      Set.of(ErrorCode.UNSUPPORTED, ErrorCode.INVALID_ARGUMENT);

  private static final int ANSWERED_MIN = 1_180;
  private static final List<String> REFUSED = new ArrayList<>();
  private static int answered;
  private static LocalTable<WarehouseActor> reference;
  private static List<LocalTable<WarehouseActor>> many;

  @TempDir static Path directory;

  @BeforeAll
  static void open() throws IOException {
    reference = Library.openPlain(new WarehouseEngine(), 1, directory.resolve("reference"));
    many =
        List.of(
            Library.openPlain(new MonetEngine(), 1, directory.resolve("one")),
            Library.openPlain(new MonetEngine(), 3, directory.resolve("three")));
  }

  /** Otherwise refusals could be all that there is. */
  @AfterAll
  static void mostAreAnswered() {
    reference.close();
    many.forEach(LocalTable::close);
    assertThat(answered).as("refused: %s", String.join("\n", REFUSED)).isGreaterThan(ANSWERED_MIN);
  }

  static Stream<String> statements() {
    return StatementsTest.lines("/sql/statements.sql");
  }

  @ParameterizedTest
  @MethodSource("statements")
  void aStatementGivesWhatOneDuckDbGivesOrIsRefused(String sql) {
    List<String> expected;
    try {
      expected = StatementsTest.reference(reference, sql);
    } catch (UniserveException e) {
      return; // of types that a plain library does not have
    }
    for (LocalTable<WarehouseActor> table : many) {
      check(
          table,
          sql,
          expected,
          () -> new WarehousePlanner(MonetSql.INSTANCE).plan(table.definition(), sql, Map.of()));
      check(
          table,
          sql,
          expected,
          () -> StatementsTest.asIfLarge(table.definition(), MonetSql.INSTANCE, sql));
    }
  }

  private static void check(
      LocalTable<WarehouseActor> table, String sql, List<String> expected, Supplier<Plan<?>> plan) {
    try {
      StatementsTest.check(table, sql, expected, plan.get());
      answered++;
    } catch (UniserveException e) {
      REFUSED.add(sql + " --> " + e.code() + " " + e.getMessage());
      assertThat(e.code()).as(e.getMessage()).isIn(REFUSALS);
    }
  }
}
