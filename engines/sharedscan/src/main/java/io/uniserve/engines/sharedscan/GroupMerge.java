package io.uniserve.engines.sharedscan;

import io.uniserve.api.Operator;
import io.uniserve.engines.sharedscan.data.Cells;
import io.uniserve.engines.sharedscan.scan.Aggregate;
import io.uniserve.engines.sharedscan.schema.Column;
import io.uniserve.engines.sharedscan.schema.ColumnType;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import io.uniserve.engines.sharedscan.sql.Statement;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The groups of all actors, put together into the answer of a query. */
final class GroupMerge implements Operator.Combiner<Group, Map<String, Object>> {
  private final TableSchema schema;
  private final Statement.Select select;
  private final Cells keys;
  private final List<Aggregate> aggregates;
  private final Map<ByteBuffer, Object[]> groups = new LinkedHashMap<>();

  GroupMerge(TableSchema schema, Statement.Select select) {
    this.schema = schema;
    this.select = select;
    this.keys = new Cells(select.groupBy().stream().map(schema::column).toList());
    this.aggregates = aggregates(select);
  }

  /** Returns the aggregates that a query needs: those of its items, in order, and their counts. */
  static List<Aggregate> aggregates(Statement.Select select) {
    List<Aggregate> aggregates = new ArrayList<>();
    for (Statement.Item item : select.items()) {
      item.aggregate().ifPresent(aggregates::add);
      if (item.mean()) {
        aggregates.add(new Aggregate(Aggregate.Kind.COUNT, item.column()));
      }
    }
    return aggregates;
  }

  @Override
  public void add(int actor, Group group) {
    Object[] results = new Object[aggregates.size()];
    for (int i = 0; i < results.length; i++) {
      results[i] = stored(aggregates.get(i), group.values().get(i));
    }
    groups.merge(group.key(), results, this::both);
  }

  private static Object stored(Aggregate aggregate, Object value) {
    return value instanceof String text
        ? aggregate.kind() == Aggregate.Kind.SUM
            ? (Object) new BigInteger(text)
            : text.getBytes(StandardCharsets.UTF_8)
        : value;
  }

  private Object[] both(Object[] some, Object[] more) {
    Object[] all = new Object[some.length];
    for (int i = 0; i < all.length; i++) {
      all[i] =
          some[i] == null
              ? more[i]
              : more[i] == null ? some[i] : both(aggregates.get(i).kind(), some[i], more[i]);
    }
    return all;
  }

  private static Object both(Aggregate.Kind kind, Object one, Object other) {
    return switch (kind) {
      case COUNT -> (long) one + (long) other;
      case SUM -> ((BigInteger) one).add((BigInteger) other);
      case MIN -> compare(one, other) <= 0 ? one : other;
      case MAX -> compare(one, other) >= 0 ? one : other;
    };
  }

  private static int compare(Object one, Object other) {
    return one instanceof byte[] text
        ? Arrays.compareUnsigned(text, (byte[]) other)
        : Long.compare((long) one, (long) other);
  }

  @Override
  public Map<String, Object> result() {
    List<Object[]> rows = new ArrayList<>();
    groups.forEach(
        (key, results) -> {
          ByteBuffer bytes = key.duplicate().order(ByteOrder.LITTLE_ENDIAN);
          rows.add(row(keys.take(bytes), results));
        });
    rows.sort(Ordering.of(select.orderBy()));
    List<List<Object>> answer =
        rows.stream().limit(select.limit().orElse(Long.MAX_VALUE)).map(this::values).toList();
    return SharedScanPlanner.document(SharedScanPlanner.columns(schema, select), answer);
  }

  private Object[] row(Object[] key, Object[] results) {
    Object[] row = new Object[select.items().size()];
    int next = 0;
    for (int i = 0; i < row.length; i++) {
      Statement.Item item = select.items().get(i);
      if (item.aggregate().isEmpty()) {
        row[i] = key[select.groupBy().indexOf(item.column())];
      } else if (item.mean()) {
        row[i] = mean(item, (BigInteger) results[next], (Long) results[next + 1]);
        next += 2;
      } else {
        row[i] = results[next++];
      }
    }
    return row;
  }

  private Double mean(Statement.Item item, BigInteger sum, long count) {
    return sum == null ? null : (Double) (new BigDecimal(sum, scale(item)).doubleValue() / count);
  }

  private int scale(Statement.Item item) {
    return schema.column(item.column()).type() instanceof ColumnType.Decimal decimal
        ? decimal.scale()
        : 0;
  }

  private List<Object> values(Object[] row) {
    List<Object> values = new ArrayList<>(row.length);
    for (int i = 0; i < row.length; i++) {
      Statement.Item item = select.items().get(i);
      values.add(
          switch (row[i]) {
            case null -> null;
            case BigInteger sum -> new BigDecimal(sum, scale(item)).toPlainString();
            case Double mean -> mean;
            case Object stored -> value(item, stored);
          });
    }
    return values;
  }

  private Object value(Statement.Item item, Object stored) {
    boolean counts =
        item.aggregate().isPresent() && item.aggregate().get().kind() == Aggregate.Kind.COUNT;
    Column column = counts ? null : schema.column(item.column());
    return counts ? stored : Cells.value(column, stored);
  }
}
