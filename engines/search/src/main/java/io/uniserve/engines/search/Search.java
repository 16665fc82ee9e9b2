package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.form.Name;
import io.uniserve.textindex.Answer;
import io.uniserve.textindex.IndexSearch;
import io.uniserve.textindex.query.WordStatistics;
import io.uniserve.textindex.request.SearchRequest;
import java.util.Optional;

/**
 * An operator that searches one actor. An actor whose counts of the words differ from the supposed
 * ones gives no answer.
 *
 * @param table the statistics of the table; empty to score with the actor's own
 * @param supposed the counts that the statistics were added up from, if these may be outdated
 * @param brief true if the search reads little
 */
@Name("Search")
record Search(
    SearchRequest request, Optional<WordStatistics> table, Optional<Counts> supposed, boolean brief)
    implements Operator.Retrieve<SearchActor, Answer> {
  @Override
  public void retrieve(SearchActor actor, Output<Answer> answer, OperatorContext context) {
    Optional<Answer> found =
        actor.read(
            searcher ->
                supposed.isEmpty() || supposed.get().hold(context.actor(), searcher)
                    ? Optional.of(new IndexSearch(actor.bind(request), searcher).answer())
                    : Optional.empty(),
            table,
            context);
    found.ifPresent(answer::put);
  }
}
