package io.uniserve.engines.olap.druid;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Suppliers;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.druid.collections.NonBlockingPool;
import org.apache.druid.collections.StupidPool;
import org.apache.druid.query.DefaultGenericQueryMetricsFactory;
import org.apache.druid.query.DefaultQueryRunnerFactoryConglomerate;
import org.apache.druid.query.DruidProcessingConfig;
import org.apache.druid.query.Query;
import org.apache.druid.query.QueryRunnerFactory;
import org.apache.druid.query.QueryRunnerFactoryConglomerate;
import org.apache.druid.query.QueryToolChest;
import org.apache.druid.query.QueryWatcher;
import org.apache.druid.query.datasourcemetadata.DataSourceMetadataQuery;
import org.apache.druid.query.datasourcemetadata.DataSourceMetadataQueryRunnerFactory;
import org.apache.druid.query.datasourcemetadata.DataSourceQueryQueryToolChest;
import org.apache.druid.query.groupby.GroupByQuery;
import org.apache.druid.query.groupby.GroupByQueryConfig;
import org.apache.druid.query.groupby.GroupByQueryQueryToolChest;
import org.apache.druid.query.groupby.GroupByQueryRunnerFactory;
import org.apache.druid.query.groupby.GroupByResourcesReservationPool;
import org.apache.druid.query.groupby.GroupByStatsProvider;
import org.apache.druid.query.groupby.GroupingEngine;
import org.apache.druid.query.metadata.SegmentMetadataQueryConfig;
import org.apache.druid.query.metadata.SegmentMetadataQueryQueryToolChest;
import org.apache.druid.query.metadata.SegmentMetadataQueryRunnerFactory;
import org.apache.druid.query.metadata.metadata.SegmentMetadataQuery;
import org.apache.druid.query.operator.WindowOperatorQuery;
import org.apache.druid.query.operator.WindowOperatorQueryQueryRunnerFactory;
import org.apache.druid.query.scan.ScanQuery;
import org.apache.druid.query.scan.ScanQueryConfig;
import org.apache.druid.query.scan.ScanQueryEngine;
import org.apache.druid.query.scan.ScanQueryQueryToolChest;
import org.apache.druid.query.scan.ScanQueryRunnerFactory;
import org.apache.druid.query.search.SearchQuery;
import org.apache.druid.query.search.SearchQueryConfig;
import org.apache.druid.query.search.SearchQueryQueryToolChest;
import org.apache.druid.query.search.SearchQueryRunnerFactory;
import org.apache.druid.query.search.SearchStrategySelector;
import org.apache.druid.query.timeboundary.TimeBoundaryQuery;
import org.apache.druid.query.timeboundary.TimeBoundaryQueryRunnerFactory;
import org.apache.druid.query.timeseries.TimeseriesQuery;
import org.apache.druid.query.timeseries.TimeseriesQueryEngine;
import org.apache.druid.query.timeseries.TimeseriesQueryQueryToolChest;
import org.apache.druid.query.timeseries.TimeseriesQueryRunnerFactory;
import org.apache.druid.query.topn.TopNQuery;
import org.apache.druid.query.topn.TopNQueryConfig;
import org.apache.druid.query.topn.TopNQueryQueryToolChest;
import org.apache.druid.query.topn.TopNQueryRunnerFactory;
import org.apache.druid.query.union.UnionQuery;
import org.apache.druid.query.union.UnionQueryLogic;

/**
 * The kinds of queries that Druid knows: how each runs on a segment, and how its results merge. The
 * client and the actors each have their own, with buffers of their own: a client waits for actors
 * while it holds buffers, so in a process that is both, an actor must never wait for the client's.
 */
final class QueryKinds {
  /** The room on the disk for grouped rows that do not fit into a buffer. */
  private static final String SPILL_MAX = "1GiB";

  private static final QueryWatcher UNWATCHED = (query, future) -> {};

  private QueryKinds() {}

  /** The processing settings that Druid's parts ask for. */
  private static final class Processing extends DruidProcessingConfig {
    @Override
    public int intermediateComputeSizeBytes() {
      return MergeBuffers.SIZE_BYTES;
    }

    @Override
    public int getNumMergeBuffers() {
      return MergeBuffers.COUNT;
    }

    @Override
    public int getNumThreads() {
      return 1;
    }
  }

  private static GroupByQueryRunnerFactory grouping(
      ObjectMapper json, ObjectMapper smile, NonBlockingPool<ByteBuffer> computing)
      throws JsonProcessingException {
    GroupByQueryConfig config =
        json.readValue(
            "{\"maxOnDiskStorage\":\"" + SPILL_MAX + "\",\"singleThreaded\":true}",
            GroupByQueryConfig.class);
    GroupByResourcesReservationPool reservations =
        new GroupByResourcesReservationPool(new MergeBuffers(), config);
    GroupByStatsProvider statistics = new GroupByStatsProvider();
    GroupingEngine engine =
        new GroupingEngine(
            new Processing(),
            Suppliers.ofInstance(config),
            reservations,
            json,
            smile,
            UNWATCHED,
            statistics);
    return new GroupByQueryRunnerFactory(
        engine, new GroupByQueryQueryToolChest(engine, reservations, statistics), computing);
  }

  @SuppressWarnings("rawtypes") // as Druid declares them
  static QueryRunnerFactoryConglomerate of(ObjectMapper json, ObjectMapper smile) {
    NonBlockingPool<ByteBuffer> computing =
        new StupidPool<>("computing", () -> ByteBuffer.allocateDirect(MergeBuffers.SIZE_BYTES));
    Map<Class<? extends Query>, QueryRunnerFactory> factories = new HashMap<>();
    factories.put(
        SegmentMetadataQuery.class,
        new SegmentMetadataQueryRunnerFactory(
            new SegmentMetadataQueryQueryToolChest(new SegmentMetadataQueryConfig()), UNWATCHED));
    factories.put(
        SearchQuery.class,
        new SearchQueryRunnerFactory(
            new SearchStrategySelector(Suppliers.ofInstance(new SearchQueryConfig())),
            new SearchQueryQueryToolChest(new SearchQueryConfig()),
            UNWATCHED));
    factories.put(
        ScanQuery.class,
        new ScanQueryRunnerFactory(
            new ScanQueryQueryToolChest(DefaultGenericQueryMetricsFactory.instance()),
            new ScanQueryEngine(),
            new ScanQueryConfig()));
    factories.put(
        TimeseriesQuery.class,
        new TimeseriesQueryRunnerFactory(
            new TimeseriesQueryQueryToolChest(), new TimeseriesQueryEngine(computing), UNWATCHED));
    factories.put(
        TopNQuery.class,
        new TopNQueryRunnerFactory(
            computing, new TopNQueryQueryToolChest(new TopNQueryConfig()), UNWATCHED));
    factories.put(TimeBoundaryQuery.class, new TimeBoundaryQueryRunnerFactory(UNWATCHED));
    factories.put(
        DataSourceMetadataQuery.class,
        new DataSourceMetadataQueryRunnerFactory(
            new DataSourceQueryQueryToolChest(DefaultGenericQueryMetricsFactory.instance()),
            UNWATCHED));
    factories.put(WindowOperatorQuery.class, new WindowOperatorQueryQueryRunnerFactory());
    try {
      factories.put(GroupByQuery.class, grouping(json, smile, computing));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Druid does not know the settings of grouped queries", e);
    }
    Map<Class<? extends Query>, QueryToolChest> merges = new HashMap<>();
    factories.forEach((kind, factory) -> merges.put(kind, factory.getToolchest()));
    UnionQueryLogic union = new UnionQueryLogic();
    QueryRunnerFactoryConglomerate kinds =
        new DefaultQueryRunnerFactoryConglomerate(
            factories, merges, Map.of(UnionQuery.class, union));
    union.initialize(kinds);
    return kinds;
  }
}
