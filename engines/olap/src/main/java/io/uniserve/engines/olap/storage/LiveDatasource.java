package io.uniserve.engines.olap.storage;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Consistency;
import io.uniserve.api.Usage;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.rows.OlapSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.QueryableIndexIndexableAdapter;

/**
 * A datasource that takes updates: segments, and rows in memory that become the next one.
 *
 * <p>When a segment is written and when segments are merged follows from the updates alone, never
 * from a clock or a restart. So all copies have the same segments, and count the same rows even
 * where rows roll up only within a segment.
 */
public final class LiveDatasource extends OlapActor {
  /** Segments of more rows are not merged any more. */
  private static final long MERGED_ROWS_MAX = 5_000_000;

  /** The memory of a row that is kept as it came, roughly. */
  private static final long ROW_BYTES = 400;

  private final SegmentWriter writer;

  /** True if a query must see a batch wholly or not at all. */
  private final boolean atomic;

  private final Object lock = new Object();

  /** Guarded by the lock; changed by updates alone, of which there is one at a time. */
  private Contents contents;

  private Optional<Change> prepared = Optional.empty();

  private LiveDatasource(
      ActorContext context, OlapSchema schema, SegmentWriter writer, Contents contents) {
    super(context, schema);
    this.writer = writer;
    this.contents = contents;
    this.atomic = context.table().consistency() != Consistency.EVENTUAL;
  }

  /** Makes an empty datasource. */
  public static LiveDatasource create(ActorContext context) {
    OlapSchema schema = OlapSchema.of(context.table());
    return new LiveDatasource(
        context,
        schema,
        new SegmentWriter(schema, context.directory(), 0),
        new Contents(List.of(), List.of()));
  }

  /**
   * Opens a datasource of its files.
   *
   * @throws IOException if files are missing or damaged
   */
  public static LiveDatasource open(ActorContext context) throws IOException {
    OlapSchema schema = OlapSchema.of(context.table());
    SavedState saved = SavedState.read(context.directory());
    List<StoredSegment> segments = new ArrayList<>();
    try {
      for (long number : saved.segments()) {
        Path directory =
            context.directory().resolve(SegmentWriter.FOLDER).resolve(Long.toString(number));
        segments.add(StoredSegment.open(context.table().name(), number, directory));
      }
    } catch (IOException | RuntimeException e) {
      segments.forEach(each -> each.index().close());
      throw new IOException("a segment in " + context.directory() + " cannot be opened: " + e, e);
    }
    return new LiveDatasource(
        context,
        schema,
        new SegmentWriter(schema, context.directory(), saved.next()),
        new Contents(
            segments, saved.parts().stream().map(rows -> new MemoryPart(schema, rows)).toList()));
  }

  @Override
  public Contents contents() {
    synchronized (lock) {
      return contents.again();
    }
  }

  @Override
  public LiveDatasource live() {
    return this;
  }

  /** A change that has been checked. */
  @FunctionalInterface
  public interface Change {
    /** Applies the change. */
    void apply();
  }

  /**
   * Returns the change that appends rows.
   *
   * @throws RejectedRowException naming the first row that the schema refuses
   */
  public Change appending(List<OlapRow> rows) {
    for (int i = 0; i < rows.size(); i++) {
      try {
        schema().check(rows.get(i));
      } catch (UniserveException e) {
        throw new RejectedRowException(i, e.getMessage());
      }
    }
    return () -> append(rows);
  }

  private void append(List<OlapRow> rows) {
    if (rows.isEmpty()) {
      return;
    }
    List<MemoryPart> parts = contents.parts();
    if (atomic) {
      show(contents.stored(), with(parts, rows));
    } else if (parts.isEmpty()) {
      show(contents.stored(), List.of(new MemoryPart(schema(), rows)));
    } else {
      parts.getFirst().add(rows);
    }
    if (contents.parts().stream().mapToInt(part -> part.rows().size()).sum()
        >= schema().rowsInMemory()) {
      persist();
    }
  }

  /**
   * Adds rows as a part, and makes one of the last parts while the last is not much smaller. So
   * there are few parts, and each row is indexed again a few times only.
   */
  private List<MemoryPart> with(List<MemoryPart> parts, List<OlapRow> rows) {
    List<MemoryPart> some = new ArrayList<>(parts);
    List<OlapRow> last = rows;
    while (!some.isEmpty() && some.getLast().rows().size() < 2 * last.size()) {
      List<OlapRow> joined = new ArrayList<>(some.removeLast().rows());
      joined.addAll(last);
      last = joined;
    }
    some.add(new MemoryPart(schema(), last));
    return some;
  }

  /** Shows other contents to queries that begin from now on. */
  private void show(List<StoredSegment> segments, List<MemoryPart> parts) {
    Contents former;
    synchronized (lock) {
      former = contents;
      for (StoredSegment segment : segments) {
        if (former.stored().contains(segment)) {
          segment.use();
        }
      }
      contents = new Contents(segments, parts);
    }
    former.close();
  }

  /** Writes the rows in memory as a segment, and merges segments where there are many of a size. */
  private void persist() {
    if (contents.parts().isEmpty()) {
      return;
    }
    List<StoredSegment> segments = new ArrayList<>(contents.stored());
    segments.add(writing(() -> writer.persist(contents.parts())));
    show(segments, List.of());
    for (Optional<List<StoredSegment>> many = manyOfASize();
        many.isPresent();
        many = manyOfASize()) {
      merge(many.get());
    }
  }

  private Optional<List<StoredSegment>> manyOfASize() {
    int most = schema().segmentsOfASize();
    for (StoredSegment one : contents.stored()) {
      List<StoredSegment> alike =
          contents.stored().stream().filter(each -> size(each) == size(one)).toList();
      long rows = alike.stream().mapToLong(StoredSegment::rows).sum();
      if (alike.size() >= most && rows <= MERGED_ROWS_MAX) {
        return Optional.of(alike);
      }
    }
    return Optional.empty();
  }

  private int size(StoredSegment segment) {
    return (int) (Math.log(segment.rows()) / Math.log(schema().segmentsOfASize()));
  }

  private void merge(List<StoredSegment> some) {
    List<IndexableAdapter> rows = new ArrayList<>();
    some.forEach(each -> rows.add(new QueryableIndexIndexableAdapter(each.index())));
    StoredSegment merged = writing(() -> writer.merge(rows));
    List<StoredSegment> segments = new ArrayList<>();
    for (StoredSegment each : contents.stored()) {
      if (each == some.getFirst()) {
        segments.add(merged);
      } else if (!some.contains(each)) {
        segments.add(each);
      }
    }
    show(segments, contents.parts());
  }

  /** Makes one segment of all rows. */
  public void compact() {
    persist();
    if (contents.stored().size() > 1) {
      merge(contents.stored());
    }
  }

  /** Deletes the rows of an interval of time. */
  public void drop(long fromMillis, long toMillis) {
    keep((keyMillis, hash) -> keyMillis < fromMillis || keyMillis >= toMillis);
  }

  @Override
  public void retain(Predicate<PartitionKey> kept) {
    keep((keyMillis, hash) -> kept.test(OlapRow.key(keyMillis, hash.get())));
  }

  private void keep(SegmentRows.KeyTest test) {
    List<StoredSegment> segments = new ArrayList<>();
    List<StoredSegment> made = new ArrayList<>();
    for (StoredSegment each : contents.stored()) {
      BitSet kept = new SegmentRows(schema(), each.index()).kept(test);
      if (kept.cardinality() == each.rows()) {
        segments.add(each);
      } else if (!kept.isEmpty()) {
        made.add(writing(() -> writer.merge(List.of(new SomeRows(each.index(), kept)))));
        segments.add(made.getLast());
      }
    }
    List<MemoryPart> parts = new ArrayList<>();
    for (MemoryPart part : contents.parts()) {
      List<OlapRow> rows =
          part.rows().stream().filter(row -> test.keeps(row.keyMillis(), row::hash)).toList();
      if (rows.size() == part.rows().size()) {
        parts.add(part);
      } else if (!rows.isEmpty()) {
        parts.add(new MemoryPart(schema(), rows));
      }
    }
    show(segments, parts);
  }

  @Override
  public void absorb(Actor other) {
    try (Contents its = ((OlapActor) other).contents()) {
      List<StoredSegment> segments = new ArrayList<>(contents.stored());
      for (StoredSegment each : its.stored()) {
        segments.add(writing(() -> writer.link(each)));
      }
      List<OlapRow> rows = new ArrayList<>();
      contents.parts().forEach(part -> rows.addAll(part.rows()));
      its.parts().forEach(part -> rows.addAll(part.rows()));
      show(segments, rows.isEmpty() ? List.of() : List.of(new MemoryPart(schema(), rows)));
    }
  }

  @Override
  public Optional<PartitionKey> middle() {
    try (Contents now = contents()) {
      return new MiddleKey(schema(), now).get();
    }
  }

  private interface Writing {
    StoredSegment run() throws IOException;
  }

  /**
   * Writes a segment.
   *
   * @throws UncheckedIOException if that fails; the runtime then opens the actor again
   */
  private StoredSegment writing(Writing work) {
    try {
      return work.run();
    } catch (IOException e) {
      throw new UncheckedIOException(where() + " cannot be written: " + e.getMessage(), e);
    }
  }

  /** Prepares a change. */
  public void prepare(Change change) {
    prepared = Optional.of(change);
  }

  /** Applies the prepared change. */
  public void commit() {
    Change change = prepared.orElseThrow();
    prepared = Optional.empty();
    change.apply();
  }

  /** Drops the prepared change. */
  public void abort() {
    prepared = Optional.empty();
  }

  @Override
  public void serialize(Path target) throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (StoredSegment each : contents.stored()) {
      numbers.add(each.number());
      each.linkTo(target.resolve(SegmentWriter.FOLDER).resolve(Long.toString(each.number())));
    }
    new SavedState(
            SavedState.VERSION,
            writer.next(),
            numbers,
            contents.parts().stream().map(MemoryPart::rows).toList())
        .write(target);
  }

  @Override
  public Optional<Actor> snapshot() {
    return Optional.of(new OldDatasource(this));
  }

  @Override
  public Usage usage() {
    Contents now;
    synchronized (lock) {
      now = contents;
    }
    long memory =
        now.parts().stream()
            .mapToLong(
                part -> part.index().getBytesInMemory().get() + part.rows().size() * ROW_BYTES)
            .sum();
    return new Usage(memory, now.stored().stream().mapToLong(StoredSegment::sizeBytes).sum());
  }

  @Override
  public void close() {
    contents.close();
  }
}
