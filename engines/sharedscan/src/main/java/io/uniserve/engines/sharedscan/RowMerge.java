package io.uniserve.engines.sharedscan;

import io.uniserve.api.Operator;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.sharedscan.data.Cells;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import io.uniserve.engines.sharedscan.sql.Statement;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The rows of all actors, put together into the answer of a query. */
final class RowMerge implements Operator.Combiner<Rows, Map<String, Object>> {
  /** The most rows of an answer. */
  static final int ROWS_MAX = 1_000_000;

  private final TableSchema schema;
  private final Statement.Select select;
  private final Cells cells;
  private final List<Object[]> rows = new ArrayList<>();

  RowMerge(TableSchema schema, Statement.Select select) {
    this.schema = schema;
    this.select = select;
    this.cells =
        new Cells(select.items().stream().map(item -> schema.column(item.column())).toList());
  }

  @Override
  public void add(int actor, Rows some) {
    boolean enough =
        select.orderBy().isEmpty() && rows.size() >= select.limit().orElse(Long.MAX_VALUE);
    if (enough) {
      return;
    }
    if (rows.size() + some.count() > ROWS_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "SQL: an answer has at most " + ROWS_MAX + " rows: use a LIMIT without ORDER BY");
    }
    ByteBuffer bytes = some.cells().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < some.count(); i++) {
      rows.add(cells.take(bytes));
    }
  }

  @Override
  public Map<String, Object> result() {
    if (!select.orderBy().isEmpty()) {
      rows.sort(Ordering.of(select.orderBy()));
    }
    List<List<Object>> answer =
        rows.stream().limit(select.limit().orElse(Long.MAX_VALUE)).map(cells::values).toList();
    return SharedScanPlanner.document(SharedScanPlanner.columns(schema, select), answer);
  }
}
