package io.uniserve.sql.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.planner.ActorSql;
import io.uniserve.sql.planner.Catalog;
import io.uniserve.sql.planner.DistributedQuery;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LatestPlansTest {
  private static final TableDefinition LIBRARY =
      new TableDefinition(
          "library",
          "any",
          new Partitioner.Hash(4),
          1,
          Durability.NONE,
          Map.of(
              "tables",
              Map.of(
                  "loan",
                  Map.of(
                      "columns",
                      Map.of("reader_id", "bigint", "days", "integer"),
                      "partitionBy",
                      List.of("reader_id")),
                  "reader",
                  Map.of(
                      "columns",
                      Map.of("id", "bigint", "name", "varchar"),
                      "partitionBy",
                      List.of("name")))));

  private static final String READERS =
      "select name, count(days) from reader left join loan on id = reader_id and days > 14 group by name";

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
      assertThatThrownBy(() -> plan(Map.of(), "select nothing from loan"))
          .isInstanceOf(UniserveException.class)
          .hasMessageContaining("line 1, column 8");
    }
  }

  private static DistributedQuery plan(Map<String, TableSize> sizes, String sql) {
    Catalog catalog = SqlQuery.catalog(LIBRARY, ActorSql.DUCKDB, sizes);
    return LatestPlans.plan(catalog, sql, List.of());
  }
}
