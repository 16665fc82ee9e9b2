package io.uniserve.engines.warehouse;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.sql.backend.Row;
import io.uniserve.sql.changes.RewriteRows;
import io.uniserve.testkit.engine.Question;
import io.uniserve.testkit.local.Batch;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rows of a table without a primary key are added, and take the place of none. */
class KeylessConformanceTest extends WarehouseConformanceTest {
  @Override
  public TableDefinition table() {
    return new TableDefinition(
        "notes",
        engine().name(),
        new Partitioner.Hash(3),
        1,
        Durability.NONE,
        Map.of(
            "columns",
            Map.of("id", "bigint not null", "text", "varchar"),
            "partitionBy",
            List.of("id")));
  }

  @Override
  public List<Batch> batches() {
    return List.of(
        put(note(1, "a"), note(2, "b"), note(3, "c")),
        put(note(2, "b"), note(4, "d")),
        Batch.ofAllActors(new RewriteRows("1", "UPDATE notes SET text = 'e' WHERE id = 3")),
        put(note(5, "f")));
  }

  @Override
  public List<Question<?>> questions() {
    return List.of(
        Question.comparing("everything", plan("select * from notes order by id")),
        Question.of("how many", count("select count(*) from notes"), 0L, 6L));
  }

  @Override
  public Optional<Batch> refused() {
    Row half = new Row(note(8, "g").partitionKey(), "notes", List.of(8L));
    return Optional.of(put(note(2, "lost"), half));
  }

  private Row note(long id, String text) {
    Map<String, Object> row = Map.of("id", id, "text", text);
    return (Row) new WarehousePlanner().records(table(), List.of(row)).getFirst();
  }
}
