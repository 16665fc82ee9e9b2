package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.textindex.Answer;
import io.uniserve.textindex.IndexSearch;
import io.uniserve.textindex.SearchRequest;
import java.util.Optional;

/**
 * Searches one actor.
 *
 * @param table the statistics of the table; empty to score with the actor's own
 */
record Search(SearchRequest request, Optional<TableStatistics> table)
    implements Operator.Retrieve<SearchActor, Answer> {
  @Override
  public void retrieve(SearchActor actor, Output<Answer> answer, OperatorContext context) {
    answer.put(
        actor.read(
            searcher -> new IndexSearch(actor.bind(request), searcher).answer(), table, context));
  }
}
