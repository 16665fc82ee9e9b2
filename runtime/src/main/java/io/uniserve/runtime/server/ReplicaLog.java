package io.uniserve.runtime.server;

import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.Storage;
import io.uniserve.runtime.store.FramedFile;
import io.uniserve.runtime.store.FramedFile.Damage;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.LogEntryCodec;
import io.uniserve.runtime.wire.Position;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The most recent updates of one replica, on disk, in segments. Each checkpoint begins a segment;
 * what lies before the last checkpoint but one is dropped. For one thread at a time.
 */
final class ReplicaLog implements Closeable {
  private static final String SUFFIX = ".log";

  /** Entries kept as objects, so that followers in step need no disk. */
  private static final int RECENT_MAX = 8;

  private record Ref(Position position, long offset, int sizeBytes) {}

  private static final class Segment {
    final Path path;
    final List<Ref> refs = new ArrayList<>();
    FramedFile file;

    Segment(Path path) {
      this.path = path;
    }
  }

  private final Storage storage;
  private final Path directory;
  private final LogEntryCodec codec;
  private final ArrayDeque<Segment> segments = new ArrayDeque<>();
  private final ArrayDeque<LogEntry> recent = new ArrayDeque<>();
  private Position start = Position.START;
  private Position base = Position.START;
  private Position last = Position.START;

  private ReplicaLog(Storage storage, Path directory, LogEntryCodec codec) {
    this.storage = storage;
    this.directory = directory;
    this.codec = codec;
  }

  /**
   * Opens the log that belongs to a checkpoint.
   *
   * @param base the position of the checkpoint
   * @param entries receives the entries after it
   */
  static ReplicaLog open(
      Storage storage, Path directory, LogEntryCodec codec, Position base, List<LogEntry> entries)
      throws IOException {
    ReplicaLog log = new ReplicaLog(storage, directory, codec);
    Files.createDirectories(directory);
    List<Path> paths;
    try (Stream<Path> files = Files.list(directory)) {
      paths =
          files.filter(file -> file.getFileName().toString().endsWith(SUFFIX)).sorted().toList();
    }
    log.start = base;
    log.base = base;
    log.last = base;
    for (Path path : paths) {
      log.openSegment(path, entries);
    }
    log.forgetBefore(log.lastGap());
    if (log.segments.isEmpty()) {
      log.addSegment();
    }
    return log;
  }

  /**
   * What follows a gap was never promised: a crash of the machine cut the segment before, which was
   * not forced.
   */
  private void openSegment(Path path, List<LogEntry> entries) throws IOException {
    Segment segment = new Segment(path);
    long[] gapAt = {-1};
    segment.file =
        FramedFile.open(
            storage,
            path,
            Damage.UNFORCED_TAIL,
            (offset, bytes) -> {
              LogEntry entry = codec.decode(bytes);
              if (gapAt[0] >= 0 || isGap(entry.position())) {
                gapAt[0] = gapAt[0] >= 0 ? gapAt[0] : offset;
                return;
              }
              segment.refs.add(new Ref(entry.position(), offset, bytes.remaining()));
              if (entry.position().sequence() > base.sequence()) {
                requireNext(entry.position());
                entries.add(entry);
                last = entry.position();
              }
            });
    if (gapAt[0] >= 0) {
      segment.file.truncate(gapAt[0]);
    }
    segments.add(segment);
  }

  private boolean isGap(Position position) {
    return position.sequence() > last.sequence() + 1;
  }

  /** The last place before the checkpoint at which the log has a gap; 0 if there is none. */
  private long lastGap() {
    long expected = base.sequence();
    List<Ref> refs = segments.stream().flatMap(segment -> segment.refs.stream()).toList();
    for (Ref ref : refs.reversed()) {
      long sequence = ref.position().sequence();
      if (sequence <= base.sequence()) {
        if (sequence != expected) {
          return sequence;
        }
        expected--;
      }
    }
    return 0;
  }

  /** Nobody who is at such a place can go on with the entries of this log. */
  private void forgetBefore(long sequence) {
    segments.forEach(
        segment -> segment.refs.removeIf(ref -> ref.position().sequence() <= sequence));
  }

  private void addSegment() throws IOException {
    String name = String.format("%020d", last.sequence() + 1) + SUFFIX;
    Segment segment = new Segment(directory.resolve(name));
    if (!segments.isEmpty() && segments.getLast().path.equals(segment.path)) {
      return; // nothing was appended since the last one was begun
    }
    segment.file =
        FramedFile.open(storage, segment.path, Damage.UNFORCED_TAIL, (offset, bytes) -> {});
    segments.add(segment);
  }

  /** The position of the newest entry, or of the checkpoint if there is none after it. */
  Position last() {
    return last;
  }

  /** The position of the newest checkpoint. */
  Position base() {
    return base;
  }

  /** Bytes of log since the newest checkpoint. */
  long bytesSinceCheckpoint() {
    return segments.getLast().file.size();
  }

  /** Appends the next entry: on return it survives a crash of the process. */
  void append(LogEntry entry) throws IOException {
    requireNext(entry.position());
    Segment segment = segments.getLast();
    var bytes = codec.encode(entry);
    long offset = segment.file.append(bytes);
    segment.refs.add(new Ref(entry.position(), offset, bytes.remaining()));
    last = entry.position();
    recent.add(entry);
    if (recent.size() > RECENT_MAX) {
      recent.remove();
    }
  }

  /** Takes the newest entry back, which nobody has seen. */
  void dropLast(Position before) throws IOException {
    Segment segment = segments.getLast();
    Ref dropped = segment.refs.removeLast();
    segment.file.truncate(dropped.offset());
    recent.removeLast();
    last = before;
  }

  /** Whether whoever is at this position can go on with the entries of this log. */
  boolean contains(Position position) {
    if (position.equals(last) || position.equals(base) || position.equals(start)) {
      return true;
    }
    return segments.stream()
        .flatMap(segment -> segment.refs.stream())
        .anyMatch(ref -> ref.position().equals(position));
  }

  /**
   * The entries after a position that the log contains, up to about so many bytes but at least one
   * if there is one.
   */
  List<LogEntry> after(Position position, int bytesMax) throws IOException {
    if (position.equals(last)) {
      return List.of();
    }
    if (!recent.isEmpty() && recent.getFirst().position().sequence() <= position.sequence() + 1) {
      return recent.stream()
          .filter(entry -> entry.position().sequence() > position.sequence())
          .toList();
    }
    return read(position, bytesMax);
  }

  private List<LogEntry> read(Position position, int bytesMax) throws IOException {
    List<LogEntry> entries = new ArrayList<>();
    long bytes = 0;
    for (Segment segment : segments) {
      for (Ref ref : segment.refs) {
        if (ref.position().sequence() > position.sequence()) {
          if (bytes > 0 && bytes + ref.sizeBytes() > bytesMax) {
            return entries;
          }
          entries.add(codec.decode(segment.file.read(ref.offset())));
          bytes += ref.sizeBytes();
        }
      }
    }
    return entries;
  }

  /** Begins a segment, so that what comes before can be dropped without what comes after. */
  void rotate() throws IOException {
    if (!segments.getLast().refs.isEmpty()) {
      addSegment();
    }
  }

  /** A checkpoint was made where {@link #rotate} was called: drops what is not needed any more. */
  void checkpointed(Position position) throws IOException {
    start = base;
    base = position;
    while (segments.size() > 1 && endsBy(segments.getFirst(), start)) {
      Segment oldest = segments.removeFirst();
      oldest.file.close();
      Files.delete(oldest.path);
    }
  }

  private static boolean endsBy(Segment segment, Position position) {
    return segment.refs.isEmpty()
        || segment.refs.getLast().position().sequence() <= position.sequence();
  }

  private void requireNext(Position position) {
    Invariant.SAME_ORDER_ON_COPIES.require(
        position.sequence() == last.sequence() + 1 && position.epoch() >= last.epoch(),
        () -> position + " follows " + last + " in " + directory);
  }

  @Override
  public void close() {
    for (Segment segment : segments) {
      try {
        segment.file.close();
      } catch (IOException e) {
        throw UniserveException.of(e);
      }
    }
  }
}
