package io.uniserve.engines.olap.storage;

import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.rows.OlapSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.druid.segment.IncrementalIndexSegment;
import org.apache.druid.segment.Segment;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IndexSizeExceededException;
import org.apache.druid.timeline.SegmentId;
import org.joda.time.Interval;

/**
 * Rows that are not in a segment yet: an index in memory, and the rows as they came. These are kept
 * because an index that has rolled rows up cannot take them back apart: a copy that is opened again
 * must go on exactly as this one does.
 */
final class MemoryPart {
  private final OlapSchema schema;
  private final IncrementalIndex index;
  private final List<OlapRow> rows = new ArrayList<>();

  MemoryPart(OlapSchema schema, List<OlapRow> rows) {
    this.schema = schema;
    this.index = schema.index();
    add(rows);
  }

  void add(List<OlapRow> more) {
    try {
      for (OlapRow row : more) {
        index.add(schema.input(row));
      }
    } catch (IndexSizeExceededException e) {
      throw new IllegalStateException("an index in memory has no bound, and yet is full", e);
    }
    rows.addAll(more);
  }

  List<OlapRow> rows() {
    return rows;
  }

  IncrementalIndex index() {
    return index;
  }

  /** Returns the interval from the first row to the last. */
  Interval interval() {
    return new Interval(index.getMinTime(), index.getMaxTime().plusMillis(1));
  }

  Segment segment() {
    return new IncrementalIndexSegment(
        index, SegmentId.of(schema.druid().getDataSource(), interval(), "memory", 0));
  }
}
