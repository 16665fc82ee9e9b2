package io.uniserve.textindex;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.textindex.collect.FacetCounter;
import io.uniserve.textindex.document.FieldSelection;
import io.uniserve.textindex.query.Latest;
import io.uniserve.textindex.query.QueryReader;
import io.uniserve.textindex.request.Facet;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SortOrder;
import io.uniserve.textindex.schema.SearchSchema;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;

/**
 * A request that has been read with a schema. It is immutable, and all actors of a process share
 * it.
 */
public final class BoundRequest {
  final SearchRequest request;
  final SearchSchema schema;
  final SortOrder order;
  final Query scored;
  final Query matched;
  final Map<Facet, Query> facetQueries = new LinkedHashMap<>();

  private static final Latest<BoundRequest> LATEST = new Latest<>(64);

  /**
   * Returns the request, which is read once for all actors of this process; throws as the
   * constructor does.
   */
  public static BoundRequest of(SearchSchema schema, SearchRequest request) {
    return LATEST.of(
        request,
        latest -> latest.request == request && latest.schema == schema,
        () -> new BoundRequest(schema, request));
  }

  /**
   * Reads a request.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming the wrong part of the
   *     request, {@link ErrorCode#NOT_FOUND} naming a field that the schema lacks, or {@link
   *     ErrorCode#UNSUPPORTED} naming a field that does not support the request
   */
  public BoundRequest(SearchSchema schema, SearchRequest request) {
    this.schema = schema;
    this.request = request;
    order = new SortOrder(schema, request.page());
    QueryReader reader = new QueryReader(schema);
    scored = reader.read(request.query());
    matched = among(scored, Occur.MUST, request.filters().stream().map(reader::read).toList());
    for (Facet facet : request.facets()) {
      if (facet instanceof Facet.Matching matching) {
        Query both = among(matched, Occur.FILTER, List.of(reader.read(matching.query())));
        facetQueries.put(facet, both);
      }
    }
    counters();
  }

  /** Makes counters of the facets that are counted while documents are collected. */
  Map<Facet, FacetCounter> counters() {
    Map<Facet, FacetCounter> counters = new LinkedHashMap<>();
    for (Facet facet : request.facets()) {
      if (!(facet instanceof Facet.Matching)) {
        counters.put(facet, FacetCounter.of(schema, facet));
      }
    }
    return counters;
  }

  private static Query among(Query query, Occur occur, List<Query> filters) {
    BooleanQuery.Builder all = new BooleanQuery.Builder().add(query, occur);
    filters.forEach(each -> all.add(each, Occur.FILTER));
    return filters.isEmpty() ? query : all.build();
  }

  /** Checks the rest of the request, whose errors would do no harm; throws as above. */
  public void check() {
    request.page().after().ifPresent(end -> order.hit(0, end.values()));
    request.contents().fields().stream()
        .filter(name -> !FieldSelection.isPattern(name))
        .forEach(schema::require);
    request.contents().highlighting().stream()
        .flatMap(wanted -> wanted.fields().stream())
        .filter(name -> schema.require(name).numeric() || !schema.require(name).stored())
        .forEach(BoundRequest::refuseHighlighting);
  }

  private static void refuseHighlighting(String name) {
    throw new UniserveException(
        ErrorCode.UNSUPPORTED, "field '" + name + "' has no stored text to highlight");
  }

  /** Returns the original request. */
  public SearchRequest request() {
    return request;
  }

  /** Returns the query that is searched and scored, with its filters. */
  public Query matched() {
    return matched;
  }

  /** Returns whether {@link #matched} has to be scored. */
  public boolean scores() {
    boolean asked = order.needsScores() || request.contents().scores();
    return asked && request.page().rows() > 0;
  }

  /** Returns the other queries, which are searched and never scored. */
  public Collection<Query> others() {
    return facetQueries.values();
  }
}
