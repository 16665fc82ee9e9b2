package io.uniserve.engines.search;

import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.Plan;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.testkit.EngineConformance;
import io.uniserve.testkit.engine.Question;
import io.uniserve.testkit.local.Batch;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.request.Facet;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchResult;
import io.uniserve.textindex.schema.SortKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Documents are replaced and deleted, but none with a title: scores of titles are therefore the
 * same whatever Lucene has merged away.
 */
class SearchConformanceTest extends EngineConformance<SearchActor> {
  private static final HitContents FIELDS_ALONE =
      new HitContents(List.of(HitContents.EVERY_FIELD), Optional.empty(), false);

  @Override
  public Engine<SearchActor> engine() {
    return new SearchEngine();
  }

  @Override
  public TableDefinition table() {
    return new TableDefinition(
        "plays",
        SearchEngine.NAME,
        new Partitioner.Hash(3),
        1,
        Durability.NONE,
        Map.of(
            "refreshIntervalMillis",
            0L,
            "fields",
            Map.of(
                "title", Map.of("type", "text"),
                "line", Map.of("type", "text"),
                "act", Map.of("type", "long"),
                "speaker", Map.of("type", "keyword", "multiValued", true))));
  }

  @Override
  public List<Batch> batches() {
    return List.of(
        Batch.of(
            new AddDocuments(),
            List.of(
                document("hamlet", Map.of("title", "The Tragedy of Hamlet")),
                document("lear", Map.of("title", "King Lear")),
                line("h1", "To be, or not to be", 3, "Hamlet"),
                line("h2", "Who's there?", 1, "Bernardo"),
                line("h3", "Nay, answer me", 1, "Francisco"))),
        Batch.of(
            new AddDocuments(),
            List.of(
                document("errors", Map.of("title", "The Comedy of Errors")),
                line("h2", "Long live the king!", 1, "Bernardo", "Francisco"),
                line("h4", "The rest is silence", 5, "Hamlet"))),
        Batch.of(new DeleteById(), List.of(new DocumentId("h3"), new DocumentId("h9"))),
        Batch.ofAllActors(new Refresh()),
        Batch.ofAllActors(new DeleteByQuery(QueryText.lucene("act:5"))));
  }

  @Override
  public List<Question<?>> questions() {
    SearchRequest everything =
        SearchRequest.of("*:*").with(Page.first(100, SortKey.BY_ID)).with(FIELDS_ALONE);
    return List.of(
        Question.comparing("everything", plan(everything)),
        Question.comparing("titles", plan(SearchRequest.of("title:the title:king~1 title:of"))),
        Question.comparing("a rare word", plan(SearchRequest.of("title:errors"))),
        Question.comparing(
            "facets",
            plan(
                everything.with(
                    new Facet.Terms("who", "speaker", "", Facet.Order.COUNT, 1, 0, 10),
                    new Facet.Ranges("when", "act", List.of(1L, 3L)),
                    new Facet.Matching("king", QueryText.lucene("line:king"))))),
        Question.of("lines", total("line:*"), 0L, 2L),
        Question.of("lines of Bernardo", total("speaker:Bernardo"), 0L, 1L),
        Question.of("lines of Francisco", total("speaker:Francisco"), 0L, 1L),
        Question.of("comedies or tragedies", total("title:(comedy tragedy)"), 0L, 2L));
  }

  @Override
  public Optional<ScanPlan> scan() {
    return Optional.of(new SearchPlanner().scan(table(), ScanRequest.ALL));
  }

  @Override
  public List<Record> furtherValues() {
    SearchRequest byAct = SearchRequest.of("*:*").with(Page.first(10, new SortKey("act", true)));
    ScanPlan export = ExportPlanner.plan(table(), byAct, List.of("act", "speaker"), false).scan();
    return List.of((Record) export.operator());
  }

  @Override
  public Optional<Batch> refused() {
    return Optional.of(
        Batch.of(
            new AddDocuments(),
            List.of(
                line("h1", "To have or have not", 3, "Ernest"),
                document("h5", Map.of("act", "the fifth")))));
  }

  private Plan<SearchResult> plan(SearchRequest request) {
    return SearchPlanner.plan(table(), request);
  }

  private Plan<Long> total(String query) {
    return new SearchPlan(table(), Keys.ALL)
        .of(SearchRequest.of(query).with(Page.first(0)), SearchResult::total);
  }

  private static Document line(String id, String line, int act, String... speakers) {
    return document(id, Map.of("line", line, "act", act, "speaker", List.of(speakers)));
  }

  private static Document document(String id, Map<String, Object> fields) {
    return new Document(id, fields);
  }
}
