package io.uniserve.runtime.store.directory;

import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Storage;
import io.uniserve.runtime.store.CheckedCopy;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ObjectKey;
import io.uniserve.runtime.store.Sha256;
import io.uniserve.runtime.store.StoreFailures;
import io.uniserve.runtime.store.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A {@link DurableStore} in a directory. Several processes may use it at once, and on a shared file
 * system several machines. Each object is a file: its content and a {@link Seal}. It is written
 * beside its place, forced to disk and then renamed or linked into it.
 */
public final class DirectoryStore implements DurableStore {
  /** The directory where objects are written; no key can begin like this. */
  private static final String UNFINISHED = ".unfinished";

  /** The age of a file that nobody still writes. */
  private static final Duration ABANDONED = Duration.ofDays(1);

  private final Storage storage;
  private final RandomGenerator random;

  /**
   * Opens the store and deletes what writers that crashed long ago have left.
   *
   * @param storage the storage whose root is the store's directory, for this store alone
   */
  public DirectoryStore(Storage storage, Clock clock, RandomGenerator random) {
    this.storage = storage;
    this.random = random;
    try {
      storage.createDirectories(storage.root().resolve(UNFINISHED));
      deleteAbandoned(clock.now().minus(ABANDONED));
    } catch (IOException e) {
      throw StoreFailures.of(e, "open " + this);
    }
  }

  @Override
  public void put(String key, Content content) {
    Path place = placeOf(key);
    write(
        key,
        content,
        finished -> {
          Files.move(
              finished, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
          return true;
        });
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    Path place = placeOf(key);
    return write(key, content, finished -> linkUnlessTaken(finished, place));
  }

  @Override
  public byte[] get(String key, int sizeBytesMax) {
    String what = describe("get", key);
    try (FileChannel file = FileChannel.open(placeOf(key));
        InputStream in = Channels.newInputStream(file)) {
      long size = Seal.contentBytes(file.size(), what);
      if (size > sizeBytesMax) {
        throw StoreFailures.tooLarge(what, size, sizeBytesMax);
      }
      byte[] content = in.readNBytes((int) size);
      Seal.read(in, what).require(Sha256.of(content), what);
      return content;
    } catch (IOException e) {
      throw StoreFailures.of(e, what);
    }
  }

  @Override
  public String get(String key, Path target) {
    String what = describe("get", key);
    try (FileChannel file = FileChannel.open(placeOf(key));
        InputStream in = Channels.newInputStream(file);
        OutputStream out = Files.newOutputStream(target)) {
      String found = CheckedCopy.copy(in, out, Seal.contentBytes(file.size(), what), what);
      Seal.read(in, what).require(found, what);
      return found;
    } catch (IOException e) {
      throw StoreFailures.of(e, what);
    }
  }

  @Override
  public boolean exists(String key) {
    return Files.isRegularFile(placeOf(key));
  }

  @Override
  public void list(String prefix, Consumer<StoredObject> visitor) {
    Path directory = storage.root().resolve(ObjectKey.checkPrefix(prefix));
    try {
      if (Files.isDirectory(directory)) {
        visit(directory, prefix, visitor);
      }
    } catch (IOException e) {
      throw StoreFailures.of(e, "list " + prefix + " in " + this);
    }
  }

  @Override
  public void delete(String key) {
    try {
      storage.delete(placeOf(key));
    } catch (IOException e) {
      throw StoreFailures.of(e, describe("delete", key));
    }
  }

  /** Closes nothing, since nothing is held open. */
  @Override
  public void close() {}

  @Override
  public String toString() {
    return "file:" + storage.root();
  }

  /** A way to put a finished file into its place; it returns false if the place is taken. */
  @FunctionalInterface
  private interface Placing {
    boolean place(Path finished) throws IOException;
  }

  private boolean write(String key, Content content, Placing placing) {
    Path unfinished =
        storage.root().resolve(UNFINISHED).resolve(Long.toHexString(random.nextLong()));
    try {
      try {
        writeSealed(unfinished, content, describe("put", key));
        storage.force(unfinished);
        storage.createDirectories(placeOf(key).getParent());
        boolean placed = placing.place(unfinished);
        if (placed) {
          storage.force(placeOf(key));
        }
        return placed;
      } finally {
        Files.deleteIfExists(unfinished);
      }
    } catch (IOException e) {
      throw StoreFailures.of(e, describe("put", key));
    }
  }

  private static void writeSealed(Path file, Content content, String what) throws IOException {
    try (InputStream in = content.open();
        OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
      String found = CheckedCopy.copy(in, out, content.sizeBytes(), what);
      if (in.read() >= 0 || !found.equals(content.sha256())) {
        throw StoreFailures.corrupt(what, "the content changed while it was stored");
      }
      new Seal(found).write(out);
    }
  }

  private static boolean linkUnlessTaken(Path finished, Path place) throws IOException {
    try {
      Files.createLink(place, finished);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /**
   * Visits objects. Children are sorted as their keys are, in which a directory continues with a
   * slash.
   */
  private static void visit(Path directory, String prefix, Consumer<StoredObject> visitor)
      throws IOException {
    for (String name : sortedNames(directory)) {
      Path path = directory.resolve(name);
      if (name.endsWith("/")) {
        visit(path, prefix + name, visitor);
      } else {
        visitFile(path, prefix + name, visitor);
      }
    }
  }

  private static void visitFile(Path path, String key, Consumer<StoredObject> visitor)
      throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes = Files.readAttributes(path, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      return; // the file was deleted since its directory was read
    }
    long size = Math.max(0, attributes.size() - Seal.SIZE_BYTES);
    visitor.accept(new StoredObject(key, size, attributes.lastModifiedTime().toInstant()));
  }

  private static List<String> sortedNames(Path directory) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children
          .filter(path -> !path.getFileName().toString().startsWith("."))
          .map(path -> path.getFileName() + (Files.isDirectory(path) ? "/" : ""))
          .sorted()
          .toList();
    }
  }

  private void deleteAbandoned(Instant before) throws IOException {
    Path directory = storage.root().resolve(UNFINISHED);
    for (String name : sortedNames(directory)) {
      Path file = directory.resolve(name);
      if (lastModified(file).filter(time -> time.isBefore(before)).isPresent()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /**
   * Returns when a file was last written; empty if another server has finished it since it was
   * listed.
   */
  private static Optional<Instant> lastModified(Path unfinished) throws IOException {
    try {
      return Optional.of(Files.getLastModifiedTime(unfinished).toInstant());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private Path placeOf(String key) {
    return storage.root().resolve(ObjectKey.check(key));
  }

  private String describe(String action, String key) {
    return action + " " + key + " in " + this;
  }
}
