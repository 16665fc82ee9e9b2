package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlplanner.ActorSql;
import io.uniserve.sqlplanner.Catalog;
import io.uniserve.sqlplanner.DistributedQuery;
import io.uniserve.sqlplanner.TableSize;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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

  @Test
  void aQueryIsPlannedAgainOnceTheSizesAreOthers() {
    Map<String, TableSize> few = Map.of("loan", new TableSize(10, Map.of()));
    Map<String, TableSize> many = Map.of("loan", new TableSize(10_000_000, Map.of()));
    DistributedQuery first = plan(few, READERS);

    assertThat(plan(few, READERS)).isSameAs(first);
    assertThat(plan(many, READERS)).isNotEqualTo(first);
    assertThat(plan(few, READERS + " ")).isNotSameAs(first);
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

  @Test
  void whatFailsFailsAgain() {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> plan(Map.of(), "select nothing from book"))
          .isInstanceOf(UniserveException.class)
          .hasMessageContaining("line 1, column 8");
    }
  }

  private static DistributedQuery plan(Map<String, TableSize> sizes, String sql) {
    Catalog catalog = SqlQuery.catalog(LIBRARY, ActorSql.DUCKDB, sizes);
    return LatestPlans.plan(catalog, sql, List.of());
  }
}
