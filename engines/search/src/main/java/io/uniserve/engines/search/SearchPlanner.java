package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.RejectedRowException;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.api.UpdateFunction;
import io.uniserve.textindex.BoundRequest;
import io.uniserve.textindex.Cursor;
import io.uniserve.textindex.DocumentMapper;
import io.uniserve.textindex.Facet;
import io.uniserve.textindex.HitContents;
import io.uniserve.textindex.Page;
import io.uniserve.textindex.QueryText;
import io.uniserve.textindex.SearchRequest;
import io.uniserve.textindex.SearchResult;
import io.uniserve.textindex.SearchSchema;
import io.uniserve.textindex.Settings;
import io.uniserve.textindex.SortKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexableField;

/**
 * Makes plans of searches (DPA §3.4), and documents of rows.
 *
 * <p>A search is a retrieve, which searches every actor, and a combine, which merges. If it has
 * words that score, or fuzzy terms, a sub-query goes first that counts them in every actor, so that
 * all score alike. A page far behind the first takes two steps, too: the hit before it, then what
 * follows, lest every actor fetch documents that nobody sees.
 */
public final class SearchPlanner implements Planner {
  private static final int FETCHED_OFFSET_MAX = 50;
  private static final int KNOWN_MAX = 1000;
  private static final Map<String, Known> KNOWN = new ConcurrentHashMap<>();

  /** A schema that has been read, which takes longer than a small search. */
  private record Known(Map<String, Object> document, SearchSchema schema) {}

  /** The schema of a table, read once. */
  public static SearchSchema schema(TableDefinition table) {
    Known known = KNOWN.get(table.name());
    if (known == null || known.document != table.schema()) {
      if (KNOWN.size() >= KNOWN_MAX) {
        KNOWN.clear();
      }
      known =
          new Known(
              table.schema(), SearchSchema.of("table '" + table.name() + "'", table.schema()));
      KNOWN.put(table.name(), known);
    }
    return known.schema;
  }

  /**
   * The plan of a search.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming what is wrong in it,
   *     {@link ErrorCode#NOT_FOUND} naming a field that the schema does not have, or {@link
   *     ErrorCode#UNSUPPORTED} naming a field that cannot do what is asked of it
   */
  public static Plan<SearchResult> plan(TableDefinition table, SearchRequest request) {
    return plan(table, request, Function.identity());
  }

  private static <R> Plan<R> plan(
      TableDefinition table, SearchRequest request, Function<SearchResult, R> finish) {
    Page page = request.page();
    Plan<R> atOnce = atOnce(table, request, finish);
    if (page.offset() <= FETCHED_OFFSET_MAX || page.rows() == 0) {
      return atOnce;
    }
    SearchRequest hitBefore =
        request
            .with(new Page(page.sort(), page.offset() - 1, 1, Optional.empty()))
            .with(HitContents.ID_ONLY)
            .with();
    return atOnce(table, hitBefore, before -> before)
        .then(
            before ->
                atOnce(
                    table,
                    request.with(before.next().map(page::after).orElse(Page.first(0))),
                    rest -> finish.apply(rest.with(before.maxScore()))));
  }

  private static <R> Plan<R> atOnce(
      TableDefinition table, SearchRequest request, Function<SearchResult, R> finish) {
    SearchSchema schema = schema(table);
    BoundRequest bound = new BoundRequest(schema, request);
    bound.check();
    Function<Optional<TableStatistics>, Plan<R>> search =
        counts ->
            Plan.query(
                table.name(),
                new Search(request, counts),
                () -> new SearchMerge<>(schema, request, finish));
    boolean alone = table.actors() == 1 || request.statistics() == SearchRequest.Statistics.LOCAL;
    CountWords words = CountWords.of(bound);
    return alone || words.isEmpty()
        ? search.apply(Optional.empty())
        : Plan.query(
                table.name(),
                words,
                Operator.Combine.fold(TableStatistics.NONE, TableStatistics::plus))
            .then(counts -> search.apply(Optional.of(counts)));
  }

  /**
   * {@inheritDoc}
   *
   * <p>The query is in Lucene's language. Options: {@code rows}, {@code offset}, {@code cursor},
   * {@code sort} (as in {@code year desc, title asc}), {@code filter} (another query), {@code
   * fields} and {@code facets} (names with commas between).
   */
  @Override
  public Plan<?> plan(TableDefinition table, String query, Map<String, String> options) {
    Settings settings = new Settings("options", options);
    Optional<String> cursor =
        Optional.of(settings.take("cursor", "")).filter(token -> !token.isEmpty());
    Page page =
        new Page(
            settings.take("sort", List.<String>of()).stream().map(SortKey::of).toList(),
            Math.toIntExact(settings.take("offset", 0L)),
            Math.toIntExact(settings.take("rows", 10L)),
            cursor.map(Cursor::of));
    List<String> fields = settings.take("fields", List.of(HitContents.EVERY_FIELD));
    SearchRequest request =
        SearchRequest.of(query)
            .with(Stream.of(settings.take("filter", "*:*")).map(QueryText::lucene).toList())
            .with(page)
            .with(new HitContents(fields, Optional.empty(), true))
            .with(
                settings.take("facets", List.<String>of()).stream()
                    .map(Facet::of)
                    .toArray(Facet[]::new));
    settings.requireAllTaken();
    return plan(table, request, SearchResult::document);
  }

  @Override
  public List<Document> records(TableDefinition table, List<Map<String, Object>> rows) {
    DocumentMapper mapper = new DocumentMapper(schema(table));
    List<Document> documents = new ArrayList<>(rows.size());
    for (int row = 0; row < rows.size(); row++) {
      Map<String, Object> fields = new LinkedHashMap<>(rows.get(row));
      Object id = fields.remove(SortKey.ID);
      if (!(id instanceof String || id instanceof Number)) {
        throw new RejectedRowException(row, "field 'id' is missing or no text: " + id);
      }
      documents.add(new Document(id.toString(), fields));
      map(mapper, row, documents.get(row));
    }
    return documents;
  }

  /** What Lucene indexes of a document, or an error that names the row. */
  static List<IndexableField> map(DocumentMapper mapper, int row, Document document) {
    try {
      return mapper.toLucene(document.id(), document.fields());
    } catch (UniserveException e) {
      throw new RejectedRowException(row, "document '" + document.id() + "': " + e.getMessage());
    }
  }

  @Override
  public UpdateFunction<?, ?> load(TableDefinition table) {
    return new AddDocuments();
  }
}
