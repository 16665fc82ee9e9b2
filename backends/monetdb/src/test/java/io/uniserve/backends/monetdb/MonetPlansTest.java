package io.uniserve.backends.monetdb;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.uniserve.api.TableDefinition;
import io.uniserve.engines.warehouse.StatementsTest;
import io.uniserve.engines.warehouse.Tpch;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the plans of TPC-H's queries are accepted for MonetDB. Its library is not loaded: so
 * this runs with all other tests, and notices when the planner makes something new.
 */
class MonetPlansTest {
  private static final TableDefinition TPCH = Tpch.definition(new MonetEngine(), 4);

  static IntStream queries() {
    return IntStream.rangeClosed(1, 22);
  }

  @ParameterizedTest
  @MethodSource("queries")
  void isPlannedIfAllIsShuffledThatCanBe(int query) {
    assertThatCode(() -> StatementsTest.asIfLarge(TPCH, MonetSql.INSTANCE, sql(query)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @MethodSource("queries")
  void isPlannedIfKeysOfOneTableLeaveOutMostOfAnother(int query) {
    assertThatCode(() -> StatementsTest.asIfUneven(TPCH, MonetSql.INSTANCE, sql(query)))
        .doesNotThrowAnyException();
  }

  private static String sql(int query) {
    return Tpch.query(query).strip().replaceAll(";$", "");
  }
}
