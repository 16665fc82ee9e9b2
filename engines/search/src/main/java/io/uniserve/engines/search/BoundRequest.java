package io.uniserve.engines.search;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.util.*;
import org.apache.lucene.search.*;
import org.apache.lucene.search.BooleanClause.Occur;

/** A request as a schema reads it; whatever is wrong in it has been told. For one search. */
final class BoundRequest {
  final SearchRequest request;
  final SearchSchema schema;
  final SortOrder order;
  final Query scored;
  final Query matched;
  final Map<Facet, FacetCounter> counters = new LinkedHashMap<>();
  final Map<Facet, Query> facetQueries = new LinkedHashMap<>();

  BoundRequest(SearchSchema schema, SearchRequest request) {
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
      } else {
        counters.put(facet, FacetCounter.of(schema, facet));
      }
    }
  }

  private static Query among(Query query, Occur occur, List<Query> filters) {
    BooleanQuery.Builder all = new BooleanQuery.Builder().add(query, occur);
    filters.forEach(each -> all.add(each, Occur.FILTER));
    return filters.isEmpty() ? query : all.build();
  }

  /** Checks what an actor need not check again. */
  void check() {
    request.page().after().ifPresent(end -> order.hit(0, end.values()));
    request.contents().fields().stream()
        .filter(name -> !name.equals(HitContents.EVERY_FIELD))
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

  /** The words of other actors on which the answer of each depends. */
  CountWords words() {
    boolean scores = order.needsScores() || request.contents().scores();
    return CountWords.of(matched, scores && request.page().rows() > 0, facetQueries.values());
  }
}
