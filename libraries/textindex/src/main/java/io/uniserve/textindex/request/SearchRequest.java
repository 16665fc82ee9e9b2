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
 * @param query what is searched and scored
 * @param filters what must match as well, without scoring
 * @param page which of the hits are returned
 * @param contents what is returned of each hit
 * @param facets what is counted
 * @param exactTotal whether the total must be exact; otherwise it may stop at a lower bound, which
 *     makes frequent words faster
 * @param statistics what scores are made of
 */
public record SearchRequest(
    QueryText query,
    List<QueryText> filters,
    Page page,
    HitContents contents,
    List<Facet> facets,
    boolean exactTotal,
    Statistics statistics) {

  /** Whose term frequencies scores are made of. */
  public enum Statistics {
    /**
     * The whole table's: scores are those of one index that holds everything. They may be those of
     * an earlier search if every actor finds that it would count the same again.
     */
    @Name("GLOBAL")
    GLOBAL,
    /** The whole table's, counted anew. */
    @Name("GLOBAL_ANEW")
    GLOBAL_ANEW,
    /** Each actor's own: one round trip less, but scores of different actors hardly compare. */
    @Name("LOCAL")
    LOCAL
  }

  /** The most filters, and the most facets. */
  public static final int PARTS_MAX = 200;

  /** Copies the lists, and checks how many there are. */
  public SearchRequest {
    filters = List.copyOf(filters);
    facets = List.copyOf(facets);
    if (filters.size() > PARTS_MAX || facets.size() > PARTS_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "a search has at most " + PARTS_MAX + " filters and as many facets");
    }
  }

  /** The ten best documents with all stored fields, exactly counted. */
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

  /** The ten best documents for a query in Lucene's language. */
  public static SearchRequest of(String query) {
    return of(QueryText.lucene(query));
  }

  /** This search among the documents that match these as well. */
  public SearchRequest with(List<QueryText> filters) {
    return new SearchRequest(query, filters, page, contents, facets, exactTotal, statistics);
  }

  /** This search with another page. */
  public SearchRequest with(Page page) {
    return new SearchRequest(query, filters, page, contents, facets, exactTotal, statistics);
  }

  /** This search, returning this of each hit. */
  public SearchRequest with(HitContents contents) {
    return new SearchRequest(query, filters, page, contents, facets, exactTotal, statistics);
  }

  /** This search, counting these facets. */
  public SearchRequest with(Facet... facets) {
    return new SearchRequest(
        query, filters, page, contents, List.of(facets), exactTotal, statistics);
  }

  /** This search with scores made of these statistics. */
  public SearchRequest with(Statistics statistics) {
    return new SearchRequest(query, filters, page, contents, facets, exactTotal, statistics);
  }
}
