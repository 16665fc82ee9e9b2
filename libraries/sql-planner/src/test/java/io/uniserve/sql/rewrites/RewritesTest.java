package io.uniserve.sql.rewrites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.uniserve.sql.algebra.CatalogTable;
import io.uniserve.sql.algebra.SqlText;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.algebra.Translation;
import io.uniserve.sql.algebra.functions.DuckDialect;
import io.uniserve.sql.algebra.functions.FunctionTypes;
import io.uniserve.sql.estimates.Estimates;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlStatement;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.SqlType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.junit.jupiter.api.Test;

/** Tests of the rewrites' results, as SQL, for two tables of which one is large. */
class RewritesTest {
  private static final List<CatalogTable> TABLES =
      List.of(table("item", 1_000, "id", "price"), table("sale", 1_000_000, "item_id", "day"));

  private static final String SOLD =
      "select price, n from item"
          + " join (select item_id, count(*) as n from sale group by item_id) on id = item_id"
          + " where price = 5";

  private static CatalogTable table(String name, long rows, String... columns) {
    List<SqlColumn> all =
        Stream.of(columns)
            .map(column -> new SqlColumn(column, SqlType.of("bigint"), false))
            .toList();
    SqlTable table = new SqlTable(name, name, all, List.of(columns[0]), List.of());
    return new CatalogTable(
        table, new TableSize(rows, Map.of("id", 1_000L, "item_id", 1_000L, "price", 500L)));
  }

  private static RelNode algebra(String sql) {
    return Pushdown.of(
        new Translation("shop", TABLES, FunctionTypes.NONE)
            .algebra(SqlStatement.parse(sql).tree())
            .rel);
  }

  private static String sql(RelNode rel) {
    return SqlText.of(rel, DuckDialect.INSTANCE).replaceAll("\\s+", " ");
  }

  private static LogicalAggregate aggregate(String sql) {
    RelNode rel = algebra(sql);
    while (!(rel instanceof LogicalAggregate)) {
      rel = rel.getInput(0);
    }
    return (LogicalAggregate) rel;
  }

  private static Optional<TwoPhaseAggregation> steps(String sql) {
    LogicalAggregate aggregate = aggregate(sql);
    return TwoPhaseAggregation.of(aggregate, aggregate.getInput());
  }

  @Test
  void aFilterGoesBelowAJoinAndTakesItsColumnAlong() {
    assertThat(sql(algebra("select day from item join sale on id = item_id where price > 5")))
        .contains("(SELECT \"id\" FROM \"item\" WHERE \"price\" > 5)");
  }

  @Test
  void whatOnlyAsksWhetherThereIsARowIsASemiJoin() {
    assertThat(sql(algebra("select price from item where id in (select item_id from sale)")))
        .contains("WHERE EXISTS (SELECT 1 FROM");
  }

  /** Checks that the cost function alone decides. */
  @Test
  void aReductionIsMadeIfItPays() {
    RelNode rel = algebra(SOLD);
    RelNode paid =
        SemiJoinReduction.of(
            rel, new Estimates(), tried -> sql(tried).contains("EXISTS") ? 1_000 : 1_000_000);
    RelNode unpaid = SemiJoinReduction.of(rel, new Estimates(), tried -> 1_000_000);

    assertThat(sql(paid)).containsOnlyOnce("EXISTS");
    assertThat(unpaid).isSameAs(rel);
  }

  /** The rows that a reduction has left out are not left out once more by the join it is for. */
  @Test
  void aReductionDoesNotChangeHowManyRowsThereAreAboutInTheEnd() {
    RelNode rel = algebra(SOLD);
    Estimates estimates = new Estimates();
    RelNode reduced =
        SemiJoinReduction.of(
            rel, estimates, tried -> sql(tried).contains("EXISTS") ? 1_000 : 1_000_000);

    assertThat(estimates.rows(reduced)).isCloseTo(estimates.rows(rel), withinPercentage(1));
  }

  @Test
  void anAverageIsASumOfSumsByASumOfCounts() {
    TwoPhaseAggregation steps =
        steps("select item_id, avg(day) from sale group by item_id").orElseThrow();

    assertThat(sql(steps.first())).contains("SUM(\"day\")", "COUNT(\"day\")");
    assertThat(steps.firstRows(10, 4)).isEqualTo(40);
    assertThat(sql(steps.second(steps.first()))).contains("/ NULLIF(");
  }

  @Test
  void differentValuesAreCountedTogetherOnlyAsASketch() {
    assertThat(steps("select count(distinct day) from sale")).isEmpty();
    assertThat(sql(steps("select approx_count_distinct(day) from sale").orElseThrow().first()))
        .contains("hash(\"day\"");
  }
}
