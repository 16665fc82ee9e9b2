package io.uniserve.engines.olap.storage;

import static java.util.Comparator.comparingLong;

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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.QueryableIndexIndexableAdapter;

/**
 * A datasource that takes updates: segments, and rows in memory that become the next one.
 *
 * <p>When a segment is written and when segments are merged follows from the updates alone, never
 * from a clock or a restart. So all copies have the same segments, and count the same rows even
 * where rows roll up only within a segment. A merge begins with the update that makes it necessary,
 * goes on in the background, and takes effect with the next segment that is written.
 */
public final class LiveDatasource extends OlapActor {
  /** Segments of more rows are not merged any more. */
  private static final long MERGED_ROWS_MAX = 5_000_000;

  /** A segment with this many times the rows of all smaller ones is not merged with them. */
  private static final long MUCH_LARGER = 4;

  /** The memory of a row that is kept as it came, roughly. */
  private static final long ROW_BYTES = 400;

  private final SegmentWriter writer;

  /** True if a query must see a batch wholly or not at all. */
  private final boolean atomic;

  private final Object lock = new Object();

  /** Guarded by the lock; changed by updates alone, of which there is one at a time. */
  private Contents contents;

  /**
   * The merges under way; changed by updates alone. There is one at most, but after actors were
   * merged.
   */
  private List<BackgroundMerge> merging = List.of();

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
    LiveDatasource datasource =
        new LiveDatasource(
            context,
            schema,
            new SegmentWriter(schema, context.directory(), saved.next()),
            new Contents(
                segments,
                saved.parts().stream().map(rows -> new MemoryPart(schema, rows)).toList()));
    saved.merging().forEach(datasource::goOn);
    return datasource;
  }

  /** Begins a merge again that the original had begun. */
  private void goOn(SavedState.Merging saved) {
    List<StoredSegment> inputs =
        contents.stored().stream()
            .filter(each -> saved.segments().contains(each.number()))
            .toList();
    begin(new BackgroundMerge(writer, saved.number(), inputs));
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
    persistIfFull();
  }

  private void persistIfFull() {
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

  /**
   * Writes the rows in memory as a segment, ends the merges that are under way, and begins another
   * where there are many segments of a size.
   */
  void persist() {
    settle();
    write();
    manyOfASize().ifPresent(this::begin);
  }

  /** Writes the rows in memory as a segment. */
  private void write() {
    if (!contents.parts().isEmpty()) {
      List<StoredSegment> segments = new ArrayList<>(contents.stored());
      segments.add(writing(() -> writer.persist(contents.parts())));
      show(segments, List.of());
    }
  }

  /**
   * Writes the rows in memory as a segment, and makes one of the smallest segments, up to the first
   * that is much larger than they are together. So few segments are left, and yet a row is written
   * again a few times only, however often this is asked for.
   */
  public void tidy() {
    settle();
    write();
    List<StoredSegment> some = smallest();
    if (some.size() > 1) {
      merge(some);
    }
  }

  private List<StoredSegment> smallest() {
    Set<StoredSegment> smallest = new HashSet<>();
    long rows = 0;
    for (StoredSegment each :
        contents.stored().stream().sorted(comparingLong(StoredSegment::rows)).toList()) {
      if (rows > 0 && each.rows() > MUCH_LARGER * rows || rows + each.rows() > MERGED_ROWS_MAX) {
        break;
      }
      smallest.add(each);
      rows += each.rows();
    }
    return contents.stored().stream().filter(smallest::contains).toList();
  }

  /** Begins to merge segments, unless there is one only. */
  private void begin(List<StoredSegment> some) {
    if (some.size() > 1) {
      begin(new BackgroundMerge(writer, writer.reserve(), some));
    }
  }

  private void begin(BackgroundMerge merge) {
    List<BackgroundMerge> all = new ArrayList<>(merging);
    all.add(merge);
    merging = List.copyOf(all);
  }

  /** Ends the merges that are under way: their segments take the others' place. */
  private void settle() {
    for (BackgroundMerge done : merging) {
      put(writing(done::await), done.inputs());
    }
    merging = List.of();
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
    put(writing(() -> writer.merge(rows)), some);
  }

  /** Shows a segment in the place of some that it was made of. */
  private void put(StoredSegment merged, List<StoredSegment> some) {
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
    settle();
    write();
    if (contents.stored().size() > 1) {
      merge(contents.stored());
    }
  }

  /**
   * Returns the change that deletes the rows of an interval of time and appends others. Queries see
   * either the former rows or the new ones.
   *
   * @throws RejectedRowException naming the first row that the schema refuses
   */
  public Change replacing(long fromMillis, long toMillis, List<OlapRow> rows) {
    appending(rows); // which checks them
    return () -> {
      keep((keyMillis, hash) -> keyMillis < fromMillis || keyMillis >= toMillis, rows);
      persistIfFull();
    };
  }

  @Override
  public void retain(Predicate<PartitionKey> kept) {
    keep((keyMillis, hash) -> kept.test(OlapRow.key(keyMillis, hash.get())), List.of());
  }

  /**
   * Keeps some rows, and appends others; both are shown at once. A merge that is under way begins
   * again, with what is kept.
   */
  private void keep(SegmentRows.KeyTest test, List<OlapRow> more) {
    List<BackgroundMerge> former = merging;
    merging = List.of();
    former.forEach(BackgroundMerge::abandon);
    Map<StoredSegment, StoredSegment> left = new LinkedHashMap<>();
    for (StoredSegment each : contents.stored()) {
      BitSet kept = new SegmentRows(schema(), each.index()).kept(test);
      if (kept.cardinality() == each.rows()) {
        left.put(each, each);
      } else if (!kept.isEmpty()) {
        left.put(each, writing(() -> writer.merge(List.of(new SomeRows(each.index(), kept)))));
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
    show(List.copyOf(left.values()), more.isEmpty() ? parts : with(parts, more));
    for (BackgroundMerge each : former) {
      begin(each.inputs().stream().filter(left::containsKey).map(left::get).toList());
    }
  }

  @Override
  public void absorb(Actor other) {
    try (Contents its = ((OlapActor) other).contents()) {
      List<StoredSegment> segments = new ArrayList<>(contents.stored());
      Map<Long, StoredSegment> linked = new LinkedHashMap<>();
      for (StoredSegment each : its.stored()) {
        linked.put(each.number(), writing(() -> writer.link(each)));
      }
      segments.addAll(linked.values());
      List<OlapRow> rows = new ArrayList<>();
      contents.parts().forEach(part -> rows.addAll(part.rows()));
      its.parts().forEach(part -> rows.addAll(part.rows()));
      show(segments, rows.isEmpty() ? List.of() : List.of(new MemoryPart(schema(), rows)));
      for (BackgroundMerge each : ((OlapActor) other).live().merging) {
        begin(each.inputs().stream().map(input -> linked.get(input.number())).toList());
      }
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
            contents.parts().stream().map(MemoryPart::rows).toList(),
            merging.stream()
                .map(
                    merge ->
                        new SavedState.Merging(
                            merge.number(),
                            merge.inputs().stream().map(StoredSegment::number).toList()))
                .toList())
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
    merging.forEach(BackgroundMerge::abandon);
    contents.close();
  }
}
