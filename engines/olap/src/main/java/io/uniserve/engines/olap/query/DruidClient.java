package io.uniserve.engines.olap.query;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.lookup.Lookup;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.druid.client.cache.CacheConfig;
import org.apache.druid.java.util.common.guava.Sequence;
import org.apache.druid.java.util.emitter.core.NoopEmitter;
import org.apache.druid.java.util.emitter.service.ServiceEmitter;
import org.apache.druid.query.FrameBasedInlineDataSource;
import org.apache.druid.query.InlineDataSource;
import org.apache.druid.query.LookupDataSource;
import org.apache.druid.query.Query;
import org.apache.druid.query.QueryContext;
import org.apache.druid.query.QueryPlus;
import org.apache.druid.query.QuerySegmentWalker;
import org.apache.druid.query.RetryQueryRunnerConfig;
import org.apache.druid.query.context.ResponseContext;
import org.apache.druid.query.lookup.LookupExtractorFactoryContainerProvider;
import org.apache.druid.segment.FrameBasedInlineSegmentWrangler;
import org.apache.druid.segment.InlineSegmentWrangler;
import org.apache.druid.segment.LookupSegmentWrangler;
import org.apache.druid.segment.MapSegmentWrangler;
import org.apache.druid.segment.join.JoinableFactory;
import org.apache.druid.segment.join.JoinableFactoryWrapper;
import org.apache.druid.server.ClientQuerySegmentWalker;
import org.apache.druid.server.LocalQuerySegmentWalker;
import org.apache.druid.server.QueryScheduler;
import org.apache.druid.server.SubqueryGuardrailHelper;
import org.apache.druid.server.initialization.ServerConfig;
import org.apache.druid.server.metrics.SubqueryCountStatsProvider;
import org.apache.druid.server.scheduling.ManualQueryPrioritizationStrategy;
import org.apache.druid.server.scheduling.NoQueryLaningStrategy;
import org.joda.time.DateTime;

/**
 * The part of Druid that answers queries from the answers of servers: it runs sub-queries first and
 * puts their rows in their place, merges, and computes what comes after merging. Uniserve's actors
 * stand where Druid has its servers.
 */
public final class DruidClient {
  /** Druid's own measurements are not kept: the runtime measures. */
  private static final ServiceEmitter SILENT =
      new ServiceEmitter("olap", "localhost", new NoopEmitter());

  /** The bound of rows that sub-queries give; made once, since it is logged. */
  private static final SubqueryGuardrailHelper GUARDRAIL =
      new SubqueryGuardrailHelper(
          Druid.get().injector().getInstance(LookupExtractorFactoryContainerProvider.class),
          Runtime.getRuntime().maxMemory(),
          1);

  private final QuerySegmentWalker walker;

  /** Makes a client that asks actors. */
  public DruidClient(Cluster cluster) {
    Druid druid = Druid.get();
    JoinableFactory joins = druid.injector().getInstance(JoinableFactory.class);
    ServerConfig config = new ServerConfig();
    QueryScheduler scheduler =
        new QueryScheduler(
            0, ManualQueryPrioritizationStrategy.INSTANCE, new NoQueryLaningStrategy(), config);
    walker =
        new ClientQuerySegmentWalker(
            SILENT,
            new ClusterWalker(cluster),
            new LocalQuerySegmentWalker(
                druid.clientKinds(),
                new MapSegmentWrangler(
                    Map.of(
                        InlineDataSource.class,
                        new InlineSegmentWrangler(),
                        FrameBasedInlineDataSource.class,
                        new FrameBasedInlineSegmentWrangler(),
                        LookupDataSource.class,
                        new LookupSegmentWrangler(druid.lookups()))),
                new JoinableFactoryWrapper(joins),
                scheduler,
                SILENT),
            druid.clientKinds(),
            joins,
            new RetryQueryRunnerConfig(),
            druid.json(),
            config,
            null,
            new CacheConfig(),
            GUARDRAIL,
            new SubqueryCountStatsProvider());
  }

  /** Returns the walker, which runs queries of all kinds. */
  public QuerySegmentWalker walker() {
    return walker;
  }

  /** Reads the cluster's lookups, if a statement of SQL calls the function. */
  public void readLookups(String statement) {
    if (LookupReader.calls(statement)) {
      readLookups();
    }
  }

  /** Reads the cluster's lookups. */
  public void readLookups() {
    new LookupReader(this).read();
  }

  /** Reads the cluster's lookups, if a query uses some. */
  public void readLookups(Query<?> query) {
    if (LookupReader.uses(Druid.get().json().valueToTree(query))) {
      readLookups();
    }
  }

  /** Returns the cluster's lookups as they are now. */
  public List<Lookup> lookups() {
    return new LookupReader(this).all();
  }

  /** Runs a query. Its results are computed as they are read. */
  public <T> Sequence<T> run(Query<T> query) {
    Query<T> named = query.getId() == null ? query.withId(UUID.randomUUID().toString()) : query;
    return QueryPlus.wrap(named).run(walker, ResponseContext.createEmpty());
  }

  /** Returns the mapper that writes results of a query. */
  public static ObjectMapper mapper(Query<?> query) {
    return decorated(query);
  }

  private static <T> ObjectMapper decorated(Query<T> query) {
    QueryContext context = query.context();
    boolean timesAreNumbers =
        context.isSerializeDateTimeAsLong(false)
            || !context.isFinalize(true) && context.isSerializeDateTimeAsLongInner(false);
    return Druid.get()
        .clientKinds()
        .getToolChest(query)
        .decorateObjectMapper(timesAreNumbers ? NumericTimes.JSON : Druid.get().json(), query);
  }

  /** The mapper that writes times in milliseconds since 1970, made when it is first needed. */
  private static final class NumericTimes extends JsonSerializer<DateTime> {
    static final ObjectMapper JSON =
        Druid.get()
            .json()
            .copy()
            .registerModule(
                new SimpleModule("numeric times")
                    .addSerializer(DateTime.class, new NumericTimes()));

    @Override
    public void serialize(DateTime time, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeNumber(time.getMillis());
    }
  }
}
