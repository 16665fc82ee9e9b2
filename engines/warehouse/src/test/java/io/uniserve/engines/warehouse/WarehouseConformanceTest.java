package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.backend.Row;
import io.uniserve.sql.backend.RowBlock;
import io.uniserve.sql.backend.SchemaDocument;
import io.uniserve.sql.changes.PutBlocks;
import io.uniserve.sql.changes.PutRows;
import io.uniserve.sql.changes.RewriteRows;
import io.uniserve.sql.stages.AskSizes;
import io.uniserve.sql.stages.GatherStages;
import io.uniserve.sql.stages.ScatterStage;
import io.uniserve.sql.stages.TableSizes;
import io.uniserve.testkit.EngineConformance;
import io.uniserve.testkit.engine.Question;
import io.uniserve.testkit.local.Batch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rows are inserted and replaced, in a spread table and in a replicated one. */
public class WarehouseConformanceTest extends EngineConformance<WarehouseActor> {
  @Override
  public Engine<WarehouseActor> engine() {
    return new WarehouseEngine();
  }

  @Override
  public TableDefinition table() {
    return books();
  }

  private TableDefinition books() {
    return new TableDefinition(
        "books",
        engine().name(),
        new Partitioner.Hash(3),
        1,
        Durability.NONE,
        Map.of("columns", columns(), "partitionBy", List.of("id"), "primaryKey", List.of("id")));
  }

  /** Returns the columns of the table with their types. */
  protected Map<String, Object> columns() {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("id", "bigint not null");
    columns.put("title", "varchar");
    columns.put("price", "decimal(10,2)");
    columns.put("published", "date");
    columns.put("seen", "timestamp");
    columns.put("weight", "double");
    columns.put("lent", "boolean");
    columns.put("pages", "integer");
    return columns;
  }

  @Override
  public List<Batch> batches() {
    List<Batch> batches = new ArrayList<>(changes());
    if (engine().redefinition().isPresent()) {
      batches.add(2, Batch.ofAllActors(new BecomeSchema(new SchemaDocument(withNotes()))));
      batches.add(3, Batch.of(new PutRows(), List.of(note(1, "a"), note(2, "b"), note(3, null))));
    }
    return batches;
  }

  /** The schema with another table, as SQL makes it. */
  private Map<String, Object> withNotes() {
    Map<String, Object> notes =
        Map.of(
            "columns",
            Map.of("text", "varchar"),
            "partitionBy",
            List.of("text"),
            "stored",
            "notes#2");
    return Map.of("revision", 2L, "tables", Map.of("books", table().schema(), "notes", notes));
  }

  private static Row note(long key, String text) {
    return new Row(PartitionKey.of(key), "notes#2", Arrays.asList(text));
  }

  private List<Batch> changes() {
    return List.of(
        put(book(1, "Emma", "7.50"), book(2, "Persuasion", "6.00"), book(3, "Lady Susan", null)),
        put(book(2, "Persuasion", "6.50"), book(4, "Nineteen ’84", "12.99")),
        put(book(5, "Sanditon", "1.00"), book(5, "Sanditon", "2.00"), book(1, null, "0.01")),
        Batch.ofAllActors(new RewriteRows("1", "UPDATE books SET pages = pages + 1")),
        Batch.ofAllActors(new RewriteRows("2", "DELETE FROM books WHERE id = 3")));
  }

  @Override
  public List<Question<?>> questions() {
    return List.of(
        Question.comparing("everything", plan("select * from books order by id")),
        Question.of("how many", count("select count(*) from books"), 0L, 4L),
        Question.of("how many with a title", count("select count(title) from books"), 0L, 3L));
  }

  @Override
  public Optional<Batch> refused() {
    Row half = new Row(book(8, "Half", "1").partitionKey(), "books", List.of(8L, "Half"));
    return Optional.of(Batch.of(new PutRows(), List.of(book(2, "Lost", "0.00"), half)));
  }

  @Override
  public boolean batchesAppearAtOnce() {
    return true;
  }

  @Override
  public Optional<ScanPlan> scan() {
    try {
      return Optional.of(engine().planner().orElseThrow().scan(table(), ScanRequest.ALL));
    } catch (UniserveException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED);
      return Optional.empty();
    }
  }

  @Override
  public List<Record> furtherValues() {
    return List.of(
        (Record) new WarehousePlanner().scan(books(), ScanRequest.ALL).operator(),
        new AskSizes(),
        new PutBlocks(),
        new RowBlock(PartitionKey.of(1), "books", ByteBuffer.wrap(new byte[] {1, 2})),
        new AskSchema(),
        new SchemaDocument(withNotes()),
        new BecomeSchema(new SchemaDocument(withNotes())),
        new TableSizes(Map.of("books", new TableSize(5, Map.of("id", 5L)))),
        new ScatterStage("#1", "select 1", List.of(), List.of(0)),
        new GatherStages("#2"));
  }

  static Batch put(Row... rows) {
    return Batch.of(new PutRows(), List.of(rows));
  }

  private Row book(long id, String title, String price) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("id", id);
    row.put("title", title);
    row.put("price", price);
    row.put("published", "1815-12-%02d".formatted(id + 10));
    row.put("seen", "2024-02-29 12:00:00.00000" + id);
    row.put("weight", id / 4.0);
    row.put("lent", id % 2 == 0);
    row.put("pages", id * 100);
    row.keySet().retainAll(columns().keySet());
    return (Row) new WarehousePlanner().records(table(), List.of(row)).getFirst();
  }

  private Planner planner() {
    return engine().planner().orElseThrow();
  }

  final Plan<?> plan(String sql) {
    return planner().plan(table(), sql, Map.of());
  }

  @SuppressWarnings("unchecked")
  final Plan<Long> count(String sql) {
    Plan<Map<String, Object>> plan = (Plan<Map<String, Object>>) plan(sql);
    return plan.then(
        answer ->
            new Plan.Known<>(
                (Long) ((List<List<Object>>) answer.get("rows")).getFirst().getFirst()));
  }
}
