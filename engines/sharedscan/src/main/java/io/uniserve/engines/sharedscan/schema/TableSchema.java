package io.uniserve.engines.sharedscan.schema;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The columns of a table, as {@code {"columns": {NAME: TYPE}, "partitionBy": NAME}}. The value of
 * one column decides in which actor a record is. Several records may have the same.
 */
public final class TableSchema {
  /** The most columns. */
  public static final int COLUMNS_MAX = 500;

  private static final String COLUMNS = "columns";
  private static final String PARTITION_BY = "partitionBy";
  private static final int KNOWN_MAX = 1000;
  private static final Map<String, Known> KNOWN = new ConcurrentHashMap<>();

  /** A schema that was read, since reading takes longer than planning a query. */
  private record Known(Map<String, Object> document, TableSchema schema) {}

  private final List<Column> columns;
  private final int partitionBy;
  private final Map<String, Integer> places = new HashMap<>();

  private TableSchema(List<Column> columns, String partitionBy) {
    this.columns = List.copyOf(columns);
    for (int i = 0; i < columns.size(); i++) {
      places.put(columns.get(i).name(), i);
    }
    this.partitionBy = require(partitionBy);
    if (columns.get(this.partitionBy).nullable()) {
      throw UniserveException.invalid(
          "column '" + partitionBy + "' decides where a record is, so it must be not null");
    }
  }

  /**
   * Returns the schema of a table.
   *
   * @throws UniserveException naming what is wrong
   */
  public static TableSchema of(TableDefinition table) {
    Known known = KNOWN.get(table.name());
    if (known == null || known.document != table.schema()) {
      if (KNOWN.size() >= KNOWN_MAX) {
        KNOWN.clear();
      }
      known = new Known(table.schema(), of(table.schema()));
      KNOWN.put(table.name(), known);
    }
    return known.schema;
  }

  /**
   * Returns the schema in a document.
   *
   * @throws UniserveException naming what is wrong
   */
  public static TableSchema of(Map<String, Object> document) {
    TreeSet<String> unknown = new TreeSet<>(document.keySet());
    unknown.removeAll(List.of(COLUMNS, PARTITION_BY));
    if (!unknown.isEmpty()) {
      throw UniserveException.invalid(
          "a schema has 'columns' and 'partitionBy', and no '" + unknown.first() + "'");
    }
    if (!(document.get(COLUMNS) instanceof Map<?, ?> declared) || declared.isEmpty()) {
      throw UniserveException.invalid("a schema needs 'columns', such as {\"name\": \"varchar\"}");
    }
    if (declared.size() > COLUMNS_MAX) {
      throw UniserveException.invalid("a table has at most " + COLUMNS_MAX + " columns");
    }
    List<Column> columns = new ArrayList<>();
    declared.forEach(
        (name, type) -> columns.add(Column.of(String.valueOf(name), declaration(type))));
    if (!(document.get(PARTITION_BY) instanceof String partitionBy)) {
      throw UniserveException.invalid(
          "a schema needs 'partitionBy', the column that decides where a record is");
    }
    return new TableSchema(columns, partitionBy);
  }

  private static String declaration(Object type) {
    if (type instanceof String text) {
      return text;
    }
    throw UniserveException.invalid("the type of a column is a text, not " + type);
  }

  public List<Column> columns() {
    return columns;
  }

  public Column column(int place) {
    return columns.get(place);
  }

  public int size() {
    return columns.size();
  }

  /** Returns the place of the column that decides where a record is. */
  public int partitionBy() {
    return partitionBy;
  }

  /** Returns the place of a column, by its name in any case. */
  public OptionalInt place(String name) {
    Integer place = places.get(name.toLowerCase(Locale.ROOT));
    return place == null ? OptionalInt.empty() : OptionalInt.of(place);
  }

  /**
   * Returns the place of a column, by its name in any case.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} naming it
   */
  public int require(String name) {
    return place(name)
        .orElseThrow(
            () -> new UniserveException(ErrorCode.NOT_FOUND, "there is no column '" + name + "'"));
  }

  /**
   * Returns the partition key of a record.
   *
   * @param stored the stored value of the column that decides
   */
  public PartitionKey key(Object stored) {
    Column column = columns.get(partitionBy);
    return switch (stored) {
      case byte[] text -> PartitionKey.of(text);
      case Long number when column.type() instanceof ColumnType.Short ->
          PartitionKey.of(((String) column.type().value(number)).getBytes(StandardCharsets.UTF_8));
      case Long number -> PartitionKey.of(number);
      default -> throw new IllegalArgumentException("no stored value: " + stored);
    };
  }
}
