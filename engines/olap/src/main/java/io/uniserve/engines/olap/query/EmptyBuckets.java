package io.uniserve.engines.olap.query;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.collect.Lists;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.druid.data.input.Row;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.apache.druid.java.util.common.guava.Sequence;
import org.apache.druid.java.util.common.guava.Sequences;
import org.apache.druid.query.Query;
import org.apache.druid.query.Result;
import org.apache.druid.query.aggregation.Aggregator;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.timeboundary.TimeBoundaryResultValue;
import org.apache.druid.query.timeseries.TimeseriesQuery;
import org.apache.druid.query.timeseries.TimeseriesResultValue;
import org.apache.druid.segment.ColumnSelectorFactory;
import org.apache.druid.segment.RowAdapters;
import org.apache.druid.segment.RowBasedColumnSelectorFactory;
import org.apache.druid.segment.column.RowSignature;
import org.joda.time.DateTime;
import org.joda.time.Interval;

/**
 * The buckets of a timeseries query in which a table has no row, between its first row and its last
 * one. Druid's engine gives those between the rows that it is asked for at once, which here are the
 * rows of one segment of one actor. Whether a bucket is given must not depend on how many there
 * are.
 */
final class EmptyBuckets {
  /** The greatest number of buckets of a query that is to give empty ones. */
  private static final long BUCKETS_MAX = 1_000_000;

  private EmptyBuckets() {}

  /** Returns a query as one that is to give them, if it is. */
  static Optional<TimeseriesQuery> wanted(Query<?> query) {
    return query instanceof TimeseriesQuery series
            && !series.isSkipEmptyBuckets()
            && !series.getGranularity().equals(Granularities.ALL)
        ? Optional.of(series)
        : Optional.empty();
  }

  /**
   * Returns the buckets, in the order of the query's results. Each is to be merged with what actors
   * give.
   *
   * @param boundaries the first and the last time of each actor that has rows
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if there are too many
   */
  static Sequence<Result<TimeseriesResultValue>> of(
      TimeseriesQuery query, List<Result<TimeBoundaryResultValue>> boundaries) {
    Optional<DateTime> first =
        boundaries.stream().map(each -> each.getValue().getMinTime()).min(DateTime::compareTo);
    Optional<DateTime> last =
        boundaries.stream().map(each -> each.getValue().getMaxTime()).max(DateTime::compareTo);
    if (first.isEmpty() || last.isEmpty()) {
      return Sequences.empty();
    }
    Granularity granularity = query.getGranularity();
    Interval data = new Interval(first.get(), granularity.bucketEnd(last.get()));
    List<Iterable<Interval>> buckets = new ArrayList<>();
    long count = 0;
    for (Interval asked : query.getIntervals()) {
      if (asked.overlaps(data)) {
        Interval overlap = asked.overlap(data);
        count += 1 + overlap.toDurationMillis() / lengthMillis(granularity, overlap);
        if (count > BUCKETS_MAX) {
          throw UniserveException.invalid(
              "a timeseries of at least "
                  + count
                  + " buckets of granularity "
                  + granularity
                  + ", at most "
                  + BUCKETS_MAX
                  + "; with skipEmptyBuckets in its context, those without rows do not count");
        }
        Iterable<Interval> its = granularity.getIterable(overlap);
        buckets.add(query.isDescending() ? Lists.reverse(ImmutableList.copyOf(its)) : its);
      }
    }
    Iterable<Interval> ordered =
        Iterables.concat(query.isDescending() ? Lists.reverse(buckets) : buckets);
    return Sequences.map(
        Sequences.simple(ordered),
        bucket -> {
          DateTime time = granularity.toDateTime(bucket.getStartMillis());
          return new Result<>(time, new TimeseriesResultValue(values(query)));
        });
  }

  /** Returns the length of the first bucket, which others of a period may differ from a little. */
  private static long lengthMillis(Granularity granularity, Interval overlap) {
    return Math.max(1, granularity.bucket(overlap.getStart()).toDurationMillis());
  }

  /** Returns the values of a query's aggregators without any row. */
  private static Map<String, Object> values(TimeseriesQuery query) {
    ColumnSelectorFactory nothing =
        RowBasedColumnSelectorFactory.create(
            RowAdapters.<Row>standardRow(), () -> null, RowSignature.empty(), false, false);
    Map<String, Object> values = new HashMap<>();
    for (AggregatorFactory factory : query.getAggregatorSpecs()) {
      try (Aggregator aggregator = factory.factorize(nothing)) {
        values.put(factory.getName(), aggregator.get());
      }
    }
    return values;
  }
}
