package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Keys;
import io.uniserve.textindex.Answer;
import io.uniserve.textindex.BoundRequest;
import io.uniserve.textindex.RareWord;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.query.WordStatistics;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchRequest.Statistics;
import io.uniserve.textindex.request.SearchResult;
import io.uniserve.textindex.schema.SearchSchema;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The plan of a search (DPA §3.4): a retrieve, which searches every actor, and a combine, which
 * merges.
 *
 * <p>If the search has words that score, or fuzzy terms, a sub-query first counts them in every
 * actor, so that all actors score alike. It is left out if an earlier search counted the words and
 * every actor confirms its counts. Counting a single word also returns its documents if it is rare,
 * and the search ends there. A page far behind the first takes two steps, too: the first finds the
 * hit before the page, the second the page, so that no actor fetches documents that nobody sees.
 *
 * @param keys the keys that the search reads; actors without any of them are not searched
 */
record SearchPlan(TableDefinition table, Keys keys) {
  private static final int FETCHED_OFFSET_MAX = 50;
  private static final KeptCounts KEPT = new KeptCounts();

  /**
   * Plans a search.
   *
   * @param finish converts the result
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
    BoundRequest bound = BoundRequest.of(schema, request);
    bound.check();
    Supplier<SearchMerge<R>> merge = () -> new SearchMerge<>(schema, request, finish);
    CountWords words = CountWords.of(bound);
    boolean alone = table.partitioner().living() == 1 || request.statistics() == Statistics.LOCAL;
    if (alone || words.isEmpty()) {
      Search search = new Search(request, Optional.empty(), Optional.empty(), false);
      return query(search, merge::get);
    }
    Brevity brevity = new Brevity(bound, words);
    // Kept counts are checked by every actor that searches, and each gives its rare documents.
    boolean everywhere = keys.equals(Keys.ALL);
    Plan<R> anew =
        everywhere && RareWord.suffices(bound)
            ? findingRare(request, words, brevity, merge)
            : counting(request, words, brevity, merge);
    return request.statistics() == Statistics.GLOBAL && everywhere
        ? KEPT.of(table, words)
            .map(counts -> trusting(request, counts, brevity, merge, anew))
            .orElse(anew)
        : anew;
  }

  private <R> Plan<R> counting(
      SearchRequest request, CountWords words, Brevity brevity, Supplier<SearchMerge<R>> merge) {
    return Plan.query(table.name(), words, Counts.combine(words))
        .then(counts -> counted(request, counts, brevity, merge));
  }

  /** Plans a search that ends with the count of its single word if the word is rare. */
  private <R> Plan<R> findingRare(
      SearchRequest request, CountWords words, Brevity brevity, Supplier<SearchMerge<R>> merge) {
    FindRareWord find = new FindRareWord(words.words().getFirst(), request.contents().fields());
    return Plan.query(table.name(), find, FindRareWord.combine(words))
        .then(
            found ->
                found
                    .answer()
                    .<Plan<R>>map(answer -> new Plan.Known<>(merged(answer, merge.get())))
                    .orElseGet(() -> counted(request, found.counts(), brevity, merge)));
  }

  private static <R> R merged(Answer all, SearchMerge<R> merge) {
    merge.add(0, all);
    return merge.result();
  }

  private <R> Plan<R> counted(
      SearchRequest request, Counts counts, Brevity brevity, Supplier<SearchMerge<R>> merge) {
    KEPT.keep(table, counts);
    WordStatistics all = counts.table();
    Search search = new Search(request, Optional.of(all), Optional.empty(), brevity.of(all));
    return query(search, merge::get);
  }

  private <R> Plan<R> query(Search search, Operator.Combine<Answer, R> merge) {
    return new Plan.Query<>(Source.table(table.name(), keys), search, merge);
  }

  /**
   * Plans a search with counts that may be outdated.
   *
   * @param otherwise makes the plan for the case that an actor finds them outdated
   */
  private <R> Plan<R> trusting(
      SearchRequest request,
      Counts counts,
      Brevity brevity,
      Supplier<SearchMerge<R>> merge,
      Plan<R> otherwise) {
    WordStatistics all = counts.table();
    Search search = new Search(request, Optional.of(all), Optional.of(counts), brevity.of(all));
    return Plan.query(
            table.name(), search, () -> new Unanimous<>(merge.get(), table.partitioner().living()))
        .then(result -> result.<Plan<R>>map(Plan.Known::new).orElse(otherwise));
  }

  /** A combine that has an answer only if every actor gives one. */
  private static final class Unanimous<R> implements Operator.Combiner<Answer, Optional<R>> {
    private final SearchMerge<R> merge;
    private int awaited;

    Unanimous(SearchMerge<R> merge, int actors) {
      this.merge = merge;
      this.awaited = actors;
    }

    @Override
    public void add(int actor, Answer answer) {
      merge.add(actor, answer);
      awaited--;
    }

    @Override
    public Optional<R> result() {
      return awaited == 0 ? Optional.of(merge.result()) : Optional.empty();
    }
  }
}
