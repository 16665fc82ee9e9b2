package io.uniserve.gateways.druid;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.OlapEngine;
import io.uniserve.engines.olap.OlapPlanner;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.TableState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.Query;
import org.apache.druid.query.TableDataSource;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.scan.ScanQuery;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.indexing.DataSchema;
import org.joda.time.Interval;

/**
 * A large native scan query as a scan of the runtime: pages are fetched ahead within a bound and
 * written as they come, however much there is. It gives rows without an order of their own.
 */
final class StreamedScan {
  /** A query for fewer rows is run as others are: actors stop at its limit. */
  private static final long ROWS_MIN = 10_000;

  private static final long TIMEOUT_MILLIS = Duration.ofMinutes(5).toMillis();

  private final UniserveClient client;
  private final ScanQuery query;
  private final boolean compact;
  private final long endNanos;
  private long left;

  private StreamedScan(UniserveClient client, ScanQuery query) {
    this.client = client;
    this.query = query;
    compact = query.getResultFormat() == ScanQuery.ResultFormat.RESULT_FORMAT_COMPACTED_LIST;
    left = query.getScanRowsLimit();
    Duration timeout = Duration.ofMillis(query.context().getTimeout(TIMEOUT_MILLIS));
    endNanos = System.nanoTime() + (timeout.isZero() ? Duration.ofDays(1) : timeout).toNanos();
  }

  /** Returns the scan that a query is, if it is one that can be streamed. */
  static Optional<StreamedScan> of(UniserveClient client, Query<?> query) {
    return query instanceof ScanQuery scan && isStreamed(scan) && hasColumns(client, scan)
        ? Optional.of(new StreamedScan(client, scan))
        : Optional.empty();
  }

  private static boolean isStreamed(ScanQuery scan) {
    return scan.getDataSource() instanceof TableDataSource
        && scan.getOrderBys().isEmpty()
        && scan.getVirtualColumns().isEmpty()
        && scan.getScanRowsOffset() == 0
        && scan.getScanRowsLimit() > ROWS_MIN
        && scan.getIntervals().size() == 1
        && scan.getIntervals().getFirst().toDurationMillis() > 0
        && scan.getResultFormat() != ScanQuery.ResultFormat.RESULT_FORMAT_VALUE_VECTOR;
  }

  /** Returns whether the table's schema names all columns that are asked for, or all that are. */
  private static boolean hasColumns(UniserveClient client, ScanQuery scan) {
    return client
        .table(table(scan))
        .map(TableState::definition)
        .filter(table -> table.engine().equals(OlapEngine.NAME))
        .map(table -> OlapPlanner.schema(table).columns())
        .filter(columns -> !columns.isEmpty())
        .filter(columns -> scan.getColumns() == null || columns.containsAll(scan.getColumns()))
        .isPresent();
  }

  private static String table(ScanQuery scan) {
    return ((TableDataSource) scan.getDataSource()).getName();
  }

  /** The way to where results are written, which begins once the first of them is there. */
  @FunctionalInterface
  interface Begin {
    /** Begins. */
    JsonGenerator begin() throws IOException;
  }

  /** Writes all results. */
  void write(Begin output) throws IOException {
    Map<String, String> types = types();
    ScanPlan plan = plan();
    try (Scan scan = client.queries().scan(plan, ScanOptions.DEFAULT.withPatience(remaining()))) {
      Optional<List<ByteBuffer>> blocks = scan.nextBlocks();
      JsonGenerator out = output.begin();
      out.writeStartArray();
      while (blocks.isPresent() && left > 0) {
        for (ByteBuffer block : blocks.get()) {
          write(block, plan, types, out);
        }
        remaining();
        blocks = scan.nextBlocks();
      }
      out.writeEndArray();
      out.close();
    }
  }

  private ScanPlan plan() throws JsonProcessingException {
    Interval interval = query.getIntervals().getFirst();
    DimFilter filter = query.getFilter();
    Optional<String> where =
        filter == null
            ? Optional.empty()
            : Optional.of(Druid.get().json().writeValueAsString(filter));
    return new OlapPlanner()
        .scan(
            definition(),
            new ScanRequest(
                Optional.empty(),
                Optional.of(interval.getStart().toString()),
                Optional.of(interval.getEnd().toString()),
                where,
                query.getColumns() == null ? List.of() : query.getColumns()));
  }

  private TableDefinition definition() {
    return client.table(table(query)).orElseThrow().definition();
  }

  private Duration remaining() {
    long nanos = endNanos - System.nanoTime();
    if (nanos <= 0) {
      throw new UniserveException(ErrorCode.DEADLINE_EXCEEDED, "the query has timed out");
    }
    return Duration.ofNanos(nanos);
  }

  private void write(ByteBuffer block, ScanPlan plan, Map<String, String> types, JsonGenerator out)
      throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    plan.reader()
        .read(
            block,
            row -> {
              if (left > 0) {
                left--;
                row.computeIfPresent(
                    ColumnHolder.TIME_COLUMN_NAME,
                    (name, time) -> DateTimes.of((String) time).getMillis());
                rows.add(row);
              }
            });
    int from = 0;
    while (from < rows.size()) {
      List<String> columns = List.copyOf(rows.get(from).keySet());
      int to = from + 1;
      while (to < rows.size() && columns.equals(List.copyOf(rows.get(to).keySet()))) {
        to++;
      }
      write(columns, rows.subList(from, to), types, out);
      from = to;
    }
  }

  /** Writes rows with equal columns as one of Druid's batches. */
  private void write(
      List<String> columns,
      List<Map<String, Object>> rows,
      Map<String, String> types,
      JsonGenerator out)
      throws IOException {
    Map<String, Object> batch = new LinkedHashMap<>();
    batch.put("segmentId", table(query));
    batch.put("columns", columns);
    batch.put(
        "events",
        compact ? rows.stream().map(row -> new ArrayList<>(row.values())).toList() : rows);
    List<Map<String, String>> signature = new ArrayList<>();
    for (String column : columns) {
      Map<String, String> one = new LinkedHashMap<>();
      one.put("name", column);
      if (types.containsKey(column)) {
        one.put("type", types.get(column));
      }
      signature.add(one);
    }
    batch.put("rowSignature", signature);
    Druid.get().json().writeValue(out, batch);
  }

  /** Returns the types of the columns that the table's schema names. */
  private Map<String, String> types() {
    DataSchema schema = OlapPlanner.schema(definition()).druid();
    Map<String, String> types = new LinkedHashMap<>();
    types.put(ColumnHolder.TIME_COLUMN_NAME, "LONG");
    for (DimensionSchema dimension : schema.getDimensionsSpec().getDimensions()) {
      types.put(dimension.getName(), dimension.getColumnType().asTypeString());
    }
    for (AggregatorFactory metric : schema.getAggregators()) {
      types.put(metric.getName(), metric.getIntermediateType().asTypeString());
    }
    return types;
  }
}
