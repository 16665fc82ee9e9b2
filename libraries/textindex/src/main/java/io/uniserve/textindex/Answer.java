package io.uniserve.textindex;

import io.uniserve.api.form.Name;
import io.uniserve.textindex.request.Facet;
import io.uniserve.textindex.request.SearchResult;
import java.util.List;

/**
 * The answer of one index: its own best hits, up to the end of the page, and all its counts.
 *
 * @param total the number of matching documents
 * @param exact false if {@code total} is only a lower bound
 * @param hits the hits, in order
 * @param facets the counts, in the order of the request; all values of {@link Facet.Terms},
 *     regardless of the page
 */
@Name("Answer")
public record Answer(
    long total,
    boolean exact,
    List<SearchResult.Hit> hits,
    List<SearchResult.FacetCounts> facets) {}
