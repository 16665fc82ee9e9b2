package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import java.util.Optional;

/** Counts in one actor the words on which the scores of a search depend. */
record CountWords(SearchRequest request)
    implements Operator.Retrieve<SearchActor, TableStatistics> {
  @Override
  public void retrieve(SearchActor actor, Output<TableStatistics> counts, OperatorContext context) {
    counts.put(
        actor.read(
            searcher -> new ActorSearch(actor.bind(request), searcher).statistics(),
            Optional.empty(),
            context));
  }

  /** Adds up what the actors counted. */
  static final class Sum implements Operator.Combiner<TableStatistics, TableStatistics> {
    private final TableStatistics sum = TableStatistics.empty();

    @Override
    public void add(int actor, TableStatistics counts) {
      sum.add(counts);
    }

    @Override
    public TableStatistics result() {
      return sum;
    }
  }
}
