package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import java.util.List;
import java.util.Optional;

/**
 * Searches one actor.
 *
 * @param table the statistics of the table; empty to score with the actor's own
 */
record Search(SearchRequest request, Optional<TableStatistics> table)
    implements Operator.Retrieve<SearchActor, Search.Answer> {

  /**
   * What one actor answers: its own best hits, as many as the page reaches to, and all its counts.
   *
   * @param exact whether the total is exact
   */
  record Answer(
      long total,
      boolean exact,
      List<SearchResult.Hit> hits,
      List<SearchResult.FacetCounts> facets) {}

  @Override
  public void retrieve(SearchActor actor, Output<Answer> answer, OperatorContext context) {
    answer.put(
        actor.read(
            searcher -> new ActorSearch(actor.bind(request), searcher).answer(), table, context));
  }
}
