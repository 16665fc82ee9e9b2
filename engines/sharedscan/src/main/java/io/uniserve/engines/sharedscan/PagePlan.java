package io.uniserve.engines.sharedscan;

import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.engines.sharedscan.data.Cells;
import io.uniserve.engines.sharedscan.scan.Test;
import io.uniserve.engines.sharedscan.schema.Column;
import io.uniserve.engines.sharedscan.schema.ColumnType;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import io.uniserve.engines.sharedscan.sql.Parser;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The planning of scans, and the reading of their pages at the client. */
final class PagePlan {
  private PagePlan() {}

  /**
   * Plans a scan. Its key is the column that decides where a record is, its condition one that
   * could follow WHERE.
   *
   * @throws UniserveException naming what is wrong
   */
  static ScanPlan of(TableDefinition table, ScanRequest request) {
    if (request.part().isPresent()) {
      throw UniserveException.invalid(
          "table '" + table.name() + "' has no part '" + Excerpt.of(request.part().get()) + "'");
    }
    TableSchema schema = TableSchema.of(table);
    List<Integer> columns =
        request.fields().isEmpty()
            ? IntStream.range(0, schema.size()).boxed().toList()
            : request.fields().stream().map(schema::require).toList();
    List<Test> where = new ArrayList<>();
    Keys keys = Keys.ALL;
    if (request.from().isPresent() || request.to().isPresent()) {
      Test test = Parser.interval(schema, schema.partitionBy(), request.from(), request.to());
      keys = keys(schema, test);
      where.add(test);
    }
    request.where().ifPresent(text -> where.addAll(Parser.condition(schema, table.name(), text)));
    List<Column> given = columns.stream().map(schema::column).toList();
    return new ScanPlan(
        table.name(),
        new ReadPage(where, columns),
        keys,
        false,
        given.stream().map(Column::name).toList(),
        (block, records) -> read(new Cells(given), block, records));
  }

  /** Returns the keys of an interval, or more. */
  private static Keys keys(TableSchema schema, Test test) {
    if (!(test instanceof Test.Between between)) {
      return Keys.ALL;
    }
    Optional<PartitionKey> from = Optional.ofNullable(between.low()).map(low -> key(schema, low));
    Optional<PartitionKey> to =
        Optional.ofNullable(between.high())
            .filter(high -> !high.equals(Long.MAX_VALUE))
            .flatMap(high -> end(schema, high, between.highIncluded()));
    return from.isPresent() && to.isPresent() && from.get().compareTo(to.get()) >= 0
        ? Keys.ALL
        : new Keys.Range(from, to);
  }

  private static PartitionKey key(TableSchema schema, Object value) {
    return value instanceof String text ? PartitionKey.of(text) : schema.key(value);
  }

  /** Returns the key before which an interval ends, if it can be told. */
  private static Optional<PartitionKey> end(TableSchema schema, Object high, boolean included) {
    if (!included) {
      return Optional.of(key(schema, high));
    }
    boolean isText = schema.column(schema.partitionBy()).type() instanceof ColumnType.Short;
    return high instanceof Long number && !isText
        ? Optional.of(PartitionKey.of(number + 1))
        : Optional.empty();
  }

  private static void read(Cells cells, ByteBuffer block, Consumer<Map<String, Object>> records) {
    Rows rows = ReadPage.BLOCKS.decode(block.duplicate(), Rows.class);
    ByteBuffer left = rows.cells().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    for (int row = 0; row < rows.count(); row++) {
      List<Object> values = cells.values(cells.take(left));
      Map<String, Object> record = new LinkedHashMap<>();
      for (int i = 0; i < values.size(); i++) {
        record.put(cells.columns().get(i).name(), values.get(i));
      }
      records.accept(record);
    }
  }
}
