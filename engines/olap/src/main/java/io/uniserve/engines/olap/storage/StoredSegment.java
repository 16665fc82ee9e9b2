package io.uniserve.engines.olap.storage;

import io.uniserve.engines.olap.druid.Druid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.Segment;
import org.apache.druid.timeline.SegmentId;

/**
 * A segment: a directory of files that never change. Its files are deleted when neither the
 * datasource nor a query nor a snapshot uses it any more.
 */
final class StoredSegment {
  private final long number;
  private final Path directory;
  private final QueryableIndex index;
  private final Segment segment;
  private final long sizeBytes;
  private final AtomicInteger uses = new AtomicInteger(1);

  private StoredSegment(String table, long number, Path directory, QueryableIndex index)
      throws IOException {
    this.number = number;
    this.directory = directory;
    this.index = index;
    this.segment =
        new QueryableIndexSegment(
            index, SegmentId.of(table, index.getDataInterval(), "segment-" + number, 0));
    long bytes = 0;
    for (Path file : files()) {
      bytes += Files.size(file);
    }
    this.sizeBytes = bytes;
  }

  static StoredSegment open(String table, long number, Path directory) throws IOException {
    QueryableIndex index = Druid.get().files().loadIndex(directory.toFile());
    return new StoredSegment(table, number, directory, index);
  }

  long number() {
    return number;
  }

  QueryableIndex index() {
    return index;
  }

  Segment segment() {
    return segment;
  }

  long rows() {
    return index.getNumRows();
  }

  long sizeBytes() {
    return sizeBytes;
  }

  /** Notes one more user. The caller knows of another one that does not release it meanwhile. */
  void use() {
    uses.incrementAndGet();
  }

  /** Notes one user less, and forgets the segment after the last. */
  void release() {
    if (uses.decrementAndGet() == 0) {
      index.close();
      deleteAll(directory);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  /** Links the files into a new directory, or copies them on a disk without links. */
  void linkTo(Path target) throws IOException {
    Files.createDirectories(target);
    for (Path file : files()) {
      Path to = target.resolve(file.getFileName());
      try {
        Files.createLink(to, file);
      } catch (UnsupportedOperationException | FileSystemException noLinks) {
        Files.copy(file, to);
      }
    }
  }

  static void deleteAll(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (NoSuchFileException gone) {
      // A closed actor's whole directory may be deleted before its last query ends.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
