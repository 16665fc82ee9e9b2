package io.uniserve.engines.olap.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.rows.OlapSchema;
import io.uniserve.engines.olap.storage.Contents;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.Cursors;
import org.apache.druid.segment.Segment;
import org.joda.time.Interval;

/**
 * The reading of one page. The rows of all segments are merged by their times. Of the rows of one
 * time, those of the least hashes are kept, as many as the page has room for.
 */
final class RowPage implements AutoCloseable {
  /** The most bytes of the rows of one time and hash, which are never on two pages. */
  private static final int TOGETHER_BYTES_MAX = 16 << 20;

  private static final byte NEXT = '\n';

  private final OlapSchema schema;
  private final ReadRows scan;
  private final ScanFrom from;
  private final OperatorContext context;
  private final Optional<RowPlace> place;
  private final List<SegmentCursor> opened = new ArrayList<>();
  private final PriorityQueue<SegmentCursor> segments =
      new PriorityQueue<>(
          Comparator.comparingLong(SegmentCursor::keyMillis)
              .thenComparingInt(SegmentCursor::number));
  private final ByteArrayOutputStream block = new ByteArrayOutputStream();
  private long records;

  /** The rows of one time and hash. */
  private static final class Together {
    private final List<byte[]> rows = new ArrayList<>();
    private long sizeBytes;
  }

  RowPage(OlapSchema schema, ReadRows scan, ScanFrom from, OperatorContext context) {
    this.schema = schema;
    this.scan = scan;
    this.from = from;
    this.context = context;
    this.place = from.place().map(RowPlace::of);
  }

  ScanPage read(Contents contents) {
    long begin = place.map(RowPlace::keyMillis).orElse(scan.fromMillis());
    if (begin < scan.toMillis()) {
      open(contents, Intervals.utc(begin, scan.toMillis()));
    }
    Optional<RowPlace> last = Optional.empty();
    while (!segments.isEmpty() && block.size() < from.bytesMax()) {
      last = readOneTime();
    }
    long total = contents.rows();
    long before = place.map(RowPlace::read).orElse(0L);
    Optional<RowPlace> next = segments.isEmpty() ? last.filter(each -> cut) : last;
    long left = Math.max(0, total - before);
    long read = next.isEmpty() ? left : Math.min(left, records);
    context.reportRows(records);
    return new ScanPage(
        records == 0 ? List.of() : List.of(ByteBuffer.wrap(block.toByteArray())),
        records,
        next.map(each -> new RowPlace(each.keyMillis(), each.hash(), before + read).bytes()),
        read,
        total);
  }

  /** True if there are more rows of the time that was read last. */
  private boolean cut;

  private void open(Contents contents, Interval interval) {
    CursorBuildSpec.CursorBuildSpecBuilder wanted =
        CursorBuildSpec.builder()
            .setInterval(interval)
            .setPreferredOrdering(Cursors.ascendingTimeOrder());
    if (!scan.filter().isEmpty()) {
      wanted.setFilter(PagePlan.filter(scan.filter()).toOptimizedFilter(false));
    }
    for (Segment segment : contents.segments()) {
      if (interval.overlaps(segment.getDataInterval())) {
        SegmentCursor rows =
            new SegmentCursor(opened.size(), schema, segment, wanted.build(), scan.fields());
        opened.add(rows);
        if (!rows.ended()) {
          segments.add(rows);
        }
      }
    }
  }

  /** Reads the rows of the earliest time that is left, as far as there is room. */
  private Optional<RowPlace> readOneTime() {
    long time = segments.element().keyMillis();
    int room = from.bytesMax() - block.size();
    TreeMap<Long, Together> kept = new TreeMap<>();
    long keptBytes = 0;
    cut = false;
    while (!segments.isEmpty() && segments.element().keyMillis() == time) {
      SegmentCursor rows = segments.remove();
      while (!rows.ended() && rows.keyMillis() == time) {
        context.checkCancelled();
        long hash = rows.hash();
        if (isWanted(time, hash) && !(cut && hash > kept.lastKey())) {
          Together together = kept.computeIfAbsent(hash, key -> new Together());
          byte[] row = text(rows.values());
          together.rows.add(row);
          together.sizeBytes += row.length;
          keptBytes += row.length;
          requireBounded(time, together);
          while (kept.size() > 1 && keptBytes - kept.lastEntry().getValue().sizeBytes >= room) {
            keptBytes -= kept.pollLastEntry().getValue().sizeBytes;
            cut = true;
          }
        }
        rows.advance();
      }
      if (!rows.ended()) {
        segments.add(rows);
      }
    }
    kept.values().forEach(this::give);
    return Optional.of(new RowPlace(time, kept.isEmpty() ? Long.MAX_VALUE : kept.lastKey(), 0));
  }

  private boolean isWanted(long time, long hash) {
    boolean given =
        place.isPresent() && time == place.get().keyMillis() && hash <= place.get().hash();
    return !given && (from.only().isEmpty() || from.only().get().test(OlapRow.key(time, hash)));
  }

  private static void requireBounded(long time, Together together) {
    if (together.sizeBytes > TOGETHER_BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "more than 16 MiB of rows have the time "
              + Instant.ofEpochMilli(time)
              + " and equal dimensions, so a scan cannot read them page by page; query them");
    }
  }

  private static byte[] text(Map<String, Object> row) {
    try {
      return Druid.get().json().writeValueAsBytes(row);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a row cannot be written", e);
    }
  }

  private void give(Together together) {
    for (byte[] row : together.rows) {
      block.writeBytes(row);
      block.write(NEXT);
      records++;
    }
  }

  @Override
  public void close() {
    opened.forEach(SegmentCursor::close);
  }
}
