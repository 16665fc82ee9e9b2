package io.uniserve.druidtests;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.OlapEngine;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.query.Answers;
import io.uniserve.engines.olap.query.AskDruid;
import io.uniserve.engines.olap.query.Cluster;
import io.uniserve.engines.olap.query.QueryRows;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.rows.OlapSchema;
import io.uniserve.engines.olap.storage.OlapActor;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.TimestampSpec;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexIndexableAdapter;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.NumericColumn;
import org.apache.druid.server.SpecificSegmentsQuerySegmentWalker;
import org.apache.druid.timeline.DataSegment;

/**
 * Tables of the segments that a test of Druid's has made. A table is made when it is first asked:
 * each of its actors is opened from all segments, and then keeps the rows that are its own, as a
 * new actor does after a split. Actors are intervals of time with about as many rows each; so the
 * rows are in the order in which one segment would have them.
 */
final class SuiteTables implements Cluster, AutoCloseable {
  private final int actors;
  private final Path directory;
  private final Map<String, List<QueryableIndex>> segments = new HashMap<>();
  private final Map<String, LocalTable<OlapActor>> tables = new HashMap<>();

  SuiteTables(int actors, Path directory) {
    this.actors = actors;
    this.directory = directory;
  }

  /** Notes the segments of the tables. */
  void use(SpecificSegmentsQuerySegmentWalker tested) {
    for (DataSegment each : tested.getSegments()) {
      QueryableIndex index = tested.getSegment(each.getId()).getSegment().as(QueryableIndex.class);
      if (index != null) { // some are in memory alone
        segments.computeIfAbsent(each.getDataSource(), name -> new ArrayList<>()).add(index);
      }
    }
  }

  @Override
  public List<List<QueryRows>> ask(String table, Keys keys, AskDruid question, Duration timeout) {
    if (!segments.containsKey(table)) {
      throw new UniserveException(ErrorCode.NOT_FOUND, "there is no table '" + table + "'");
    }
    LocalTable<OlapActor> asked = tables.computeIfAbsent(table, this::make);
    return asked.query(
        new Plan.Query<>(Source.table(asked.definition().name(), keys), question, Answers::new));
  }

  private LocalTable<OlapActor> make(String name) {
    try {
      TableDefinition definition = definition("t" + tables.size(), segments.get(name));
      Path serialized = directory.resolve(definition.name()).resolve("serialized");
      for (int actor = 0; actor < actors; actor++) {
        write(
            definition,
            segments.get(name),
            Files.createDirectories(LocalTable.directoryOf(serialized, actor)));
      }
      LocalTable<OlapActor> table =
          LocalTable.deserialize(
              new OlapEngine(),
              definition,
              serialized,
              directory.resolve(definition.name()).resolve("actors"));
      table.retain();
      return table;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes an actor that holds all segments. */
  private static void write(
      TableDefinition definition, List<QueryableIndex> segments, Path directory)
      throws IOException {
    OlapSchema schema = OlapSchema.of(definition);
    List<Long> numbers = new ArrayList<>();
    for (QueryableIndex segment : segments) {
      long number = numbers.size();
      numbers.add(number);
      Path files =
          Files.createDirectories(directory.resolve("segments").resolve(Long.toString(number)));
      Druid.get()
          .merger()
          .merge(
              List.of(new QueryableIndexIndexableAdapter(segment)),
              false,
              schema.druid().getAggregators(),
              files.toFile(),
              schema.druid().getDimensionsSpec(),
              IndexSpec.DEFAULT,
              IndexMerger.UNLIMITED_MAX_COLUMNS_TO_MERGE);
    }
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("version", 1);
    state.put("next", numbers.size());
    state.put("segments", numbers);
    state.put("parts", List.of());
    Files.write(directory.resolve("datasource"), Druid.get().smile().writeValueAsBytes(state));
  }

  private TableDefinition definition(String name, List<QueryableIndex> segments)
      throws IOException {
    Map<String, DimensionSchema> dimensions = new LinkedHashMap<>();
    Map<String, AggregatorFactory> metrics = new LinkedHashMap<>();
    for (QueryableIndex segment : segments) {
      for (String dimension : segment.getAvailableDimensions()) {
        dimensions.putIfAbsent(
            dimension,
            segment.getColumnHolder(dimension).getColumnFormat().getColumnSchema(dimension));
      }
      AggregatorFactory[] its =
          segment.getMetadata() == null ? null : segment.getMetadata().getAggregators();
      for (AggregatorFactory metric : its == null ? new AggregatorFactory[0] : its) {
        metrics.putIfAbsent(metric.getName(), metric);
      }
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("timestampSpec", new TimestampSpec(ColumnHolder.TIME_COLUMN_NAME, "millis", null));
    schema.put("dimensionsSpec", new DimensionsSpec(List.copyOf(dimensions.values())));
    schema.put("metricsSpec", metrics.values().toArray(AggregatorFactory[]::new));
    schema.put("granularitySpec", Map.of("queryGranularity", "none", "rollup", false));
    return new TableDefinition(
        name, OlapEngine.NAME, partitioner(segments), 1, Durability.NONE, document(schema));
  }

  private static Map<String, Object> document(Map<String, Object> schema) throws IOException {
    return Druid.get()
        .json()
        .readerFor(new TypeReference<Map<String, Object>>() {})
        .with(DeserializationFeature.USE_LONG_FOR_INTS)
        .readValue(Druid.get().json().writeValueAsBytes(schema));
  }

  /** Returns ranges of about as many rows each. The rows of one moment are divided by hash. */
  private Partitioner partitioner(List<QueryableIndex> segments) throws IOException {
    long[] times = times(segments);
    List<PartitionKey> splits = new ArrayList<>();
    for (int i = 1; i < actors; i++) {
      double place = (double) i * times.length / actors;
      long time = times[(int) place];
      long before = Arrays.stream(times).filter(each -> each < time).count();
      long same = Arrays.stream(times).filter(each -> each == time).count();
      long hash = (long) ((place - before) / same * 0x1p63) << 1;
      splits.add(OlapRow.key(time, hash));
    }
    return new Partitioner.Range(splits);
  }

  private static long[] times(List<QueryableIndex> segments) throws IOException {
    List<Long> times = new ArrayList<>();
    for (QueryableIndex segment : segments) {
      try (NumericColumn column =
          (NumericColumn) segment.getColumnHolder(ColumnHolder.TIME_COLUMN_NAME).getColumn()) {
        for (int row = 0; row < segment.getNumRows(); row++) {
          times.add(column.getLongSingleValueRow(row));
        }
      }
    }
    return times.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  @Override
  public void close() {
    tables.values().forEach(LocalTable::close);
    tables.clear();
  }
}
