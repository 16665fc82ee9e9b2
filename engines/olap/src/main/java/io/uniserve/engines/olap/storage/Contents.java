package io.uniserve.engines.olap.storage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.druid.segment.Segment;

/**
 * The segments and the parts in memory of a datasource at one moment. While it is open, none of its
 * files goes away.
 */
public final class Contents implements AutoCloseable {
  private final List<StoredSegment> segments;
  private final List<MemoryPart> parts;

  /** Makes contents whose segments have been {@linkplain StoredSegment#use used} for it. */
  Contents(List<StoredSegment> segments, List<MemoryPart> parts) {
    this.segments = List.copyOf(segments);
    this.parts = List.copyOf(parts);
  }

  List<StoredSegment> stored() {
    return segments;
  }

  List<MemoryPart> parts() {
    return parts;
  }

  /** Returns the same contents once more, to be closed as well. */
  Contents again() {
    segments.forEach(StoredSegment::use);
    return new Contents(segments, parts);
  }

  /**
   * Returns everything that a query runs on, in the order of their earliest rows: a result for all
   * times has the time of the first.
   */
  public List<Segment> segments() {
    List<Segment> all = new ArrayList<>();
    segments.forEach(each -> all.add(each.segment()));
    parts.forEach(each -> all.add(each.segment()));
    all.sort(Comparator.comparingLong(each -> each.getDataInterval().getStartMillis()));
    return all;
  }

  /** Returns the number of stored rows. */
  public long rows() {
    return segments.stream().mapToLong(StoredSegment::rows).sum()
        + parts.stream().mapToLong(each -> each.index().numRows()).sum();
  }

  @Override
  public void close() {
    segments.forEach(StoredSegment::release);
  }
}
