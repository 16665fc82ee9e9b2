package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.textindex.BoundRequest;
import io.uniserve.textindex.HitContents;
import io.uniserve.textindex.Page;
import io.uniserve.textindex.SearchRequest;
import io.uniserve.textindex.SearchResult;
import io.uniserve.textindex.SearchSchema;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes the plan of a search (DPA §3.4): a retrieve, which searches every actor, and a combine,
 * which merges.
 *
 * <p>If the search has words that score, or fuzzy terms, a sub-query goes first that counts them in
 * every actor, so that all score alike. A page far behind the first takes two steps, too: the hit
 * before it, then what follows, lest every actor fetch documents that nobody sees.
 */
record SearchPlan(TableDefinition table) {
  private static final int FETCHED_OFFSET_MAX = 50;

  /**
   * @param finish what becomes of the result
   */
  <R> Plan<R> of(SearchRequest request, Function<SearchResult, R> finish) {
    Page page = request.page();
    Plan<R> atOnce = atOnce(request, finish);
    if (page.offset() <= FETCHED_OFFSET_MAX || page.rows() == 0) {
      return atOnce;
    }
    SearchRequest hitBefore =
        request
            .with(new Page(page.sort(), page.offset() - 1, 1, Optional.empty()))
            .with(HitContents.ID_ONLY)
            .with();
    return atOnce(hitBefore, before -> before)
        .then(
            before ->
                atOnce(
                    request.with(before.next().map(page::after).orElse(Page.first(0))),
                    rest -> finish.apply(rest.with(before.maxScore()))));
  }

  private <R> Plan<R> atOnce(SearchRequest request, Function<SearchResult, R> finish) {
    SearchSchema schema = SearchPlanner.schema(table);
    BoundRequest bound = new BoundRequest(schema, request);
    bound.check();
    CountWords words = CountWords.of(bound);
    boolean alone = table.actors() == 1 || request.statistics() == SearchRequest.Statistics.LOCAL;
    return alone || words.isEmpty()
        ? search(schema, request, Optional.empty(), finish)
        : Plan.query(
                table.name(),
                words,
                Operator.Combine.fold(TableStatistics.NONE, TableStatistics::plus))
            .then(counts -> search(schema, request, Optional.of(counts), finish));
  }

  private <R> Plan<R> search(
      SearchSchema schema,
      SearchRequest request,
      Optional<TableStatistics> counts,
      Function<SearchResult, R> finish) {
    return Plan.query(
        table.name(),
        new Search(request, counts),
        () -> new SearchMerge<>(schema, request, finish));
  }
}
