package io.uniserve.engines.olap.lookup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The table in which a cluster keeps its lookups, one in each row. So they are copied, backed up
 * and guarded as any table. A row's time is made from the name, so that one lookup can be replaced
 * as an interval of time.
 */
public final class StoredLookups {
  /** The name of the table. */
  public static final String NAME = "druid_lookups";

  /** The most text that a lookup may have: it goes with each question that names it. */
  public static final int TEXT_MAX = 4 << 20;

  private static final String TIME = "time";
  private static final String LOOKUP = "name";
  private static final String VERSION = "version";
  private static final String ONE_TO_ONE = "oneToOne";
  private static final String VALUES = "values";
  private static final int REPLICAS = 2;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The column of names, and that of versions, as queries ask for them. */
  public static final List<String> VERSIONS = List.of(LOOKUP, VERSION);

  /** All columns, as queries ask for them. */
  public static final List<String> COLUMNS = List.of(LOOKUP, VERSION, ONE_TO_ONE, VALUES);

  private StoredLookups() {}

  /** Returns the definition with which the table is made, when there is a first lookup. */
  public static TableDefinition definition() {
    return new TableDefinition(
        NAME,
        "olap",
        new Partitioner.Range(List.of()),
        REPLICAS,
        Durability.ASYNCHRONOUS,
        Map.of(
            "timestampSpec",
            Map.of("column", TIME, "format", "millis"),
            "dimensionsSpec",
            Map.of("dimensions", COLUMNS),
            "granularitySpec",
            Map.of("queryGranularity", "none", "rollup", false)));
  }

  /** Returns the time of the row of a lookup, in milliseconds since 1970. */
  public static long timeMillis(String name) {
    return PartitionKey.of(name).stableHash() >>> 23;
  }

  /**
   * Returns a lookup as a row.
   *
   * @throws UniserveException with {@link ErrorCode#TOO_LARGE} if it has too much text
   */
  public static Map<String, Object> row(Lookup lookup) {
    String values;
    try {
      values = JSON.writeValueAsString(lookup.values());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of texts cannot be written", e);
    }
    if (values.length() > TEXT_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "lookup '"
              + lookup.name()
              + "' has "
              + values.length()
              + " characters, and "
              + TEXT_MAX
              + " are the most: keep it in a table, and join that");
    }
    Map<String, Object> row = new LinkedHashMap<>();
    row.put(TIME, timeMillis(lookup.name()));
    row.put(LOOKUP, lookup.name());
    row.put(VERSION, lookup.version());
    row.put(ONE_TO_ONE, Boolean.toString(lookup.oneToOne()));
    row.put(VALUES, values);
    return row;
  }

  /** Returns the lookup of a row, whose values are in the order of {@link #COLUMNS}. */
  public static Lookup lookup(List<?> row) {
    try {
      Map<String, String> values = new LinkedHashMap<>();
      JSON.readTree((String) row.get(3))
          .properties()
          .forEach(each -> values.put(each.getKey(), each.getValue().textValue()));
      return new Lookup(
          (String) row.get(0),
          (String) row.get(1),
          Boolean.parseBoolean((String) row.get(2)),
          values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(
          "table '" + NAME + "' holds a row that is no lookup: " + row.getFirst(), e);
    }
  }
}
