package io.uniserve.runtime.control.raft;

import io.uniserve.api.codec.Form;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Storage;
import io.uniserve.runtime.store.FramedFile;
import io.uniserve.runtime.store.FramedFile.Damage;
import io.uniserve.runtime.wire.ConsensusMessage.Chunk;
import io.uniserve.runtime.wire.entry.Forms;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The snapshots, each a file of chunks. A snapshot without all its chunks was interrupted, and does
 * not count. The log that it replaces is deleted only once the snapshot is complete and forced.
 */
final class SnapshotFiles implements Closeable {
  private static final String PREFIX = "snapshot-";
  static final Form FORM = Forms.of("a controller's snapshot", Chunk.class);

  private final Storage storage;
  private final Path directory;
  private FramedFile writing;
  private long writingIndex;
  private boolean dirty;

  SnapshotFiles(Storage storage, Path directory) {
    this.storage = storage;
    this.directory = directory;
  }

  /**
   * Returns the chunks of the newest complete snapshot, in order; deletes all others.
   *
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if one is damaged that was forced; it
   *     stays as it is
   */
  Optional<List<Chunk>> newest() throws IOException {
    Optional<List<Chunk>> newest = Optional.empty();
    for (Path path : existing()) {
      Optional<List<Chunk>> chunks = newest.isPresent() ? Optional.empty() : complete(path);
      if (chunks.isPresent()) {
        // The readable content may not be on the disk: after a failed force of a former life, it
        // never will be. Its mark may be gone after a loss of power.
        storage.replace(path, FramedFile.marked(Files.readAllBytes(path)));
        newest = chunks;
      } else {
        storage.delete(path);
      }
    }
    return newest;
  }

  /** Returns the files, the newest first. */
  private List<Path> existing() throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths
          .filter(path -> path.getFileName().toString().startsWith(PREFIX))
          .sorted(Comparator.comparing((Path path) -> path.getFileName().toString()).reversed())
          .toList();
    }
  }

  private Optional<List<Chunk>> complete(Path path) throws IOException {
    TreeMap<Integer, Chunk> chunks = new TreeMap<>();
    FramedFile.open(
            storage,
            path,
            Damage.UNFORCED_TAIL,
            (offset, bytes) -> {
              Chunk chunk = FORM.decode(bytes, Chunk.class);
              chunks.put(chunk.number(), chunk);
            })
        .close();
    boolean complete = !chunks.isEmpty() && chunks.size() == chunks.firstEntry().getValue().count();
    return complete ? Optional.of(new ArrayList<>(chunks.values())) : Optional.empty();
  }

  private Path path(long index) {
    return directory.resolve("%s%019d".formatted(PREFIX, index));
  }

  /** Adds a chunk, which may be lost until {@link #force}. */
  void add(Chunk chunk) throws IOException {
    if (writing == null || writingIndex != chunk.index()) {
      close();
      writingIndex = chunk.index();
      storage.delete(path(writingIndex));
      writing =
          FramedFile.open(storage, path(writingIndex), Damage.UNFORCED_TAIL, (offset, bytes) -> {});
    }
    writing.append(ByteBuffer.wrap(FORM.encode(chunk)));
    dirty = true;
  }

  void force() throws IOException {
    if (dirty) {
      writing.force();
      writing.mark();
      dirty = false;
    }
  }

  /** Deletes a snapshot that is not wanted any more. */
  void delete(long index) throws IOException {
    if (writing != null && writingIndex == index) {
      close();
    }
    storage.delete(path(index));
  }

  /** Deletes all snapshots before the one that was written last. */
  void deleteAllButNewest() throws IOException {
    for (Path path : existing()) {
      if (writing != null && !path.equals(path(writingIndex))) {
        storage.delete(path);
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (writing != null) {
      writing.close();
      writing = null;
      dirty = false;
    }
  }
}
