package io.uniserve.engines.olap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.query.Queries;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the keys at which a datasource is divided into intervals of time. */
class OlapPlannerTest {
  private final OlapPlanner planner = new OlapPlanner();
  private final TableDefinition table =
      new TableDefinition(
          "edits",
          OlapEngine.NAME,
          new Partitioner.Hash(1),
          1,
          Durability.NONE,
          Map.of("timestampSpec", Map.of("column", "time", "format", "iso")));

  private PartitionKey row(String time) {
    return planner.records(table, List.of(Map.of("time", time))).getFirst().partitionKey();
  }

  @Test
  void aTimeDividesTheRowsBeforeItFromThoseAtItAndAfter() {
    PartitionKey noon = planner.key(table, "2015-09-12T12:00:00Z");

    assertThat(row("2015-09-12T11:59:59.999Z")).isLessThan(noon);
    assertThat(row("2015-09-12T12:00:00Z")).isGreaterThanOrEqualTo(noon);
    assertThat(planner.key(table, "2015-09-12")).isLessThan(noon);
    assertThat(planner.key(table, "1960-01-01")).isLessThan(planner.key(table, "1980-01-01"));
  }

  @Test
  void whatIsNoTimeIsRefused() {
    assertThatThrownBy(() -> planner.key(table, "noon"))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("'noon'");
  }

  @Test
  void sqlIsToldWhereItIsAsked() {
    assertThatThrownBy(() -> Queries.read("select count(*) from edits"))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("'select count(*) from edits'")
        .hasMessageContaining("POST /druid/v2/sql");
  }
}
