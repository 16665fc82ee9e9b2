package io.uniserve.engines.search;

import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.textindex.BoundRequest;
import io.uniserve.textindex.document.DocumentMapper;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.request.Cursor;
import io.uniserve.textindex.request.Facet;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchResult;
import io.uniserve.textindex.schema.SearchSchema;
import io.uniserve.textindex.schema.Settings;
import io.uniserve.textindex.schema.SortKey;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexableField;

/** The planner of searches, which also makes documents from rows. */
public final class SearchPlanner implements Planner {
  private static final int KNOWN_MAX = 1000;
  private static final Map<String, Known> KNOWN = new ConcurrentHashMap<>();

  /** A cached schema. Reading a schema takes longer than a small search. */
  private record Known(Map<String, Object> document, SearchSchema schema) {}

  /** Returns the schema of a table, which is read once. */
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
   * Plans a search.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} naming
   *     the invalid part, {@link io.uniserve.api.error.ErrorCode#NOT_FOUND} naming a field that the
   *     schema lacks, or {@link io.uniserve.api.error.ErrorCode#UNSUPPORTED} naming a field that
   *     does not support the request
   */
  public static Plan<SearchResult> plan(TableDefinition table, SearchRequest request) {
    return plan(table, request, Keys.ALL);
  }

  /**
   * Plans a search that can find only known documents. Actors that hold none of them are not
   * searched, but words are still counted in all actors. Throws as above.
   *
   * @param keys the keys of all documents that the search may find, made from their ids
   */
  public static Plan<SearchResult> plan(TableDefinition table, SearchRequest request, Keys keys) {
    return new SearchPlan(table, keys).of(request, result -> result);
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
    List<String> sort = settings.take("sort", List.of());
    Page page =
        new Page(
            sort.stream().map(SortKey::of).toList(),
            Math.clamp(settings.take("offset", 0L), -1, Integer.MAX_VALUE),
            Math.clamp(settings.take("rows", 10L), -1, Integer.MAX_VALUE),
            given(settings, "cursor").map(Cursor::of));
    List<String> fields = settings.take("fields", List.of(HitContents.EVERY_FIELD));
    List<String> facets = settings.take("facets", List.of());
    SearchRequest request =
        SearchRequest.of(query)
            .with(given(settings, "filter").map(QueryText::lucene).stream().toList())
            .with(page)
            .with(new HitContents(fields, Optional.empty(), true))
            .with(facets.stream().map(Facet::of).toArray(Facet[]::new));
    settings.requireAllTaken();
    return new SearchPlan(table, Keys.ALL).of(request, SearchResult::document);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The key is the id, and the condition a query in Lucene's language. Fields are names or
   * patterns; the id is always given.
   */
  @Override
  public ScanPlan scan(TableDefinition table, ScanRequest request) {
    if (request.part().isPresent()) {
      throw UniserveException.invalid(
          "table '" + table.name() + "' has no part '" + Excerpt.of(request.part().get()) + "'");
    }
    List<String> fields =
        request.fields().isEmpty() ? List.of(HitContents.EVERY_FIELD) : request.fields();
    SearchRequest search =
        SearchRequest.of(request.where().orElse("*:*"))
            .with(new HitContents(fields, Optional.empty(), false));
    new BoundRequest(schema(table), search).check();
    return new ScanPlan(
        table.name(),
        new ScanDocuments(search, request.from(), request.to(), fields),
        new Keys.Range(request.from().map(PartitionKey::of), request.to().map(PartitionKey::of)),
        false,
        List.of(),
        DocumentBlock::read);
  }

  private static Optional<String> given(Settings settings, String name) {
    return Optional.of(settings.take(name, "")).filter(text -> !text.isBlank());
  }

  @Override
  public List<Document> records(TableDefinition table, List<Map<String, Object>> rows) {
    DocumentMapper mapper = new DocumentMapper(schema(table));
    List<Document> documents = new ArrayList<>(rows.size());
    for (int row = 0; row < rows.size(); row++) {
      Map<String, Object> fields = new LinkedHashMap<>(rows.get(row));
      fields.replaceAll((name, value) -> storable(value));
      Object id = fields.remove(SortKey.ID);
      if (!(id instanceof String || id instanceof Number)) {
        throw new RejectedRowException(row, "field 'id' is missing or no text: " + Excerpt.of(id));
      }
      documents.add(document(row, id.toString(), fields));
      map(mapper, row, documents.get(row));
    }
    return documents;
  }

  /**
   * Returns a value to store. A number with more digits than the wire form keeps becomes its text.
   */
  private static Object storable(Object value) {
    return switch (value) {
      case BigInteger number -> number.toString();
      case BigDecimal number -> number.toString();
      case List<?> list -> list.stream().map(SearchPlanner::storable).toList();
      case null, default -> value;
    };
  }

  private static Document document(int row, String id, Map<String, Object> fields) {
    try {
      return new Document(id, fields);
    } catch (UniserveException e) {
      throw new RejectedRowException(row, e.getMessage());
    }
  }

  /** Returns the fields that Lucene indexes of a document; an error names the row. */
  static List<IndexableField> map(DocumentMapper mapper, int row, Document document) {
    try {
      return mapper.toLucene(document.id(), document.fields());
    } catch (UniserveException e) {
      throw new RejectedRowException(
          row, "document '" + Excerpt.of(document.id()) + "': " + e.getMessage());
    }
  }

  @Override
  public UpdateFunction<?, ?> load(TableDefinition table) {
    return new AddDocuments();
  }

  @Override
  public Optional<UpdateFunction<?, ?>> publish(TableDefinition table) {
    return Optional.of(new Refresh());
  }
}
