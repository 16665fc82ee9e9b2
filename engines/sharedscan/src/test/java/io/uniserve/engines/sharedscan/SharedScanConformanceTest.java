package io.uniserve.engines.sharedscan;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.Plan;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.sharedscan.scan.Test;
import io.uniserve.testkit.EngineConformance;
import io.uniserve.testkit.engine.Question;
import io.uniserve.testkit.local.Batch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class SharedScanConformanceTest extends EngineConformance<SharedScanActor> {
  @Override
  public Engine<SharedScanActor> engine() {
    return new SharedScanEngine();
  }

  @Override
  public TableDefinition table() {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("rloc", "varchar(6) not null");
    columns.put("name", "varchar(40)");
    columns.put("seat", "integer");
    columns.put("class", "enum('F','C','Y')");
    return new TableDefinition(
        "tickets",
        SharedScanEngine.NAME,
        new Partitioner.Hash(3),
        1,
        Durability.NONE,
        Consistency.EVENTUAL,
        Map.of("columns", columns, "partitionBy", "rloc"));
  }

  @Override
  public List<Batch> batches() {
    return List.of(
        Batch.of(
            new AddRows(),
            rows(
                List.of(
                    row("AB12CD", "Ada", 1, "F"),
                    row("AB12CD", "Charles", 2, "F"),
                    row("EF34GH", "Grace, who has a long name", 3, "C"),
                    row("EF34GH", "Grace, who has a long name", 3, "C")))),
        Batch.of(
            new AddRows(),
            rows(List.of(row("IJ56KL", null, null, null), row("ZZ", "Kurt", 5, "Y")))),
        Batch.ofAllActors(
            new ChangeRows(
                List.of(new Test.BeginsWith(0, "AB")), List.of(new ChangeRows.Setting(3, "Y")))),
        Batch.ofAllActors(new DeleteRows(List.of(new Test.Among(2, List.of(5L), false)))));
  }

  @Override
  public List<Question<?>> questions() {
    return List.of(
        Question.comparing("everything", plan("SELECT * FROM tickets ORDER BY rloc, seat")),
        Question.comparing(
            "classes",
            plan("SELECT class, count(*), max(name) FROM tickets GROUP BY class ORDER BY class")),
        Question.of(
            "how many",
            rowsOf("SELECT count(*) FROM tickets"),
            List.of(List.of(0L)),
            List.of(List.of(5L))),
        Question.of(
            "the sum of the seats in Y",
            rowsOf(
                "SELECT count(*), sum(seat) FROM tickets WHERE class = 'Y' AND seat IS NOT NULL AND"
                    + " rloc = 'AB12CD'"),
            List.of(java.util.Arrays.asList(0L, null)),
            List.of(List.of(2L, "3"))));
  }

  @Override
  public Optional<ScanPlan> scan() {
    return Optional.of(new SharedScanPlanner().scan(table(), ScanRequest.ALL));
  }

  @Override
  public Optional<Batch> refused() {
    return Optional.of(
        Batch.of(
            new ChangeRows(List.of(), List.of(new ChangeRows.Setting(3, "no class"))),
            List.of(new Address(io.uniserve.api.partition.PartitionKey.of("AB12CD")))));
  }

  @Override
  public List<Record> furtherValues() {
    return List.of(
        new AskCycle(),
        new CycleStatus(3, 1_000, 250_000, Map.of("rloc", 2), Map.of("seat", 70), 1));
  }

  private Plan<?> plan(String sql) {
    return new SharedScanPlanner().plan(table(), sql, Map.of());
  }

  private Plan<Object> rowsOf(String sql) {
    return plan(sql).then(answer -> new Plan.Known<>(((Map<?, ?>) answer).get("rows")));
  }

  private List<Row> rows(List<Map<String, Object>> rows) {
    return new SharedScanPlanner().records(table(), rows);
  }

  private static Map<String, Object> row(String rloc, String name, Integer seat, String kind) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("rloc", rloc);
    row.put("name", name);
    row.put("seat", seat == null ? null : (Object) (long) seat);
    row.put("class", kind);
    return row;
  }
}
