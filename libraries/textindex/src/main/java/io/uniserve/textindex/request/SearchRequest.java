package io.uniserve.textindex.request;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.query.QueryText;
import java.util.List;

/**
 * A search.
 *
 * @param query the query that is searched and scored
 * @param filters queries that must match as well, without scoring
 * @param page the page of hits to return
 * @param contents the contents of each hit
 * @param facets the facets to count
 * @param exactTotal true if the total must be exact; otherwise it may be a lower bound, which makes
 *     frequent words faster
 * @param statistics the statistics that scores are computed from
 */
public record SearchRequest(
    QueryText query,
    List<QueryText> filters,
    Page page,
    HitContents contents,
    List<Facet> facets,
    boolean exactTotal,
    Statistics statistics) {

  /** The term statistics that scores are computed from. */
  public enum Statistics {
    /**
     * Statistics of the whole table: scores equal those of one index with all documents. Counts of
     * an earlier search may be used if every actor confirms them.
     */
    @Name("GLOBAL")
    GLOBAL,
    /** Statistics of the whole table, counted anew. */
    @Name("GLOBAL_ANEW")
    GLOBAL_ANEW,
    /**
     * Statistics of each actor: one round trip less, but scores of different actors are hardly
     * comparable.
     */
    @Name("LOCAL")
    LOCAL
  }

  /** The most filters, and the most facets. */
  public static final int PARTS_MAX = 200;

  /** Copies the lists and checks their lengths. */
  public SearchRequest {
    filters = List.copyOf(filters);
    facets = List.copyOf(facets);
    if (filters.size() > PARTS_MAX || facets.size() > PARTS_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "a search has at most " + PARTS_MAX + " filters and as many facets");
    }
  }

  /** Makes a search for the ten best documents with all stored fields and an exact total. */
  public static SearchRequest of(QueryText query) {
    return new SearchRequest(
        query,
        List.of(),
        Page.first(10),
        HitContents.EVERYTHING,
        List.of(),
        true,
        Statistics.GLOBAL);
  }

  /** Makes such a search for a query in Lucene's language. */
  public static SearchRequest of(String query) {
    return of(QueryText.lucene(query));
  }

  /** Returns this search with further filters. */
  public SearchRequest with(List<QueryText> filters) {
    return new SearchRequest(query, filters, page, contents, facets, exactTotal, statistics);
  }

  /** Returns this search with another page. */
  public SearchRequest with(Page page) {
    return new SearchRequest(query, filters, page, contents, facets, exactTotal, statistics);
  }

  /** Returns this search with other contents of each hit. */
  public SearchRequest with(HitContents contents) {
    return new SearchRequest(query, filters, page, contents, facets, exactTotal, statistics);
  }

  /** Returns this search with these facets. */
  public SearchRequest with(Facet... facets) {
    return new SearchRequest(
        query, filters, page, contents, List.of(facets), exactTotal, statistics);
  }

  /** Returns this search with other statistics. */
  public SearchRequest with(Statistics statistics) {
    return new SearchRequest(query, filters, page, contents, facets, exactTotal, statistics);
  }
}
