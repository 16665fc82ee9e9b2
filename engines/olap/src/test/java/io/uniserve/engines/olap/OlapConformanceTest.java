package io.uniserve.engines.olap;

import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.Plan;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.lookup.Lookup;
import io.uniserve.engines.olap.query.Answers;
import io.uniserve.engines.olap.query.AskDruid;
import io.uniserve.engines.olap.query.QueryRows;
import io.uniserve.engines.olap.query.Replay;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.storage.OlapActor;
import io.uniserve.testkit.EngineConformance;
import io.uniserve.testkit.engine.Question;
import io.uniserve.testkit.local.Batch;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A table of edits that rolls up by minutes. Its actors write a segment after every third row. */
class OlapConformanceTest extends EngineConformance<OlapActor> {
  @Override
  public Engine<OlapActor> engine() {
    return new OlapEngine();
  }

  @Override
  public TableDefinition table() {
    return new TableDefinition(
        "edits",
        OlapEngine.NAME,
        new Partitioner.Hash(3),
        1,
        Durability.NONE,
        Map.of(
            "timestampSpec",
            Map.of("column", "time", "format", "iso"),
            "dimensionsSpec",
            Map.of("dimensions", List.of("page", "tags", Map.of("type", "long", "name", "size"))),
            "metricsSpec",
            List.of(
                Map.of("type", "count", "name", "count"),
                Map.of("type", "longSum", "name", "added", "fieldName", "added"),
                Map.of("type", "hyperUnique", "name", "users", "fieldName", "user")),
            "granularitySpec",
            Map.of("queryGranularity", "minute", "rollup", true),
            "maxRowsInMemory",
            3L,
            "segmentsPerSize",
            2L));
  }

  @Override
  public List<Batch> batches() {
    return List.of(
        Batch.of(
            new AppendRows(),
            rows(
                List.of(
                    edit("10:00:01", "Main", 5, 1, "ann", "b", "a"),
                    edit("10:00:07", "Main", 5, 2, "bob", "a", "b"),
                    edit("10:01:00", "Talk", 7, 4, "ann")))),
        Batch.of(
            new AppendRows(),
            rows(
                List.of(
                    edit("10:01:30", "Talk", 7, 8, "cid"),
                    edit("11:00:00", "Main", 5, 16, "ann", "c"),
                    edit("11:30:00", "Help", 1, 32, "dot")))),
        Batch.of(
            new AppendRows(),
            rows(
                List.of(
                    edit("12:00:00", "Main", 5, 64, "ann"),
                    edit("12:00:01", "Main", 6, 128, "ann"),
                    edit("12:01:00", "Main", 5, 256, "eve")))),
        Batch.ofAllActors(new Persist()),
        Batch.ofAllActors(new ReplaceInterval(millis("11:00:00"), millis("11:30:00"))),
        Batch.ofAllActors(new Compact()));
  }

  @Override
  public List<Question<?>> questions() {
    return List.of(
        Question.comparing(
            "everything",
            events(
                """
                {"queryType":"scan","dataSource":"edits","intervals":["2020/2030"],
                 "columns":["__time","page","tags","size","count","added"],"order":"ascending"}""")),
        Question.comparing(
            "pages by edits",
            query(
                """
                {"queryType":"groupBy","dataSource":"edits","intervals":["2020/2030"],
                 "granularity":"hour","dimensions":["page","tags"],"aggregations":[
                  {"type":"longSum","name":"edits","fieldName":"count"},
                  {"type":"hyperUnique","name":"users","fieldName":"users"}]}""")),
        Question.comparing(
            "best pages",
            query(
                """
                {"queryType":"topN","dataSource":"edits","intervals":["2020/2030"],
                 "granularity":"all","dimension":"page","metric":"added","threshold":2,
                 "aggregations":[{"type":"longSum","name":"added","fieldName":"added"}]}""")),
        Question.comparing("edits of a page that a lookup names", named()),
        Question.of("added", total("added"), List.of(), List.of(sum("added", 495L))),
        Question.of("edits", total("count"), List.of(), List.of(sum("count", 8L))));
  }

  private static Map<String, Object> sum(String name, long value) {
    return Map.of("timestamp", "2024-05-01T10:00:00.000Z", "result", Map.of(name, value));
  }

  @Override
  public Optional<ScanPlan> scan() {
    return Optional.of(new OlapPlanner().scan(table(), ScanRequest.ALL));
  }

  @Override
  public Optional<Batch> refused() {
    return Optional.of(
        Batch.of(
            new AppendRows(),
            List.of(
                row(edit("13:00:00", "Main", 1, 512, "ann")),
                new OlapRow(0, 0, 0, Map.of("page", "Main", "added", "many")))));
  }

  private static Plan<Object> query(String text) {
    return Replay.plan(text);
  }

  /** Returns the rows of a scan in an order of their own, without the names of segments. */
  private static Plan<Object> events(String text) {
    return query(text)
        .then(
            batches ->
                new Plan.Known<>(
                    ((List<?>) batches)
                        .stream()
                            .flatMap(
                                batch -> ((List<?>) ((Map<?, ?>) batch).get("events")).stream())
                            .map(row -> new java.util.TreeMap<>((Map<?, ?>) row).toString())
                            .sorted()
                            .toList()));
  }

  private static Plan<Object> total(String metric) {
    return query(
        """
        {"queryType":"timeseries","dataSource":"edits","intervals":["2020/2030"],
         "granularity":"all","context":{"skipEmptyBuckets":true},"aggregations":[
          {"type":"longSum","name":"%s","fieldName":"%s"}]}"""
            .formatted(metric, metric));
  }

  /** Returns the sum over the page that a lookup, sent with the question, names. */
  private static Plan<Long> named() {
    AskDruid question =
        new AskDruid(
            """
            {"queryType":"timeseries","dataSource":"edits","intervals":["2020/2030"],
             "granularity":"all","filter":{"type":"expression",
              "expression":"lookup(page, 'names') == 'Hauptseite'"},
             "aggregations":[{"type":"longSum","name":"added","fieldName":"added"}]}""",
            List.of(new Lookup("names", "v1", true, Map.of("Main", "Hauptseite"))));
    return new Plan.Query<>(Source.table("edits"), question, Answers::new)
        .then(
            answers ->
                new Plan.Known<>(
                    answers.stream()
                        .flatMap(List::stream)
                        .mapToLong(OlapConformanceTest::added)
                        .sum()));
  }

  private static long added(QueryRows rows) {
    try {
      return Druid.get().smile().readTree(rows.rows()).at("/0/result/added").asLong();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static long millis(String time) {
    return java.time.Instant.parse("2024-05-01T" + time + "Z").toEpochMilli();
  }

  private List<OlapRow> rows(List<Map<String, Object>> edits) {
    return new OlapPlanner().records(table(), edits);
  }

  private OlapRow row(Map<String, Object> edit) {
    return rows(List.of(edit)).getFirst();
  }

  private static Map<String, Object> edit(
      String time, String page, long size, long added, String user, String... tags) {
    return Map.of(
        "time",
        "2024-05-01T" + time + "Z",
        "page",
        page,
        "size",
        size,
        "added",
        added,
        "user",
        user,
        "tags",
        List.of(tags));
  }
}
