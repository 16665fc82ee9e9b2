package io.uniserve.textindex;

import io.uniserve.api.form.Name;
import io.uniserve.textindex.request.Facet;
import io.uniserve.textindex.request.SearchResult;
import java.util.List;

/**
 * What one index answers: its own best hits, as many as the page reaches to, and all its counts.
 *
 * @param total how many documents match
 * @param exact false if {@code total} is only a lower bound
 * @param hits in order
 * @param facets in the order of the request; of {@link Facet.Terms} all values, whatever the page
 */
@Name("Answer")
public record Answer(
    long total,
    boolean exact,
    List<SearchResult.Hit> hits,
    List<SearchResult.FacetCounts> facets) {}
