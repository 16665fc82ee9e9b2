package io.uniserve.engines.olap.rows;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.druid.Druid;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.druid.data.input.ColumnsFilter;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.InputRowSchema;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.Rows;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.MapInputRowParser;
import org.apache.druid.java.util.common.JodaUtils;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.apache.druid.java.util.common.parsers.ParseException;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.apache.druid.segment.indexing.DataSchema;
import org.apache.druid.segment.transform.Transformer;

/**
 * The schema of a datasource, as Druid's {@code dataSchema} writes it: {@code timestampSpec},
 * {@code dimensionsSpec}, {@code metricsSpec}, {@code granularitySpec} and {@code transformSpec}.
 * Two more settings are Uniserve's: {@value #ROWS_IN_MEMORY}, and {@value #SEGMENTS_OF_A_SIZE}.
 */
public final class OlapSchema {
  /** The setting of how many rows an actor holds in memory before it writes a segment. */
  static final String ROWS_IN_MEMORY = "maxRowsInMemory";

  /** The setting of how many segments of about one size an actor holds before it merges them. */
  static final String SEGMENTS_OF_A_SIZE = "segmentsPerSize";

  private static final long ROWS_IN_MEMORY_DEFAULT = 75_000;
  private static final long SEGMENTS_OF_A_SIZE_DEFAULT = 8;

  private static final Set<String> PARTS =
      Set.of(
          "timestampSpec",
          "dimensionsSpec",
          "metricsSpec",
          "granularitySpec",
          "transformSpec",
          ROWS_IN_MEMORY,
          SEGMENTS_OF_A_SIZE);

  private final String table;
  private final DataSchema schema;
  private final InputRowSchema rows;
  private final Set<String> metrics = new TreeSet<>();
  private final Transformer transformer;
  private final DimensionHash hash;
  private final int rowsInMemory;
  private final int segmentsOfASize;

  private OlapSchema(String table, DataSchema schema, int rowsInMemory, int segmentsOfASize) {
    this.table = table;
    this.schema = schema;
    this.rowsInMemory = rowsInMemory;
    this.segmentsOfASize = segmentsOfASize;
    for (AggregatorFactory metric : schema.getAggregators()) {
      metrics.add(metric.getName());
    }
    rows =
        new InputRowSchema(
            schema.getTimestampSpec(), schema.getDimensionsSpec(), ColumnsFilter.all(), metrics);
    transformer = schema.getTransformSpec().toTransformer();
    hash = new DimensionHash(schema.getDimensionsSpec());
  }

  /**
   * Reads the schema of a table.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} naming
   *     the part that is wrong
   */
  public static OlapSchema of(TableDefinition table) {
    Map<String, Object> document = new LinkedHashMap<>(table.schema());
    for (String part : document.keySet()) {
      if (!PARTS.contains(part)) {
        throw invalid(table, "has no part '" + Excerpt.of(part) + "'; there are " + parts());
      }
    }
    int inMemory = number(table, document, ROWS_IN_MEMORY, ROWS_IN_MEMORY_DEFAULT);
    int ofASize = number(table, document, SEGMENTS_OF_A_SIZE, SEGMENTS_OF_A_SIZE_DEFAULT);
    document.put("dataSource", table.name());
    document.putIfAbsent("timestampSpec", Map.of("column", "timestamp", "format", "auto"));
    document.putIfAbsent("dimensionsSpec", Map.of());
    ObjectMapper json = Druid.get().json();
    DataSchema schema;
    try {
      schema = json.convertValue(document, DataSchema.class);
    } catch (IllegalArgumentException e) {
      Throwable origin = e.getCause() == null ? e : e.getCause();
      throw invalid(table, "is none of Druid: " + firstLine(origin.getMessage()));
    }
    if (!schema.getDimensionsSpec().isForceSegmentSortByTime()) {
      throw invalid(table, "sorts segments otherwise than by time, which is not supported");
    }
    return new OlapSchema(table.name(), schema, inMemory, ofASize);
  }

  private static UniserveException invalid(TableDefinition table, String what) {
    return UniserveException.invalid("the schema of table '" + table.name() + "' " + what);
  }

  private static List<String> parts() {
    return PARTS.stream().sorted().toList();
  }

  private static String firstLine(String text) {
    return String.valueOf(text).lines().findFirst().orElse("");
  }

  private static int number(
      TableDefinition table, Map<String, Object> document, String name, long otherwise) {
    Object given = document.remove(name);
    if (given == null) {
      return (int) otherwise;
    }
    if (!(given instanceof Long number) || number < 2 || number > Integer.MAX_VALUE) {
      throw invalid(
          table, "has " + name + " " + Excerpt.of(given) + ", which is no number of at least 2");
    }
    return number.intValue();
  }

  /** Returns the number of rows that an actor holds in memory before it writes a segment. */
  public int rowsInMemory() {
    return rowsInMemory;
  }

  /** Returns the number of segments of about one size that an actor merges into one. */
  public int segmentsOfASize() {
    return segmentsOfASize;
  }

  /** Returns the schema as Druid has it. */
  public DataSchema druid() {
    return schema;
  }

  /** Returns whether rows with equal dimensions of one time are made one. */
  public boolean rollsUp() {
    return schema.getGranularitySpec().isRollup();
  }

  /** Returns whether a column is a metric. */
  public boolean isMetric(String name) {
    return metrics.contains(name);
  }

  /** Returns the names of the columns, the time first; none if they follow from the data. */
  public List<String> columns() {
    DimensionsSpec dimensions = schema.getDimensionsSpec();
    if (!dimensions.hasFixedDimensions() || dimensions.isIncludeAllDimensions()) {
      return List.of();
    }
    List<String> columns = new ArrayList<>(List.of(ColumnHolder.TIME_COLUMN_NAME));
    columns.addAll(dimensions.getDimensionNames());
    for (AggregatorFactory metric : schema.getAggregators()) {
      columns.add(metric.getName());
    }
    return columns;
  }

  /** Returns the granularity to which times are cut. */
  public Granularity queryGranularity() {
    return schema.getGranularitySpec().getQueryGranularity();
  }

  /** Returns an empty index in memory. */
  public IncrementalIndex index() {
    return new OnheapIncrementalIndex.Builder()
        .setIndexSchema(
            new IncrementalIndexSchema.Builder()
                .withMinTimestamp(JodaUtils.MIN_INSTANT)
                .withTimestampSpec(schema.getTimestampSpec())
                .withQueryGranularity(queryGranularity())
                .withDimensionsSpec(schema.getDimensionsSpec())
                .withMetrics(schema.getAggregators())
                .withRollup(rollsUp())
                .build())
        .setMaxRowCount(Integer.MAX_VALUE)
        .build();
  }

  /**
   * Makes a row from what a user sent.
   *
   * @return the row, or empty if the schema's filter leaves it out
   * @throws UniserveException naming the field that is wrong
   */
  public Optional<OlapRow> row(Map<String, Object> given) {
    Map<String, Object> values = new LinkedHashMap<>();
    given.forEach((name, value) -> values.put(name, storable(value)));
    try {
      InputRow parsed = transformer.transform(MapInputRowParser.parse(rows, values));
      if (parsed == null) {
        return Optional.empty();
      }
      schema
          .getTransformSpec()
          .getTransforms()
          .forEach(each -> values.put(each.getName(), plain(parsed.getRaw(each.getName()))));
      long time = parsed.getTimestampFromEpoch();
      checkMetrics(values);
      return Optional.of(new OlapRow(cut(time), hash(values), time, values));
    } catch (ParseException e) {
      throw UniserveException.invalid("table '" + table + "': " + firstLine(e.getMessage()));
    }
  }

  /** Returns a time cut to the query granularity. */
  public long cut(long timeMillis) {
    return queryGranularity().bucketStart(timeMillis);
  }

  /** Returns the hash of a stored row's dimensions. */
  public long hash(List<String> dimensions, Map<String, Object> values) {
    return hash.of(dimensions, values);
  }

  /**
   * Checks a row that another process has made.
   *
   * @throws UniserveException naming the field that is wrong
   */
  public void check(OlapRow row) {
    try {
      checkMetrics(row.values());
      if (row.keyMillis() != cut(row.timeMillis()) || row.hash() != hash(row.values())) {
        throw UniserveException.invalid(
            "table '" + table + "': the key of a row is not made from its time and dimensions");
      }
    } catch (ParseException e) {
      throw UniserveException.invalid("table '" + table + "': " + firstLine(e.getMessage()));
    }
  }

  /**
   * Checks the values that metrics are made of.
   *
   * @throws ParseException naming a field that is no number where one is needed
   */
  private void checkMetrics(Map<String, Object> values) {
    for (AggregatorFactory metric : schema.getAggregators()) {
      List<String> fields = metric.requiredFields();
      if (fields.size() == 1 && metric.getIntermediateType().isNumeric()) {
        Object value = values.get(fields.getFirst());
        if (!(value == null || value instanceof Boolean)) {
          Rows.objectToNumber(
              fields.getFirst(), value, metric.getIntermediateType().getType(), true);
        }
      }
    }
  }

  private List<String> dimensions(Map<String, Object> values) {
    return MapInputRowParser.findDimensions(
        rows.getTimestampSpec(), rows.getDimensionsSpec(), values.keySet());
  }

  private long hash(Map<String, Object> values) {
    return hash.of(dimensions(values), values);
  }

  /** Returns a row in the form that Druid indexes. */
  public InputRow input(OlapRow row) {
    return new MapBasedInputRow(row.timeMillis(), dimensions(row.values()), row.values());
  }

  /** Returns a value that a record can hold: a number with more digits becomes its text. */
  private static Object storable(Object value) {
    return switch (value) {
      case BigInteger number -> number.toString();
      case BigDecimal number -> number.toString();
      case List<?> list -> list.stream().map(OlapSchema::storable).toList();
      case Map<?, ?> object -> {
        Map<String, Object> storable = new LinkedHashMap<>();
        object.forEach((name, part) -> storable.put((String) name, storable(part)));
        yield storable;
      }
      case null, default -> value;
    };
  }

  /** Returns the result of a transform as a value that a record can hold. */
  private static Object plain(Object value) {
    return switch (value) {
      case null -> null;
      case Integer number -> number.longValue();
      case Float number -> number.doubleValue();
      case Object[] array -> java.util.Arrays.stream(array).map(OlapSchema::plain).toList();
      case List<?> list -> list.stream().map(OlapSchema::plain).toList();
      case Long number -> number;
      case Double number -> number;
      case Boolean truth -> truth;
      default -> value.toString();
    };
  }
}
