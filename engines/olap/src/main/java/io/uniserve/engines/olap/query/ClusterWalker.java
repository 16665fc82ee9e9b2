package io.uniserve.engines.olap.query;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.google.common.base.Function;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.engines.olap.druid.Druid;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.java.util.common.guava.MergeSequence;
import org.apache.druid.java.util.common.guava.Sequence;
import org.apache.druid.java.util.common.guava.Sequences;
import org.apache.druid.query.DataSource;
import org.apache.druid.query.Druids;
import org.apache.druid.query.Order;
import org.apache.druid.query.Query;
import org.apache.druid.query.QueryRunner;
import org.apache.druid.query.QuerySegmentWalker;
import org.apache.druid.query.QueryToolChest;
import org.apache.druid.query.RestrictedDataSource;
import org.apache.druid.query.Result;
import org.apache.druid.query.SegmentDescriptor;
import org.apache.druid.query.TableDataSource;
import org.apache.druid.query.UnionDataSource;
import org.apache.druid.query.aggregation.MetricManipulatorFns;
import org.apache.druid.query.operator.WindowOperatorQuery;
import org.apache.druid.query.planning.DataSourceAnalysis;
import org.apache.druid.query.scan.ScanQuery;
import org.apache.druid.query.timeboundary.TimeBoundaryResultValue;
import org.apache.druid.query.timeseries.TimeseriesQuery;
import org.joda.time.Interval;

/**
 * The place of Druid's servers in a query: it sends a query, as the merge around it has rewritten
 * it, to the actors whose keys are within its intervals, and gives their results in one order.
 */
final class ClusterWalker implements QuerySegmentWalker {
  /** The time of a query that does not say how long it may take, as in Druid. */
  private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(300);

  private final Cluster cluster;

  ClusterWalker(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public <T> QueryRunner<T> getQueryRunnerForIntervals(
      Query<T> query, Iterable<Interval> intervals) {
    return (queryPlus, response) -> {
      Query<T> asked = queryPlus.getQuery();
      // Nothing remains to be asked later: an actor that fails is asked again by the runtime.
      response.initializeRemainingResponses();
      response.addRemainingResponse(asked.getMostSpecificId(), 0);
      return run(asked);
    };
  }

  @Override
  public <T> QueryRunner<T> getQueryRunnerForSegments(
      Query<T> query, Iterable<SegmentDescriptor> segments) {
    throw new UniserveException(
        ErrorCode.UNSUPPORTED, "intervals of type 'segments' are not supported");
  }

  private <T> Sequence<T> run(Query<T> query) {
    DataSourceAnalysis analysis = query.getDataSourceAnalysis();
    requireNoRightJoins(analysis);
    // Too many buckets are refused before actors make them.
    Optional<Sequence<T>> empty =
        EmptyBuckets.wanted(query)
            .map(series -> emptyBuckets(series, analysis.getBaseDataSource()));
    List<ActorResults<T>> results = new ArrayList<>();
    if (!query.getIntervals().isEmpty()) {
      for (TableDataSource table : tables(analysis.getBaseDataSource())) {
        Query<T> its =
            analysis.getBaseUnionDataSource().isPresent()
                ? org.apache.druid.query.Queries.withBaseDataSource(query, table)
                : query;
        String text = Queries.write(its);
        AskDruid question = new AskDruid(text, Druid.get().lookups().namedIn(text));
        cluster
            .ask(table.getName(), keys(query.getIntervals()), question, timeout(query))
            .forEach(rows -> results.add(results(its, rows)));
      }
    }
    // A result for all times has the time of the first one that is merged.
    results.sort(Comparator.comparingLong(ActorResults::firstMillis));
    List<Sequence<T>> each = new ArrayList<>();
    results.forEach(actor -> each.add(actor.results()));
    empty.ifPresent(each::add);
    Sequence<Sequence<T>> all = Sequences.simple(each);
    return isOrdered(query)
        ? new MergeSequence<>(query.getResultOrdering(), all)
        : Sequences.concat(all);
  }

  @SuppressWarnings("unchecked") // they are results of a timeseries query, as all of these are
  private <T> Sequence<T> emptyBuckets(TimeseriesQuery series, DataSource base) {
    Query<Result<TimeBoundaryResultValue>> boundaries =
        Druids.newTimeBoundaryQueryBuilder().dataSource(base).context(series.getContext()).build();
    return (Sequence<T>) EmptyBuckets.of(series, run(boundaries).toList());
  }

  /**
   * Refuses joins that are to give rows of the right side which match nothing: each segment would
   * give those that match none of its own rows.
   */
  private static void requireNoRightJoins(DataSourceAnalysis analysis) {
    if (analysis.getPreJoinableClauses().stream().anyMatch(join -> join.getJoinType().isRighty())) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "RIGHT and FULL joins with a table on their left are not supported: each actor would give"
              + " the rows of the right side that match none of its own");
    }
  }

  /** Returns whether results have an order. Without one, those of an actor stay together. */
  private static boolean isOrdered(Query<?> query) {
    return switch (query) {
      case ScanQuery scan -> scan.getTimeOrder() != Order.NONE;
      case WindowOperatorQuery window -> false;
      // one result, which has the time of the earliest of them
      case TimeseriesQuery all when all.getGranularity().equals(Granularities.ALL) -> false;
      default -> true;
    };
  }

  private static Duration timeout(Query<?> query) {
    return query.context().hasTimeout()
        ? Duration.ofMillis(query.context().getTimeout())
        : TIMEOUT_DEFAULT;
  }

  private static List<TableDataSource> tables(DataSource base) {
    return switch (base) {
      case TableDataSource table -> List.of(table);
      case RestrictedDataSource restricted -> List.of(restricted.getBase());
      case UnionDataSource union -> union.getDataSourcesAsTableDataSources();
      default ->
          throw new UniserveException(
              ErrorCode.UNSUPPORTED,
              "a data source of type "
                  + base.getClass().getSimpleName()
                  + " is not supported here");
    };
  }

  /** Returns the keys within intervals of time. */
  static Keys keys(List<Interval> intervals) {
    return new Keys.OfActors(
        partitioner -> {
          TreeSet<Integer> actors = new TreeSet<>();
          for (Interval interval : intervals) {
            if (interval.toDurationMillis() > 0) {
              Keys range =
                  new Keys.Range(
                      Optional.of(PartitionKey.of(interval.getStartMillis())),
                      Optional.of(PartitionKey.of(interval.getEndMillis())));
              actors.addAll(partitioner.actorsOf(range));
            }
          }
          actors.removeIf(actor -> !partitioner.has(actor));
          return actors;
        });
  }

  /**
   * Returns the results of an actor, in their order.
   *
   * @param rows the rows that it sent, at least once some
   */
  private static <T> ActorResults<T> results(Query<T> query, List<QueryRows> rows) {
    QueryToolChest<T, Query<T>> merge = Druid.get().clientKinds().getToolChest(query);
    ObjectMapper mapper = merge.decorateObjectMapper(Druid.get().smile(), query);
    ObjectReader reader =
        mapper
            .readerFor(
                mapper
                    .getTypeFactory()
                    .constructCollectionType(List.class, merge.getBaseResultType()))
            // Numbers are as the actor had them, within arrays, too.
            .with(DeserializationFeature.USE_LONG_FOR_INTS);
    Function<T, T> readable =
        merge.makePreComputeManipulatorFn(query, MetricManipulatorFns.deserializing());
    List<T> first = read(reader, rows.getFirst());
    Sequence<T> rest =
        Sequences.concat(
            Sequences.map(
                Sequences.simple(rows.subList(1, rows.size())),
                some -> Sequences.simple(ClusterWalker.<T>read(reader, some))));
    Sequence<T> all = Sequences.concat(Sequences.simple(first), rest);
    return new ActorResults<>(
        earliest(first.getFirst()),
        Sequences.map(all, sent -> HyperLogLogs.merged(readable.apply(sent))));
  }

  /**
   * The results of an actor.
   *
   * @param firstMillis the time of the first one, if results have times
   */
  private record ActorResults<T>(long firstMillis, Sequence<T> results) {}

  private static long earliest(Object result) {
    return result instanceof Result<?> timed ? timed.getTimestamp().getMillis() : 0;
  }

  @SuppressWarnings("unchecked") // a block is the answer to a grouped query, whose rows it has
  private static <T> List<T> read(ObjectReader reader, QueryRows some) {
    if (RowBlock.is(some.rows())) {
      return (List<T>) RowBlock.read(some.rows());
    }
    try {
      return reader.readValue(some.rows());
    } catch (IOException e) {
      throw new IllegalStateException("an actor's results cannot be read", e);
    }
  }
}
