package io.uniserve.engines.olap.query;

import com.google.common.collect.Lists;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.java.util.common.guava.Sequence;
import org.apache.druid.java.util.common.guava.Sequences;
import org.apache.druid.query.Druids;
import org.apache.druid.query.Query;
import org.apache.druid.query.QueryRunner;
import org.apache.druid.query.timeseries.TimeseriesQuery;

/**
 * The results of a timeseries query in descending order, as an actor gives them. Druid's engine
 * lists all buckets of such a query before it reads a row, also those that it leaves out, and takes
 * the memory for them. In ascending order it makes one bucket after another. So the actor asks in
 * ascending order, and turns around what there is.
 */
final class DescendingBuckets {
  private DescendingBuckets() {}

  /** Returns a runner that gives the same results as another, and asks it in ascending order. */
  static <T> QueryRunner<T> askedAscending(QueryRunner<T> runner) {
    return (asked, response) ->
        asked.getQuery() instanceof TimeseriesQuery series && applies(series)
            ? reversed(runner.run(asked.withQuery(ascending(series)), response), series.getLimit())
            : runner.run(asked, response);
  }

  private static boolean applies(TimeseriesQuery series) {
    return series.isDescending() && !series.getGranularity().equals(Granularities.ALL);
  }

  @SuppressWarnings("unchecked") // it is the same query, but for the order of its results
  private static <T> Query<T> ascending(TimeseriesQuery series) {
    return (Query<T>)
        Druids.TimeseriesQueryBuilder.copy(series)
            .descending(false)
            .limit(Integer.MAX_VALUE)
            .build();
  }

  /**
   * @param limit the number of results that are wanted, from the end on; 0 for all
   */
  private static <T> Sequence<T> reversed(Sequence<T> ascending, int limit) {
    Sequence<T> all = Sequences.simple(Lists.reverse(ascending.toList()));
    return limit > 0 && limit < Integer.MAX_VALUE ? all.limit(limit) : all;
  }
}
