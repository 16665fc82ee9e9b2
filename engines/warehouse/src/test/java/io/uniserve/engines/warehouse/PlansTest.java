package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.uniserve.api.TableDefinition;
import io.uniserve.sql.algebra.ColumnRange;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.planner.ActorSql;
import io.uniserve.sql.planner.Catalog;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.planner.SqlPlanner;
import io.uniserve.sql.planner.Stage;
import io.uniserve.sql.stages.SqlQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlansTest {
  private static final TableDefinition LIBRARY = Library.definition(4);
  private static final String READERS =
      "select name, count(book_id) from reader left join loan on id = reader_id and days > 14 group by name";

  @Test
  void whatOnlyAFilterReadsIsNotSent() {
    String stage = plan(Map.of(), READERS).stages().getFirst().sql();

    assertThat(stage.lines().findFirst().orElseThrow())
        .isEqualTo("SELECT \"book_id\" AS \"c0\", \"reader_id\" AS \"c1\"");
    assertThat(stage).contains("WHERE \"days\" > 14");
  }

  /** The readers of one name are few; only their loans are counted by reader and sent. */
  @Test
  void fewKeysGoToTheOtherSideBeforeItIsGrouped() {
    String counted =
        "select name, loans from reader"
            + " join (select reader_id, count(*) as loans from loan group by reader_id) on id = reader_id"
            + " where name = 'Ada'";
    TableSize loans =
        new TableSize(10_000_000, Map.of("reader_id", 1_000_000L, "book_id", 100_000L));
    TableSize readers = new TableSize(1_000_000, Map.of("id", 1_000_000L, "name", 900_000L));
    List<String> lines = plan(Map.of("loan", loans, "reader", readers), counted).explain(Map.of());

    assertThat(lines.getFirst()).contains("#1 on each actor").contains("to every actor");
    assertThat(String.join(" ", lines).replaceAll("\\s+", " "))
        .containsOnlyOnce(
            "WHERE EXISTS (SELECT 1 FROM \"#1\" WHERE \"loan\".\"reader_id\" = \"#1\".\"c0\")");
  }

  /** Sending the keys would cost more than it saves. */
  @Test
  void manyKeysStayWhereTheyAre() {
    String counted =
        "select name, loans from reader"
            + " join (select reader_id, count(*) as loans from loan group by reader_id) on id = reader_id";
    TableSize loans = new TableSize(10_000_000, Map.of("reader_id", 1_000_000L));
    TableSize readers = new TableSize(1_000_000, Map.of("id", 1_000_000L));

    assertThat(plan(Map.of("loan", loans, "reader", readers), counted).explain(Map.of()))
        .noneMatch(line -> line.contains("EXISTS"));
  }

  @Test
  void whatADisjunctionSaysOfATableIsPushedToIt() {
    String either =
        "select name from reader join loan on id = reader_id"
            + " where (name = 'Ada' and days > 3) or (name = 'Ben' and days > 5)";
    DistributedQuery plan = plan(Map.of("loan", new TableSize(10_000_000, Map.of())), either);

    assertThat(plan.stages().getFirst().sql()).contains("IN ('Ada', 'Ben')");
  }

  /** The join is by what each part of the disjunction says, and each table is filtered alone. */
  @Test
  void whatEachPartOfADisjunctionSaysIsWhatTablesAreJoinedBy() {
    String either =
        "select name from reader, loan"
            + " where (id = reader_id and name = 'Ada' and days > 3)"
            + " or (id = reader_id and name = 'Ben' and days > 5)";
    DistributedQuery plan = plan(Map.of("loan", new TableSize(10_000_000, Map.of())), either);

    assertThat(plan.stages().getFirst().sql()).contains("IN ('Ada', 'Ben')");
    assertThat(plan.stages().toString()).contains("ON \"#1\".\"c0\" = \"t0\".\"reader_id\" AND (");
  }

  @Test
  void soIsWhatALongDisjunctionSays() {
    String days =
        IntStream.range(0, 19)
            .mapToObj(i -> "%d".formatted(i * i))
            .collect(Collectors.joining(", "));
    String either =
        "select name from reader join loan on id = reader_id"
            + " where (name = 'Ada' and days in (%s, 500)) or (name = 'Ben' and days in (%s, 600))"
                .formatted(days, days);
    DistributedQuery plan = plan(Map.of("loan", new TableSize(10_000_000, Map.of())), either);

    assertThat(plan.stages().getFirst().sql()).contains("IN ('Ada', 'Ben')");
  }

  /**
   * Checks that the few loans of one day, of a million, are shipped to the readers instead of the
   * readers to them.
   */
  @Test
  void aFilterLeavesTheShareOfItsColumnsRange() {
    String ofOneDay =
        "select count(*) from loan join reader on id = reader_id where days between 7 and 8";
    TableSize readers = new TableSize(100_000, Map.of("id", 100_000L));
    Map<String, Long> distinct = Map.of("reader_id", 100_000L);
    TableSize loans = new TableSize(1_000_000, distinct);
    TableSize known =
        new TableSize(1_000_000, distinct, Map.of("days", new ColumnRange(0, 10_000)));

    String blind =
        plan(Map.of("loan", loans, "reader", readers), ofOneDay).explain(Map.of()).getFirst();
    String seeing =
        plan(Map.of("loan", known, "reader", readers), ofOneDay).explain(Map.of()).getFirst();
    assertThat(blind).contains("about 100000 rows, to every actor");
    assertThat(seeing).contains("about 100 rows, to every actor");
  }

  /** Nothing is grouped to find out whether there is a loan. */
  @Test
  void whatOnlyHasToBeThereIsNotJoined() {
    String lent =
        "select shelf, count(*) from book"
            + " where exists (select * from loan where book_id = id and days > 3) group by shelf";

    assertThat(plan(Map.of(), lent).stages().getFirst().sql())
        .contains("EXISTS")
        .doesNotContain("INNER JOIN")
        .doesNotContain("GROUP BY \"book_id\"");
  }

  /** Nothing is grouped to find out that there is no loan. */
  @Test
  void whatMustNotBeThereIsNotJoined() {
    String idle =
        "select shelf, count(*) from book"
            + " where not exists (select * from loan where book_id = id and days > 3)"
            + " group by shelf";

    assertThat(plan(Map.of(), idle).stages().getFirst().sql())
        .contains("NOT EXISTS")
        .doesNotContain("JOIN")
        .doesNotContain("GROUP BY \"book_id\"");
  }

  /** A table of which nothing is compared has a row or has none, for all rows alike. */
  @Test
  void whatIsComparedWithNothingIsNoSemiJoin() {
    String any = "select shelf from book where not exists (select * from loan where days > 3)";

    assertThat(plan(Map.of(), any).stages().toString()).doesNotContain("NOT EXISTS");
  }

  /** Checks that each actor sends each reader once, of ten million loans of a thousand readers. */
  @Test
  void whatASemiJoinAsksForIsSentOnce() {
    String lent = "select name from reader where exists (select * from loan where reader_id = id)";
    TableSize loans = new TableSize(10_000_000, Map.of("reader_id", 1_000L));
    TableSize readers = new TableSize(100_000_000, Map.of("id", 100_000_000L));
    DistributedQuery plan = plan(Map.of("loan", loans, "reader", readers), lent);

    assertThat(plan.stages().getFirst().sql()).contains("GROUP BY \"reader_id\"");
    assertThat(plan.stages().getFirst().rows()).isCloseTo(4_000, withinPercentage(1));
  }

  /** One reader and one book would give but one row together. */
  @Test
  void whatNothingConnectsIsJoinedLast() {
    String both =
        "select name, title, days from reader, book, loan"
            + " where reader.id = reader_id and book.id = book_id";
    TableSize one = new TableSize(1, Map.of("id", 1L));
    TableSize loans =
        new TableSize(10_000_000, Map.of("reader_id", 1_000_000L, "book_id", 100_000L));
    String sql =
        plan(Map.of("reader", one, "book", one, "loan", loans), both).stages().stream()
            .map(Stage::sql)
            .collect(Collectors.joining("\n"));

    assertThat(sql.split(" ON ", -1)).hasSize(3);
  }

  /** The readers' keys pay for themselves; those of the shelves save nothing that is sent. */
  @Test
  void keysThatSaveNothingStayWhereTheyAre() {
    String counted =
        "select name, loans, title from reader"
            + " join (select reader_id, count(*) as loans from loan group by reader_id) on id = reader_id"
            + " join book on book.id = loans join shelf on code = shelf"
            + " where name = 'Ada' and floor = 2";
    TableSize loans = new TableSize(10_000_000, Map.of("reader_id", 1_000_000L));
    TableSize readers = new TableSize(1_000_000, Map.of("id", 1_000_000L, "name", 900_000L));
    TableSize books = new TableSize(1_000_000, Map.of("id", 1_000_000L, "shelf", 1_000L));
    TableSize shelves = new TableSize(1_000, Map.of("code", 1_000L, "floor", 100L));
    Map<String, TableSize> sizes =
        Map.of("loan", loans, "reader", readers, "book", books, "shelf", shelves);
    String lines = String.join("\n", plan(sizes, counted).explain(Map.of()));

    assertThat(lines.split("EXISTS", -1)).as(lines).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          days between 0 and 2500                                 | 250000
          days >= 7500 and 20000 > days                           | 250000
          days > 12000                                            | 100
          days between 40 and 40.5                                | 100
          reader_id = 7                                           | 1000
          reader_id in (7, 9, 12)                                 | 3000
          reader_id = 7 or days <= 5000                           | 501000
          reader_id = 7 and days <= 5000                          | 500
          since >= timestamp '2024-07-01 00:00:00'                | 500000
          since < timestamp '2024-07-01 00:00:00' and days < 1000 | 50000
          """)
  void aConditionLeavesAboutAsManyRowsAsStatisticsSay(String condition, double rows) {
    double halfYear = Duration.ofDays(182).toMillis();
    double middle = Instant.parse("2024-07-01T00:00:00Z").toEpochMilli();
    TableSize loans =
        new TableSize(
            1_000_000,
            Map.of("days", 10_000L, "reader_id", 1_000L),
            Map.of(
                "days",
                new ColumnRange(0, 10_000),
                "since",
                new ColumnRange(middle - halfYear, middle + halfYear)));
    DistributedQuery plan =
        plan(Map.of("loan", loans), "select book_id from loan where " + condition);

    assertThat(plan.stages().getFirst().rows()).isCloseTo(rows, withinPercentage(1));
  }

  private static DistributedQuery plan(Map<String, TableSize> sizes, String sql) {
    Catalog catalog = SqlQuery.catalog(LIBRARY, ActorSql.DUCKDB, sizes);
    return SqlPlanner.plan(catalog, sql, List.of());
  }
}
