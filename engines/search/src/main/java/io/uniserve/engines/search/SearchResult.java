package io.uniserve.engines.search;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answer to a search.
 *
 * @param total how many documents match
 * @param totalExact false if {@code total} is only a lower bound
 * @param maxScore the best score of all that match, where the search looked at it: ordered by score
 *     first, from the first page, at least one hit
 * @param hits the page
 * @param facets in the order of the request
 * @param next where the page ended; empty if it has no hits
 */
public record SearchResult(
    long total,
    boolean totalExact,
    Optional<Float> maxScore,
    List<Hit> hits,
    List<FacetCounts> facets,
    Optional<Cursor> next) {

  /**
   * A document that matched.
   *
   * @param id its id
   * @param score its score, or NaN if it was not asked for
   * @param sortValues its values of the sort keys, the id last, {@code null} where it has none; a
   *     score as {@link Double}, a date in milliseconds since 1970 as {@link Long}
   * @param fields its stored fields, as {@link String}, {@link Long}, {@link Double} or, of a
   *     multi-valued field, a list of these; dates in ISO-8601
   * @param highlights passages by field; a field without a match is absent
   */
  public record Hit(
      String id,
      float score,
      List<Object> sortValues,
      Map<String, Object> fields,
      Map<String, List<String>> highlights) {}

  /**
   * The counts of one facet.
   *
   * @param name the facet's name
   * @param buckets of {@link Facet.Terms}: the values; of {@link Facet.Ranges}: below the first
   *     bound (with value {@code null}), then one for each bound; of {@link Facet.Matching}: one
   * @param missing how many matches have no value in the field
   */
  public record FacetCounts(String name, List<Bucket> buckets, long missing) {}

  /**
   * One count.
   *
   * @param value {@link String}, {@link Long} or {@link Double}; dates in ISO-8601
   * @param count how many of the matches
   */
  public record Bucket(Object value, long count) {}
}
