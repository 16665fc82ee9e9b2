package io.uniserve.runtime.server.replica;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.Storage;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.store.FramedFile;
import io.uniserve.runtime.store.FramedFile.Damage;
import io.uniserve.runtime.store.FramedFile.Tail;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.LogEntryCodec;
import io.uniserve.runtime.wire.entry.Position;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one replica's most recent updates, on disk, in segments. Each checkpoint begins a
 * segment. Segments before the last checkpoint but one are deleted. For one thread at a time.
 */
public final class ReplicaLog implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaLog.class);
  private static final String SUFFIX = ".log";

  /** A sequence number that no entry has. */
  private static final long NONE = -1;

  private record Ref(Position position, long offset, int sizeBytes) {}

  private static final class Segment {
    final Path path;
    final List<Ref> refs = new ArrayList<>();
    FramedFile file;

    Segment(Path path) {
      this.path = path;
    }

    /**
     * Returns how many of the segment's entries are at or before a sequence number. The search is
     * by halves, since a log grows long.
     */
    int until(long sequence) {
      int low = 0;
      int high = refs.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (refs.get(middle).position().sequence() <= sequence) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    boolean contains(Position position) {
      int count = until(position.sequence());
      return count > 0 && refs.get(count - 1).position().equals(position);
    }
  }

  private final Storage storage;
  private final Path directory;
  private final LogEntryCodec codec;
  private final ArrayDeque<Segment> segments = new ArrayDeque<>();
  private final RecentEntries recent = new RecentEntries();
  private Position start = Position.START;
  private Position base = Position.START;
  private Position last = Position.START;

  /** The file of the newest segment; any thread may read it. */
  private volatile FramedFile newest;

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
   * @throws DamagedCopyException if entries after the checkpoint are damaged or missing in a way
   *     that no crash explains. Others may rely on them, so the files are left as they are
   */
  public static ReplicaLog open(
      Storage storage, Path directory, LogEntryCodec codec, Position base, List<LogEntry> entries)
      throws IOException {
    ReplicaLog log = new ReplicaLog(storage, directory, codec);
    storage.createDirectories(directory);
    List<Path> paths;
    try (Stream<Path> files = Files.list(directory)) {
      paths =
          files.filter(file -> file.getFileName().toString().endsWith(SUFFIX)).sorted().toList();
    }
    log.start = base;
    log.base = base;
    log.last = base;
    try {
      for (Path path : paths) {
        log.openSegment(path, path.equals(paths.getLast()), entries);
      }
      log.cutUnfinished();
      if (log.segments.isEmpty()) {
        log.addSegment();
      }
      log.newest = log.segments.getLast().file;
    } catch (IOException | RuntimeException e) {
      log.close();
      throw e;
    }
    log.forgetBeforeGap();
    return log;
  }

  /**
   * Opens a segment. Only the newest can have an unfinished end, since the others were forced
   * before the next was begun.
   */
  private void openSegment(Path path, boolean newest, List<LogEntry> entries) throws IOException {
    long first = firstOf(path);
    if (first > last.sequence() + 1 && first > base.sequence() + 1) {
      throw missing(path, first);
    }
    Segment segment = new Segment(path);
    segment.file =
        FramedFile.open(
            storage,
            path,
            Damage.TOLD,
            (offset, bytes) -> {
              LogEntry entry = codec.decode(bytes);
              if (entry.position().sequence() > base.sequence()) {
                if (!isNext(last, entry.position())) {
                  throw missing(path, entry.position().sequence());
                }
                entries.add(entry);
                last = entry.position();
              }
              segment.refs.add(new Ref(entry.position(), offset, bytes.remaining()));
            });
    segments.add(segment);
    Optional<Tail> tail = segment.file.tail();
    if (tail.isPresent() && newest && tail.get().followed()) {
      throw new DamagedCopyException(damage(segment, tail.get()));
    }
  }

  /** Cuts unfinished ends off. If an older segment lacks entries, the checkpoint has them. */
  private void cutUnfinished() throws IOException {
    for (Segment segment : List.copyOf(segments)) {
      if (segment.file.tail().isPresent()) {
        LOG.warn("{}; they are cut off", damage(segment, segment.file.tail().get()));
        segment.file.truncate(segment.file.tail().get().offset());
      }
      if (segment.refs.isEmpty() && !segment.path.equals(nextSegment())) {
        segments.remove(segment);
        remove(segment);
      }
    }
  }

  private static String damage(Segment segment, Tail tail) {
    return segment.path
        + ": "
        + tail.sizeBytes()
        + " bytes of a log are damaged or unfinished from "
        + tail.offset()
        + " on, after "
        + (segment.refs.isEmpty() ? "nothing" : segment.refs.getLast().position())
        + ": "
        + tail.how();
  }

  private static long firstOf(Path segment) {
    String name = segment.getFileName().toString();
    return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
  }

  private DamagedCopyException missing(Path path, long next) {
    return new DamagedCopyException(path + ": a log has a gap: entry " + next + " follows " + last);
  }

  /**
   * Drops entries before a gap, since a follower before lost entries cannot continue from there.
   */
  private void forgetBeforeGap() {
    long wanted = last.sequence();
    for (Segment segment : segments.reversed()) {
      int first = segment.refs.size();
      while (first > 0 && segment.refs.get(first - 1).position().sequence() == wanted) {
        first--;
        wanted--;
      }
      if (first > 0) {
        segment.refs.subList(0, first).clear();
        wanted = NONE;
      }
    }
  }

  /**
   * Writes the newest segment anew. After a failed force, its readable content may not be on the
   * disk, and no later force would write it.
   */
  void writeNewestAnew() throws IOException {
    Segment newest = segments.getLast();
    newest.file.close();
    storage.replace(newest.path, Files.readAllBytes(newest.path));
    newest.file = FramedFile.open(storage, newest.path, Damage.TOLD, (offset, bytes) -> {});
    this.newest = newest.file;
  }

  /** One piece of the log, to be checked for damage. */
  public record Piece(FramedFile file, long offset, int sizeBytes) {}

  /**
   * Returns all pieces of the log, to be read by any thread. A piece that is deleted meanwhile
   * cannot be read.
   */
  List<Piece> pieces() {
    List<Piece> pieces = new ArrayList<>();
    for (Segment segment : segments) {
      segment.refs.forEach(
          ref -> pieces.add(new Piece(segment.file, ref.offset(), ref.sizeBytes())));
    }
    return pieces;
  }

  /** Returns whether a piece is still a part of the log. */
  boolean has(Piece piece) {
    return segments.stream().anyMatch(segment -> segment.file == piece.file());
  }

  private void addSegment() throws IOException {
    Segment segment = new Segment(nextSegment());
    if (!segments.isEmpty() && segments.getLast().path.equals(segment.path)) {
      return; // nothing was appended since the last one was begun
    }
    segment.file =
        FramedFile.open(storage, segment.path, Damage.UNFORCED_TAIL, (offset, bytes) -> {});
    segments.add(segment);
    newest = segment.file;
  }

  private Path nextSegment() {
    return directory.resolve(String.format("%020d", last.sequence() + 1) + SUFFIX);
  }

  private void remove(Segment segment) throws IOException {
    segment.file.close();
    storage.delete(segment.path);
  }

  /** Returns the position of the newest entry, or of the checkpoint if there is none after it. */
  public Position last() {
    return last;
  }

  /** Returns the position of the newest checkpoint. */
  Position base() {
    return base;
  }

  /** Returns the number of log bytes since the newest checkpoint. */
  long bytesSinceCheckpoint() {
    return segments.getLast().file.size();
  }

  /**
   * Returns how many of the next entries the disk has room for, at least one.
   *
   * @param sizesBytes the most bytes of each
   * @throws UniserveException with {@link ErrorCode#EXHAUSTED} if it has none for the first
   */
  int requireRoom(List<Integer> sizesBytes) {
    try {
      long room = segments.getLast().file.roomBytes();
      if (room < sizesBytes.getFirst()) {
        throw new UniserveException(
            ErrorCode.EXHAUSTED,
            "the log cannot be written: the disk has room for " + room + " bytes");
      }
      int count = 0;
      while (count < sizesBytes.size() && sizesBytes.get(count) <= room) {
        room -= sizesBytes.get(count);
        count++;
      }
      return count;
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED, "the log cannot be written: " + UniserveException.reason(e), e);
    }
  }

  /** Appends the next entry: on return it survives a crash of the process. */
  public void append(LogEntry entry) throws IOException {
    append(List.of(entry));
  }

  /** Appends the next entries in one write: on return they survive a crash of the process. */
  void append(List<LogEntry> entries) throws IOException {
    Position before = last;
    List<ByteBuffer> frames = new ArrayList<>();
    for (LogEntry entry : entries) {
      requireNext(before, entry.position());
      before = entry.position();
      frames.add(codec.encode(entry));
    }
    Segment segment = segments.getLast();
    long[] offsets = segment.file.append(frames);
    for (int i = 0; i < offsets.length; i++) {
      LogEntry entry = entries.get(i);
      int sizeBytes = frames.get(i).remaining();
      segment.refs.add(new Ref(entry.position(), offsets[i], sizeBytes));
      last = entry.position();
      recent.add(entry, sizeBytes);
    }
  }

  /** Returns the file of the newest entry, to be forced by any thread. For any thread. */
  FramedFile newestFile() {
    return newest;
  }

  /** Removes the newest entry, which nobody has seen. */
  public void dropLast(Position before) throws IOException {
    Segment segment = segments.getLast();
    segment.file.truncate(segment.refs.getLast().offset());
    recent.removeLast(segment.refs.removeLast().position());
    last = before;
  }

  /** Returns whether a follower at this position can continue with the entries of this log. */
  public boolean contains(Position position) {
    return position.equals(last)
        || position.equals(base)
        || position.equals(start)
        || segments.stream().anyMatch(segment -> segment.contains(position));
  }

  /**
   * Returns the entries after a position that the log contains, up to about a number of bytes, and
   * at least one if there is one.
   */
  public List<LogEntry> after(Position position, int bytesMax) throws IOException {
    Optional<List<LogEntry>> known = recentAfter(position, bytesMax);
    return known.isPresent() ? known.get() : read(position, bytesMax);
  }

  /** Returns the same if all of it is in memory. */
  Optional<List<LogEntry>> recentAfter(Position position, int bytesMax) {
    if (position.equals(last)) {
      return Optional.of(List.of());
    }
    return recent.reachBackTo(position)
        ? Optional.of(recent.after(position, bytesMax))
        : Optional.empty();
  }

  private List<LogEntry> read(Position position, int bytesMax) throws IOException {
    List<LogEntry> entries = new ArrayList<>();
    long bytes = 0;
    for (Segment segment : segments) {
      int known = segment.until(position.sequence());
      for (Ref ref : segment.refs.subList(known, segment.refs.size())) {
        if (bytes > 0 && bytes + ref.sizeBytes() > bytesMax) {
          return entries;
        }
        entries.add(codec.decode(read(segment, ref)));
        bytes += ref.sizeBytes();
      }
    }
    return entries;
  }

  private static ByteBuffer read(Segment segment, Ref ref) throws IOException {
    try {
      return segment.file.read(ref.offset());
    } catch (UniserveException e) {
      throw new DamagedCopyException("entry " + ref.position() + " of a log: " + e.getMessage(), e);
    }
  }

  /** Begins a segment, so that older entries can be deleted without the later ones. */
  public void rotate() throws IOException {
    if (!segments.getLast().refs.isEmpty()) {
      // Entries that are forced later are lost if those before them are.
      segments.getLast().file.force();
      addSegment();
    }
  }

  /**
   * Notes that a checkpoint was made where {@link #rotate} was called, in place of damaged files;
   * deletes everything before it.
   */
  void renewed(Position position) throws IOException {
    start = position;
    base = position;
    while (segments.size() > 1 && endsBy(segments.getFirst(), position)) {
      remove(segments.removeFirst());
    }
  }

  /**
   * Notes that a checkpoint was made where {@link #rotate} was called; deletes what is not needed
   * any more.
   */
  public void checkpointed(Position position) throws IOException {
    start = base;
    base = position;
    while (segments.size() > 1 && endsBy(segments.getFirst(), start)) {
      remove(segments.removeFirst());
    }
  }

  private static boolean endsBy(Segment segment, Position position) {
    return segment.refs.isEmpty()
        || segment.refs.getLast().position().sequence() <= position.sequence();
  }

  private void requireNext(Position before, Position position) {
    Invariant.SAME_ORDER_ON_COPIES.require(
        isNext(before, position), () -> position + " follows " + before + " in " + directory);
  }

  private static boolean isNext(Position before, Position position) {
    return position.sequence() == before.sequence() + 1 && position.epoch() >= before.epoch();
  }

  @Override
  public void close() {
    if (!segments.isEmpty() && !segments.getLast().file.unusable()) {
      try {
        segments.getLast().file.force();
      } catch (IOException e) {
        LOG.warn("{} is closed, and its end cannot be forced to disk", directory, e);
      }
    }
    for (Segment segment : segments) {
      try {
        segment.file.close();
      } catch (IOException e) {
        throw UniserveException.of(e);
      }
    }
  }
}
