package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.sql.arrow.ArrowValue;
import io.uniserve.sql.arrow.Spreading;
import io.uniserve.sql.backend.ChangeName;
import io.uniserve.sql.backend.Row;
import io.uniserve.sql.backend.RowBlock;
import io.uniserve.sql.changes.BulkRows;
import io.uniserve.sql.changes.PutRows;
import io.uniserve.sql.changes.RewriteRows;
import io.uniserve.testkit.local.Batch;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of splits and merges of a warehouse's actors. */
class ReshapingTest {
  private static final Partitioner TWO = new Partitioner.Hash(2);

  @TempDir private Path directory;
  private LocalTable<WarehouseActor> table;

  @BeforeEach
  void create() throws IOException {
    table = LocalTable.create(new WarehouseEngine(), definition(TWO), directory.resolve("t"));
  }

  @AfterEach
  void close() {
    table.close();
  }

  private static TableDefinition definition(Partitioner partitioner) {
    Map<String, Object> tables =
        Map.of(
            "event",
            Map.of(
                "columns",
                Map.of("day", "date", "place", "varchar", "id", "bigint"),
                "partitionBy",
                List.of("place", "day")),
            "place",
            Map.of("columns", Map.of("name", "varchar"), "replicated", true));
    return new TableDefinition(
        "w", "warehouse", partitioner, 1, Durability.NONE, Map.of("tables", tables));
  }

  private void put(Map<String, Object> row) {
    table.update(
        new Batch(new PutRows(), new WarehousePlanner().records(table.definition(), List.of(row))));
  }

  /** Some keys lack a value, and some texts are none. */
  private void fill() {
    for (long i = 0; i < 40; i++) {
      Map<String, Object> row =
          new LinkedHashMap<>(Map.of("@table", "event", "id", i, "place", "p" + i % 7));
      if (i % 3 != 0) {
        row.put("day", "2024-01-%02d".formatted(i % 28 + 1));
      }
      if (i % 5 == 0) {
        row.remove("place");
      }
      put(row);
    }
    put(Map.of("@table", "place", "name", "p1"));
  }

  private long events(WarehouseActor actor) {
    return Count.of(actor, "select count(*) from event");
  }

  @Test
  void aRowStaysWhereItsRecordWouldGo() {
    fill();
    Partitioner cut = TWO.cut(0, new PartitionChange.Where.Bit(0), 1);
    WarehouseActor actor = table.actor(0);
    long all = events(actor);
    long stay = rowsOf(0).stream().filter(row -> cut.actorOf(row.partitionKey()) == 0).count();
    assertThat(stay).isBetween(1L, all - 1);

    actor.retain(key -> cut.actorOf(key) == 0);
    assertThat(events(actor)).isEqualTo(stay);
    assertThat(Count.of(actor, "select count(*) from place")).isEqualTo(1);
    actor.retain(key -> cut.actorOf(key) == 0);
    assertThat(events(actor)).isEqualTo(stay);
  }

  /** The records of the events, made once more. */
  private List<Row> rowsOf(int actor) {
    List<Row> rows = new ArrayList<>();
    table
        .actor(actor)
        .query(
            List.of(),
            "select place, day from event",
            new Unhurried(),
            some -> {
              for (int i = 0; i < some.getRowCount(); i++) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("@table", "event");
                row.put("place", ArrowValue.of(some.getVector(0), i));
                Object day = ArrowValue.of(some.getVector(1), i);
                row.put("day", day == null ? null : day.toString());
                rows.add(
                    (Row)
                        new WarehousePlanner()
                            .records(table.definition(), List.of(row))
                            .getFirst());
              }
            });
    return rows;
  }

  @Test
  void whatHasReachedOneActorOnlyKeepsTwoFromBeingMerged() {
    fill();
    WarehouseActor one = table.actor(0);
    long before = events(one);
    RewriteRows half = new RewriteRows(ChangeName.next(), "DELETE FROM event WHERE id = 1");
    half.update((LiveWarehouse) table.actor(1), List.of());
    assertRefused(one, "statement");

    half.update((LiveWarehouse) one, List.of());
    PartitionKey key = Spreading.everyActor(TWO).get(0);
    new PutRows().update((LiveWarehouse) one, List.of(new Row(key, "place", List.of("p2"))));
    assertRefused(one, "'place'");
    assertThat(events(one)).isBetween(before - 1, before);
  }

  private void assertRefused(WarehouseActor one, String why) {
    assertThatThrownBy(() -> one.absorb(table.actor(1)))
        .hasMessageContaining(why)
        .isInstanceOfSatisfying(UniserveException.class, e -> assertThat(e.retryable()).isTrue());
  }

  @Test
  void theRowsOfABlockHaveHadTheSameActors() {
    fill();
    Partitioner merged = TWO.cut(0, new PartitionChange.Where.Bit(0), 1).merge(0, 2, 2);
    List<RowBlock> blocks = new ArrayList<>();
    table
        .actor(0)
        .query(
            List.of(),
            "select * from event",
            new Unhurried(),
            rows -> {
              if (rows.getRowCount() > 0) {
                BulkRows.records(table.definition(), "event", rows)
                    .getFirst()
                    .divided(merged)
                    .forEach(block -> blocks.add((RowBlock) block));
              }
            });
    assertThat(blocks).hasSize(2);
    assertThat(blocks.stream().map(block -> merged.actorOf(block.partitionKey()))).containsOnly(3);
    assertThat(
            blocks.stream()
                .map(block -> ((Partitioner.Refined) merged).held(2, block.partitionKey())))
        .containsExactlyInAnyOrder(true, false);
  }

  @Test
  void theMiddleOfARangeHasRowsOnBothSides() {
    assertThat(table.actor(0).middle()).isEmpty();
    fill();
    Optional<PartitionKey> middle = table.actor(0).middle();
    long below =
        rowsOf(0).stream().filter(row -> row.partitionKey().compareTo(middle.get()) < 0).count();
    assertThat(below).isBetween(events(table.actor(0)) / 4, events(table.actor(0)) * 3 / 4);
  }
}
