package io.uniserve.runtime.server.checkpoint;

import io.uniserve.kernel.Storage;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one replica: {@code checkpoints/}, {@code log/}, and a {@code live-n/} directory for
 * each life of the engine's actor and a {@code keys-n/} directory for one of its keys, neither of
 * which outlives the process.
 */
public final class ReplicaFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaFiles.class);

  private static final String UNFINISHED = "unfinished-";
  private static final String KEYS = "keys-";

  private final Storage storage;
  private final Path directory;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Path, Integer> readers = new TreeMap<>();
  private long lives;
  private long unfinished;

  /**
   * The newest checkpoint that this process has made or verified, with its checksums as they were
   * then. To compute the checksum of a linked file again, since the file of checksums is damaged,
   * would make damage of that file look right.
   */
  private Optional<CheckpointSums.Summed> verified = Optional.empty();

  /** Directories that the disk failed to delete. */
  private final Set<Path> undeleted = new TreeSet<>();

  public ReplicaFiles(Storage storage, Path directory) throws IOException {
    this.storage = storage;
    this.directory = directory;
    storage.createDirectories(checkpoints());
    for (Path leftover : leftovers()) {
      storage.deleteTree(leftover);
    }
  }

  public Path log() {
    return directory.resolve("log");
  }

  /** Creates a new, empty directory for the engine's actor. */
  public Path newLife() throws IOException {
    return Files.createDirectories(next("live-"));
  }

  /** Returns the directory for another life of the idempotency keys, which does not exist yet. */
  public Path nextKeys() {
    return next(KEYS);
  }

  private Path next(String prefix) {
    lock.lock();
    try {
      return directory.resolve(prefix + lives++);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Creates a new, empty directory in which a checkpoint may be put together. {@link #finish} makes
   * it one.
   */
  public Path begin() throws IOException {
    lock.lock();
    try {
      return Files.createDirectories(checkpoints().resolve(UNFINISHED + unfinished++));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes a directory from {@link #begin} the newest checkpoint, and deletes older ones that nobody
   * reads.
   */
  public Checkpoint finish(Path begun, CheckpointMeta meta) throws IOException {
    meta.write(begun);
    CheckpointSums sums = CheckpointSums.write(begun, before());
    storage.force(begun);
    Path target = checkpoints().resolve(name(meta.position()));
    lock.lock();
    try {
      if (Files.exists(target)) {
        storage.deleteTree(begun);
      } else {
        storage.rename(begun, target);
        verified = Optional.of(new CheckpointSums.Summed(target, sums));
      }
      dropOlderThan(target);
      return new Checkpoint(meta.position(), target);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes a directory from {@link #begin} the newest checkpoint, even if a damaged one exists at
   * the same position.
   *
   * @throws DamagedCopyException if the new one is damaged, too, since it shares files with the
   *     former
   */
  public Checkpoint renew(Path begun, CheckpointMeta meta) throws IOException {
    List<Path> before = checkpointDirectories();
    meta.write(begun);
    CheckpointSums sums = CheckpointSums.write(begun, before());
    CheckpointSums.check(begun);
    storage.force(begun);
    String name = name(meta.position());
    lock.lock();
    try {
      // The name sorts after that of the damaged one, which stays until this one exists.
      String newest = before.isEmpty() ? "" : before.getLast().getFileName().toString();
      int former = newest.startsWith(name + "-") ? lastNumber(newest) : 0;
      Path target =
          checkpoints()
              .resolve(newest.startsWith(name) ? name + String.format("-%08x", former + 1) : name);
      storage.rename(begun, target);
      verified = Optional.of(new CheckpointSums.Summed(target, sums));
      dropOlderThan(target);
      return new Checkpoint(meta.position(), target);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Requires that no file of a checkpoint of this replica has changed since it was made.
   *
   * @throws DamagedCopyException naming the file that has changed
   */
  public void check(Checkpoint checkpoint) throws IOException {
    Path path = checkpoint.directory();
    Optional<CheckpointSums> sums = CheckpointSums.check(path);
    lock.lock();
    try {
      verified = sums.map(known -> new CheckpointSums.Summed(path, known));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the newest checkpoint; empty if there is none, or it has no checksums.
   *
   * @throws DamagedCopyException if its checksums are damaged, and this process does not know them
   */
  private Optional<CheckpointSums.Summed> before() throws IOException {
    List<Path> all = checkpointDirectories();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    Path newest = all.getLast();
    lock.lock();
    try {
      if (verified.filter(known -> known.directory().equals(newest)).isPresent()) {
        return verified;
      }
    } finally {
      lock.unlock();
    }
    return CheckpointSums.read(newest).map(sums -> new CheckpointSums.Summed(newest, sums));
  }

  private static int lastNumber(String name) {
    return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1), 16);
  }

  /** The way in which a directory from {@link #begin} becomes the only checkpoint. */
  @FunctionalInterface
  public interface Placing {
    Checkpoint place(Path begun) throws IOException;
  }

  /** Replaces all files by those of {@code begun}, which becomes the only checkpoint. */
  public Checkpoint replaceAll(Path begun) throws IOException {
    storage.force(begun);
    clear();
    Path target = checkpoints().resolve(name(CheckpointMeta.read(begun).position()));
    storage.rename(begun, target);
    return new Checkpoint(CheckpointMeta.read(target).position(), target);
  }

  /**
   * Replaces all files by those of {@code begun}. The durable store has them, too, so this does not
   * wait for the disk. A crash of the process loses them, until {@link #settle}.
   */
  public Checkpoint adopt(Path begun) throws IOException {
    clear();
    storage.deleteTree(adopted());
    Files.move(begun, adopted(), StandardCopyOption.ATOMIC_MOVE);
    return new Checkpoint(CheckpointMeta.read(adopted()).position(), adopted());
  }

  /**
   * Makes an adopted checkpoint durable like others.
   *
   * @throws DamagedCopyException if it cannot be forced, so that it is unknown what the disk has of
   *     it; it is deleted then
   */
  public void settle() throws IOException {
    deleteAgain();
    if (!Files.exists(adopted())) {
      return;
    }
    try {
      storage.force(adopted());
    } catch (IOException e) {
      storage.deleteTree(adopted());
      throw new DamagedCopyException("a loaded checkpoint could not be forced to disk: " + e, e);
    }
    Path target = checkpoints().resolve(name(CheckpointMeta.read(adopted()).position()));
    lock.lock();
    try {
      storage.deleteTree(target);
      storage.rename(adopted(), target);
      dropOlderThan(checkpointDirectories().getLast());
    } finally {
      lock.unlock();
    }
  }

  private Path adopted() {
    return checkpoints().resolve(UNFINISHED + "adopted");
  }

  /**
   * Notes on disk that a load has begun. Without the note, an interrupted load would be taken for
   * complete data.
   */
  public void beginLoading() throws IOException {
    storage.replace(loadingNote(), new byte[0]);
  }

  /** Notes on disk that a load is complete. */
  public void endLoading() throws IOException {
    storage.delete(loadingNote());
  }

  /** Returns whether a load has begun and not ended, in this or a former life. */
  public boolean isLoading() {
    return Files.exists(loadingNote());
  }

  private Path loadingNote() {
    return directory.resolve("loading");
  }

  /** Removes all checkpoints and the log. */
  public void clear() throws IOException {
    for (Path old : checkpointDirectories()) {
      storage.deleteTree(old);
    }
    storage.deleteTree(log());
  }

  /** Returns the newest checkpoint. */
  public Optional<Checkpoint> newest() throws IOException {
    List<Path> all = checkpointDirectories();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    Path path = all.getLast();
    return Optional.of(new Checkpoint(CheckpointMeta.read(path).position(), path));
  }

  /** Keeps a checkpoint from being deleted until {@link #unpin}. */
  public void pin(Checkpoint checkpoint) {
    lock.lock();
    try {
      readers.merge(checkpoint.directory(), 1, Integer::sum);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets a checkpoint be deleted once there is a newer one. If the disk cannot delete it now, that
   * is tried again with the next one: whoever read the checkpoint has what it wanted.
   */
  public void unpin(Checkpoint checkpoint) {
    lock.lock();
    try {
      readers.computeIfPresent(
          checkpoint.directory(), (path, count) -> count == 1 ? null : count - 1);
      List<Path> all = checkpointDirectories();
      if (!all.isEmpty()) {
        dropOlderThan(all.getLast());
      }
    } catch (IOException e) {
      LOG.warn("former checkpoints in {} cannot be deleted yet", checkpoints(), e);
    } finally {
      lock.unlock();
    }
  }

  /** Copies a checkpoint's files for the engine into a directory that it may change. */
  public static void copyInto(Checkpoint checkpoint, Path life, boolean link) throws IOException {
    Path from = checkpoint.engineFiles();
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(life.resolve(from.relativize(dir).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path to = life.resolve(from.relativize(file).toString());
            if (link) {
              Files.createLink(to, file);
            } else {
              Files.copy(file, to);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /**
   * Deletes a directory. If the disk fails, {@link #settle} deletes it before it ends without
   * failure.
   */
  public void delete(Path path) throws IOException {
    try {
      storage.deleteTree(path);
    } catch (IOException e) {
      lock.lock();
      try {
        undeleted.add(path);
      } finally {
        lock.unlock();
      }
      throw e;
    }
  }

  private void deleteAgain() throws IOException {
    lock.lock();
    try {
      for (Path path : List.copyOf(undeleted)) {
        storage.deleteTree(path);
        undeleted.remove(path);
      }
    } finally {
      lock.unlock();
    }
  }

  public void deleteEverything() throws IOException {
    storage.deleteTree(directory);
  }

  private void dropOlderThan(Path newest) throws IOException {
    for (Path path : checkpointDirectories()) {
      if (path.compareTo(newest) < 0 && !readers.containsKey(path)) {
        storage.deleteTree(path);
      }
    }
  }

  private Path checkpoints() {
    return directory.resolve("checkpoints");
  }

  /**
   * Returns the directories of checkpoints, the oldest first; none once all files are deleted,
   * which may happen while they are listed.
   */
  private List<Path> checkpointDirectories() throws IOException {
    try (Stream<Path> paths = Files.list(checkpoints())) {
      return paths
          .filter(path -> !path.getFileName().toString().startsWith(UNFINISHED))
          .sorted(Comparator.comparing(Path::getFileName))
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private List<Path> leftovers() throws IOException {
    try (Stream<Path> lives = Files.list(directory);
        Stream<Path> begun = Files.list(checkpoints())) {
      return Stream.concat(
              lives.filter(ReplicaFiles::isOfALife),
              begun.filter(path -> path.getFileName().toString().startsWith(UNFINISHED)))
          .toList();
    }
  }

  private static boolean isOfALife(Path path) {
    String name = path.getFileName().toString();
    return name.startsWith("live-") || name.startsWith(KEYS);
  }

  /** Returns the name of a checkpoint at a position. Names sort as positions do. */
  private static String name(Position position) {
    return String.format("%016x-%016x", position.epoch(), position.sequence());
  }
}
