package io.uniserve.engines.olap.page;

import io.uniserve.engines.olap.rows.OlapSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.segment.ColumnSelectorFactory;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorFactory;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.Segment;
import org.apache.druid.segment.column.ColumnHolder;

/** The rows of a segment, or of a part in memory, in the order of their times. */
final class SegmentCursor implements AutoCloseable {
  private final int number;
  private final OlapSchema schema;
  private final CursorHolder holder;
  private final Cursor cursor;
  private final ColumnValueSelector<?> time;
  private final Map<String, ColumnValueSelector<?>> dimensions = new LinkedHashMap<>();
  private final Map<String, ColumnValueSelector<?>> given = new LinkedHashMap<>();
  private final List<String> names;

  /**
   * Begins at the first row that a specification selects.
   *
   * @param number the number of the segment
   * @param fields the columns that are given; none for all
   */
  SegmentCursor(
      int number, OlapSchema schema, Segment segment, CursorBuildSpec wanted, List<String> fields) {
    this.number = number;
    this.schema = schema;
    CursorFactory factory = segment.asCursorFactory();
    holder = factory.makeCursorHolder(wanted);
    cursor = holder.asCursor();
    List<String> all = factory.getRowSignature().getColumnNames();
    if (cursor == null) {
      time = null;
    } else {
      ColumnSelectorFactory columns = cursor.getColumnSelectorFactory();
      time = columns.makeColumnValueSelector(ColumnHolder.TIME_COLUMN_NAME);
      for (String name : all) {
        if (!name.equals(ColumnHolder.TIME_COLUMN_NAME) && !schema.isMetric(name)) {
          dimensions.put(name, columns.makeColumnValueSelector(name));
        }
      }
      for (String name : fields.isEmpty() ? all : fields) {
        given.put(name, columns.makeColumnValueSelector(name));
      }
    }
    names = new ArrayList<>(dimensions.keySet());
  }

  int number() {
    return number;
  }

  boolean ended() {
    return cursor == null || cursor.isDone();
  }

  void advance() {
    cursor.advance();
  }

  /** Returns the time of the row, as the query granularity has cut it. */
  long keyMillis() {
    return time.getLong();
  }

  /** Returns the hash of the row's dimensions. */
  long hash() {
    Map<String, Object> values = new LinkedHashMap<>();
    dimensions.forEach((name, selector) -> values.put(name, selector.getObject()));
    return schema.hash(names, values);
  }

  /** Returns the values of the row. Its time is a text. */
  Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    given.forEach(
        (name, selector) ->
            values.put(
                name,
                name.equals(ColumnHolder.TIME_COLUMN_NAME)
                    ? DateTimes.utc(selector.getLong()).toString()
                    : selector.getObject()));
    return values;
  }

  @Override
  public void close() {
    holder.close();
  }
}
