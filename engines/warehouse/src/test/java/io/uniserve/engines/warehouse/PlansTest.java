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
