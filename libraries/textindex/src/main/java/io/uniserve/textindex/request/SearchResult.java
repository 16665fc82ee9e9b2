package io.uniserve.textindex.request;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answer to a search.
 *
 * @param total the number of matching documents
 * @param totalExact false if {@code total} is only a lower bound
 * @param maxScore the best score of all matches, if the search computed it: it does on the first
 *     page, ordered by score first, with at least one hit
 * @param hits the hits of the page
 * @param facets the counts, in the order of the request
 * @param next the end of the page; empty if it has no hits
 */
public record SearchResult(
    long total,
    boolean totalExact,
    Optional<Float> maxScore,
    List<Hit> hits,
    List<FacetCounts> facets,
    Optional<Cursor> next) {

  /** Returns this answer as a document (see {@link io.uniserve.api.Planner}). */
  public Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("total", total);
    document.put("hits", hits.stream().map(Hit::document).toList());
    Map<String, Object> counts = new LinkedHashMap<>();
    facets.forEach(facet -> counts.put(facet.name, facet.document()));
    document.put("facets", counts);
    next.ifPresent(cursor -> document.put("cursor", cursor.token()));
    return document;
  }

  /** Returns this answer with another best score. */
  public SearchResult with(Optional<Float> otherMaxScore) {
    return new SearchResult(total, totalExact, otherMaxScore, hits, facets, next);
  }

  /**
   * A document that matched.
   *
   * @param id its id
   * @param score its score, or NaN if it was not asked for
   * @param sortValues its values of the sort keys, the id last; a score is a {@link Double}, a date
   *     a {@link Long} in milliseconds since 1970, a missing string {@code null}, a missing number
   *     the one that sorts last
   * @param fields its stored fields, as {@link String}, {@link Long}, {@link Double} or, of a
   *     multi-valued field, a list of these; dates in ISO-8601
   * @param highlights passages by field; a field without a match is absent
   */
  public record Hit(
      String id,
      float score,
      List<Object> sortValues,
      Map<String, Object> fields,
      Map<String, List<String>> highlights) {
    private Map<String, Object> document() {
      return Map.of("id", id, "score", (double) score, "fields", fields);
    }
  }

  /**
   * The counts of one facet.
   *
   * @param name the facet's name
   * @param buckets the counts: for {@link Facet.Terms} one for each value; for {@link Facet.Ranges}
   *     one below the first bound (with value {@code null}), then one for each bound; for {@link
   *     Facet.Matching} one
   * @param missing the number of matches without a value in the field
   */
  public record FacetCounts(String name, List<Bucket> buckets, long missing) {
    private Map<String, Object> document() {
      Map<String, Object> counts = new LinkedHashMap<>();
      buckets.forEach(bucket -> counts.put(String.valueOf(bucket.value), bucket.count));
      return counts;
    }
  }

  /**
   * One count.
   *
   * @param value {@link String}, {@link Long} or {@link Double}; dates in ISO-8601
   * @param count the number of matches
   */
  public record Bucket(Object value, long count) {}
}
