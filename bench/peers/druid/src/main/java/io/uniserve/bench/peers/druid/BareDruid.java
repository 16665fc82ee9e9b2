package io.uniserve.bench.peers.druid;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Suppliers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.druid.collections.BlockingPool;
import org.apache.druid.collections.DefaultBlockingPool;
import org.apache.druid.collections.StupidPool;
import org.apache.druid.jackson.DefaultObjectMapper;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.math.expr.ExpressionProcessing;
import org.apache.druid.query.DruidProcessingConfig;
import org.apache.druid.query.FinalizeResultsQueryRunner;
import org.apache.druid.query.ForwardingQueryProcessingPool;
import org.apache.druid.query.Query;
import org.apache.druid.query.QueryContexts;
import org.apache.druid.query.QueryPlus;
import org.apache.druid.query.QueryRunner;
import org.apache.druid.query.QueryRunnerFactory;
import org.apache.druid.query.QueryToolChest;
import org.apache.druid.query.QueryWatcher;
import org.apache.druid.query.context.ResponseContext;
import org.apache.druid.query.groupby.GroupByQueryConfig;
import org.apache.druid.query.groupby.GroupByQueryQueryToolChest;
import org.apache.druid.query.groupby.GroupByQueryRunnerFactory;
import org.apache.druid.query.groupby.GroupByResourcesReservationPool;
import org.apache.druid.query.groupby.GroupByStatsProvider;
import org.apache.druid.query.groupby.GroupingEngine;
import org.apache.druid.query.timeseries.TimeseriesQuery;
import org.apache.druid.query.timeseries.TimeseriesQueryEngine;
import org.apache.druid.query.timeseries.TimeseriesQueryQueryToolChest;
import org.apache.druid.query.timeseries.TimeseriesQueryRunnerFactory;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.timeline.SegmentId;
import org.joda.time.Interval;

/**
 * Druid's engine alone: the segments that a server of Druid has loaded, in one process without any
 * server, queried with two threads. It speaks the protocol of the benchmark's other processes, with
 * a native query in the place of SQL, and gives the results as JSON in one cell.
 */
public final class BareDruid {
  private static final int THREADS = 2;
  private static final int BUFFER_BYTES = 256 << 20;

  private final ObjectMapper json = new DefaultObjectMapper();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final ForwardingQueryProcessingPool pool = new ForwardingQueryProcessingPool(threads);
  private final List<QueryableIndexSegment> segments = new ArrayList<>();
  private final Map<Class<?>, QueryRunnerFactory<?, ?>> kinds = new HashMap<>();

  private BareDruid(Path directory) throws IOException {
    ExpressionProcessing.initializeForTests();
    json.setInjectableValues(
        new InjectableValues.Std().addValue(ExprMacroTable.class, ExprMacroTable.nil()));
    kinds.put(TimeseriesQuery.class, timeseries());
    kinds.put(org.apache.druid.query.groupby.GroupByQuery.class, grouping());
    IndexIO files = new IndexIO(json, ColumnConfig.DEFAULT);
    try (Stream<Path> all = Files.walk(directory)) {
      List<Path> found =
          all.filter(file -> file.getFileName().toString().equals("version.bin")).sorted().toList();
      for (Path file : found) {
        var index = files.loadIndex(file.getParent().toFile());
        segments.add(
            new QueryableIndexSegment(
                index, SegmentId.of("bare", index.getDataInterval(), "1", segments.size())));
      }
    }
  }

  private static QueryRunnerFactory<?, ?> timeseries() {
    StupidPool<ByteBuffer> computing =
        new StupidPool<>("computing", () -> ByteBuffer.allocateDirect(BUFFER_BYTES));
    QueryWatcher unwatched = (query, future) -> {};
    return new TimeseriesQueryRunnerFactory(
        new TimeseriesQueryQueryToolChest(), new TimeseriesQueryEngine(computing), unwatched);
  }

  private QueryRunnerFactory<?, ?> grouping() throws IOException {
    GroupByQueryConfig config = json.readValue("{}", GroupByQueryConfig.class);
    BlockingPool<ByteBuffer> merging =
        new DefaultBlockingPool<>(() -> ByteBuffer.allocateDirect(BUFFER_BYTES), 2);
    StupidPool<ByteBuffer> computing =
        new StupidPool<>("computing", () -> ByteBuffer.allocateDirect(BUFFER_BYTES));
    GroupByResourcesReservationPool reservations =
        new GroupByResourcesReservationPool(merging, config);
    GroupByStatsProvider statistics = new GroupByStatsProvider();
    DruidProcessingConfig processing =
        new DruidProcessingConfig() {
          @Override
          public int intermediateComputeSizeBytes() {
            return BUFFER_BYTES;
          }

          @Override
          public int getNumMergeBuffers() {
            return 2;
          }

          @Override
          public int getNumThreads() {
            return THREADS;
          }
        };
    GroupingEngine engine =
        new GroupingEngine(
            processing,
            Suppliers.ofInstance(config),
            reservations,
            json,
            json,
            (query, future) -> {},
            statistics);
    return new GroupByQueryRunnerFactory(
        engine, new GroupByQueryQueryToolChest(engine, reservations, statistics), computing);
  }

  private long rows() {
    return segments.stream().mapToLong(segment -> segment.asQueryableIndex().getNumRows()).sum();
  }

  @SuppressWarnings("unchecked") // a query's class says which factory is its own
  private <T> List<T> results(Query<T> asked) {
    Query<T> query =
        asked
            .withId(UUID.randomUUID().toString())
            .withOverriddenContext(
                Map.of(QueryContexts.QUERY_RESOURCE_ID, UUID.randomUUID().toString()));
    QueryRunnerFactory<T, Query<T>> kind =
        (QueryRunnerFactory<T, Query<T>>) kinds.get(query.getClass());
    QueryToolChest<T, Query<T>> merge = kind.getToolchest();
    List<QueryRunner<T>> runners = new ArrayList<>();
    for (QueryableIndexSegment segment : segments) {
      Interval its = segment.getDataInterval();
      if (query.getIntervals().stream().anyMatch(interval -> interval.overlaps(its))) {
        runners.add(kind.createRunner(segment));
      }
    }
    QueryRunner<T> runner =
        merge.postMergeQueryDecoration(
            new FinalizeResultsQueryRunner<>(
                merge.mergeResults(kind.mergeRunners(pool, runners), true), merge));
    return runner.run(QueryPlus.wrap(query), ResponseContext.createEmpty()).toList();
  }

  private <T> String answer(Query<T> query) throws IOException {
    @SuppressWarnings("unchecked") // a query's class says which factory is its own
    QueryToolChest<T, Query<T>> merge =
        ((QueryRunnerFactory<T, Query<T>>) kinds.get(query.getClass())).getToolchest();
    return merge.decorateObjectMapper(json, query).writeValueAsString(results(query));
  }

  private Map<String, Object> obey(JsonNode command) throws IOException {
    Query<Object> query =
        json.readValue(command.get("sql").asText(), new TypeReference<Query<Object>>() {});
    if (command.get("do").asText().equals("answer")) {
      return Map.of("rows", List.of(List.of(answer(query))));
    }
    long end = System.nanoTime() + command.get("millis").asLong() * 1_000_000;
    List<Long> nanos = new ArrayList<>();
    do {
      long began = System.nanoTime();
      results(query);
      nanos.add(System.nanoTime() - began);
    } while (System.nanoTime() < end);
    return Map.of("nanos", nanos);
  }

  /**
   * @param arguments the directory in which a server of Druid keeps its segments
   */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = System.out;
    System.setOut(System.err);
    long began = System.nanoTime();
    BareDruid druid = new BareDruid(Path.of(arguments[0]));
    ObjectMapper json = new ObjectMapper();
    out.println(
        json.writeValueAsString(
            Map.of(
                "rows",
                druid.rows(),
                "nanos",
                System.nanoTime() - began,
                "pid",
                ProcessHandle.current().pid())));
    out.flush();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      Map<String, Object> answer;
      try {
        answer = druid.obey(json.readTree(line));
      } catch (IOException | RuntimeException e) {
        e.printStackTrace();
        answer = Map.of("error", String.valueOf(e.getMessage()));
      }
      out.println(json.writeValueAsString(answer));
      out.flush();
    }
    druid.threads.shutdownNow();
  }
}
