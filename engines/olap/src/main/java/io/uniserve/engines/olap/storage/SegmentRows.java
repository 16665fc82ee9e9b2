package io.uniserve.engines.olap.storage;

import io.uniserve.engines.olap.rows.OlapSchema;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.druid.segment.ColumnSelectorFactory;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexCursorFactory;
import org.apache.druid.segment.column.ColumnHolder;

/** The keys of a segment's rows, in the order of the rows. */
final class SegmentRows {
  private final OlapSchema schema;
  private final QueryableIndex index;

  SegmentRows(OlapSchema schema, QueryableIndex index) {
    this.schema = schema;
    this.index = index;
  }

  /** A look at one row. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Looks at a row.
     *
     * @param row its number in the segment
     */
    void visit(int row, long keyMillis, Hash hash);
  }

  /** The hash of a row's dimensions, computed when it is asked for. */
  @FunctionalInterface
  interface Hash {
    long get();
  }

  void visit(Visitor visitor) {
    try (CursorHolder holder =
        new QueryableIndexCursorFactory(index).makeCursorHolder(CursorBuildSpec.FULL_SCAN)) {
      Cursor cursor = holder.asCursor();
      if (cursor == null) {
        return;
      }
      ColumnSelectorFactory columns = cursor.getColumnSelectorFactory();
      ColumnValueSelector<?> time = columns.makeColumnValueSelector(ColumnHolder.TIME_COLUMN_NAME);
      Map<String, ColumnValueSelector<?>> dimensions = new LinkedHashMap<>();
      for (String name : index.getAvailableDimensions()) {
        dimensions.put(name, columns.makeColumnValueSelector(name));
      }
      List<String> names = new ArrayList<>(dimensions.keySet());
      for (int row = 0; !cursor.isDone(); row++, cursor.advance()) {
        visitor.visit(
            row,
            time.getLong(),
            () -> {
              Map<String, Object> values = new LinkedHashMap<>();
              dimensions.forEach((name, selector) -> values.put(name, selector.getObject()));
              return schema.hash(names, values);
            });
      }
    }
  }

  /** Returns the rows whose keys are kept. */
  BitSet kept(KeyTest test) {
    BitSet kept = new BitSet();
    visit((row, keyMillis, hash) -> kept.set(row, test.keeps(keyMillis, hash)));
    return kept;
  }

  /** A test of keys. */
  @FunctionalInterface
  interface KeyTest {
    boolean keeps(long keyMillis, Hash hash);
  }
}
