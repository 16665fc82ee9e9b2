package io.uniserve.runtime.control.raft;

import io.uniserve.api.codec.Encoder;
import io.uniserve.kernel.Storage;
import io.uniserve.runtime.store.FramedFile;
import io.uniserve.runtime.store.FramedFile.Damage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The files of a log, numbered; the last one grows. Files are deleted, the oldest first, once a
 * snapshot replaces all their entries.
 */
final class LogSegments implements Closeable {
  private static final String PREFIX = "log-";

  private final Storage storage;
  private final Path directory;
  private final Deque<Segment> closed = new ArrayDeque<>();
  private FramedFile active;
  private long number;
  private long highest;

  private record Segment(Path path, long highest) {}

  private LogSegments(Storage storage, Path directory) {
    this.storage = storage;
    this.directory = directory;
  }

  /**
   * Opens all files.
   *
   * @param visitor receives every change, in order
   */
  static LogSegments open(Storage storage, Path directory, Consumer<LogChange> visitor)
      throws IOException {
    LogSegments segments = new LogSegments(storage, directory);
    try {
      List<Path> paths = existing(directory);
      for (Path path : paths) {
        segments.retire();
        if (path.equals(paths.getLast())) {
          segments.writeAnew(path);
        }
        segments.number = Long.parseLong(path.getFileName().toString().substring(PREFIX.length()));
        segments.openActive(path, visitor);
      }
      if (segments.active == null) {
        segments.begin();
      }
      return segments;
    } catch (IOException | RuntimeException e) {
      segments.close();
      throw e;
    }
  }

  private static List<Path> existing(Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths
          .filter(path -> path.getFileName().toString().startsWith(PREFIX))
          .sorted((a, b) -> a.getFileName().toString().compareTo(b.getFileName().toString()))
          .toList();
    }
  }

  /**
   * Writes a file anew, with a mark at its end, which a loss of power may have taken. Its readable
   * content may only be in the system's memory: after a failed force of a former life, the next
   * force succeeds without writing anything.
   */
  private void writeAnew(Path path) throws IOException {
    FramedFile.open(storage, path, Damage.UNFINISHED_LAST, (offset, bytes) -> {}).close();
    storage.replace(path, FramedFile.marked(Files.readAllBytes(path)));
  }

  private void openActive(Path path, Consumer<LogChange> visitor) throws IOException {
    // Frames are forced one by one, and a file before the next is begun.
    active =
        FramedFile.open(
            storage,
            path,
            Damage.UNFINISHED_LAST,
            (offset, bytes) ->
                LogChange.read(bytes)
                    .forEach(
                        change -> {
                          note(change);
                          visitor.accept(change);
                        }));
  }

  private void note(LogChange change) {
    if (change instanceof LogChange.Append append) {
      highest = Math.max(highest, append.entries().getLast().index());
    }
  }

  private Path path(long number) {
    return directory.resolve("%s%019d".formatted(PREFIX, number));
  }

  private void begin() throws IOException {
    number++;
    highest = 0;
    openActive(path(number), change -> {});
  }

  /** Closes the active file, to which nothing is appended any more. */
  private void retire() throws IOException {
    if (active != null) {
      active.close();
      active = null;
      closed.add(new Segment(path(number), highest));
      highest = 0;
    }
  }

  /** Appends changes and forces them; after a crash all of them are there, or none. */
  void append(ByteBuffer changes, long highestIndex) throws IOException {
    active.append(changes);
    active.force();
    active.mark();
    highest = Math.max(highest, highestIndex);
  }

  /** Notes that a snapshot replaces all entries up to this one, and deletes files. */
  void dropUntil(long index) throws IOException {
    Encoder floor = new Encoder();
    LogChange.write(new LogChange.Floor(index), floor);
    retire();
    begin();
    append(floor.toByteBuffer(), 0);
    while (!closed.isEmpty() && closed.peek().highest() <= index) {
      storage.delete(closed.poll().path());
    }
  }

  @Override
  public void close() throws IOException {
    if (active != null) {
      active.close();
    }
  }
}
