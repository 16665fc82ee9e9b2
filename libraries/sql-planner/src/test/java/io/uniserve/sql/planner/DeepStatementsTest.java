package io.uniserve.sql.planner;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.algebra.functions.FunctionTypes;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.SqlType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Statements of many parts are planned, or refused if they are nested too deeply. */
class DeepStatementsTest {
  private static final SqlTable STOCK =
      new SqlTable(
          "stock",
          "stock",
          List.of(
              new SqlColumn("id", SqlType.of("bigint"), false),
              new SqlColumn("item", SqlType.of("varchar"), true)),
          List.of("id"),
          List.of());

  private static final Catalog CATALOG =
      new Catalog("shop", List.of(STOCK), Map.of(), 4, ActorSql.DUCKDB, FunctionTypes.NONE);

  /**
   * Runs work on a stack of a quarter of the usual size, since code that is not compiled yet needs
   * more.
   */
  private static <T> T onSmallStack(Callable<T> work) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    new Thread(null, task, "small stack", 256 << 10).start();
    return task.get();
  }

  @Test
  void plansAThousandRows() throws Exception {
    List<List<Long>> rows = LongStream.range(0, 1_000).mapToObj(List::of).toList();
    SqlChange change =
        onSmallStack(
            () ->
                SqlPlanner.change(
                    CATALOG, "insert into stock (id, item) values (? + 5, 'x')", rows));
    assertThat(((SqlChange.Insert) change).rows().stages()).hasSize(1);
  }

  @Test
  void plansAListOfTenThousandValues() {
    String list = LongStream.range(0, 10_000).mapToObj(Long::toString).collect(joining(", "));
    assertThat(planned("select item from stock where id in (" + list + ")"))
        .containsPattern("\"id\" IN \\(0,\\s+1,\\s+2,")
        .containsPattern(",\\s+9999\\)");
  }

  @Test
  void changesRowsOfALongListByIt() {
    String list = LongStream.range(0, 10_000).mapToObj(Long::toString).collect(joining(", "));
    for (String sql :
        List.of(
            "delete from stock where id in (" + list + ")",
            "update stock set item = 'x' where id in (" + list + ")")) {
      SqlChange change = SqlPlanner.change(CATALOG, sql, List.of(List.of()));
      assertThat(((SqlChange.Rewrite) change).sql()).containsPattern("\"id\" IN \\(0,\\s+1,\\s+2,");
    }
  }

  @Test
  void plansChainsOfManyConditions() {
    String either =
        LongStream.range(0, 500)
            .mapToObj(i -> "(id = " + i + " and item = 'x" + i + "')")
            .collect(joining(" or "));
    assertThat(planned("select item from stock where " + either)).contains("'x499'");
    String all = LongStream.range(0, 500).mapToObj(i -> "id <> " + i).collect(joining(" and "));
    assertThat(planned("select item from stock where " + all)).contains("<> 499");
  }

  /** Each value is written once: with twice as many in each level no machine sees the end. */
  @Test
  void plansFirstValuesWithinFirstValues() {
    String first = "coalesce(".repeat(100) + "item" + ", 'none')".repeat(100);
    assertThat(planned("select " + first + " from stock"))
        .containsOnlyOnce("\"item\"")
        .containsIgnoringCase("coalesce(");
  }

  @Test
  void refusesThousandsOfAndWithinOrBeforePlanning() {
    for (int conditions : List.of(1_001, 3_000)) {
      String either =
          LongStream.range(0, conditions)
              .mapToObj(i -> "(id = " + i + " and item = 'x" + i + "')")
              .collect(joining(" or "));
      assertThatThrownBy(() -> planned("select item from stock where " + either))
          .isInstanceOfSatisfying(
              UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE))
          .hasMessageContaining("more than 1000 conditions of AND within OR");
    }
  }

  private static String planned(String sql) {
    return SqlPlanner.plan(CATALOG, sql, List.of()).stages().getFirst().sql();
  }

  @Test
  void refusesWhatIsNestedTooDeeply() {
    String sql = "select " + "(".repeat(20_000) + "id" + ")".repeat(20_000) + " from stock";
    assertThatThrownBy(() -> onSmallStack(() -> SqlPlanner.plan(CATALOG, sql, List.of())))
        .hasRootCauseInstanceOf(StackOverflowError.class)
        .cause()
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE))
        .hasMessage("SQL: parts of the statement are nested too deeply");
  }
}
