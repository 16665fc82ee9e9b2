package io.uniserve.engines.olap.storage;

import java.util.BitSet;
import java.util.List;
import org.apache.druid.segment.ForwardingRowIterator;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexIndexableAdapter;
import org.apache.druid.segment.TransformableRowIterator;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnFormat;
import org.apache.druid.segment.data.BitmapValues;
import org.apache.druid.segment.data.CloseableIndexed;
import org.joda.time.Interval;

/** Some rows of a segment, as the writer of segments wants to see them. */
final class SomeRows implements IndexableAdapter {
  private final IndexableAdapter all;
  private final BitSet kept;

  SomeRows(QueryableIndex index, BitSet kept) {
    this.all = new QueryableIndexIndexableAdapter(index);
    this.kept = kept;
  }

  @Override
  public TransformableRowIterator getRows() {
    return new ForwardingRowIterator(all.getRows()) {
      @Override
      public boolean moveToNext() {
        while (super.moveToNext()) {
          if (kept.get(getPointer().getRowNum())) {
            return true;
          }
        }
        return false;
      }
    };
  }

  /** Returns the number of all rows: the writer looks up new numbers of rows by the old ones. */
  @Override
  public int getNumRows() {
    return all.getNumRows();
  }

  @Override
  public Interval getDataInterval() {
    return all.getDataInterval();
  }

  @Override
  public List<String> getDimensionNames(boolean withTime) {
    return all.getDimensionNames(withTime);
  }

  @Override
  public List<String> getMetricNames() {
    return all.getMetricNames();
  }

  @Override
  public <T extends Comparable<? super T>> CloseableIndexed<T> getDimValueLookup(String name) {
    return all.getDimValueLookup(name);
  }

  @Override
  public NestedColumnMergable getNestedColumnMergeables(String name) {
    return all.getNestedColumnMergeables(name);
  }

  @Override
  public IndexableAdapter getProjectionAdapter(String name) {
    throw new UnsupportedOperationException("segments of this engine have no projection " + name);
  }

  @Override
  public BitmapValues getBitmapValues(String name, int value) {
    return all.getBitmapValues(name, value);
  }

  @Override
  public ColumnCapabilities getCapabilities(String name) {
    return all.getCapabilities(name);
  }

  @Override
  public ColumnFormat getFormat(String name) {
    return all.getFormat(name);
  }

  @Override
  public Metadata getMetadata() {
    return all.getMetadata();
  }
}
