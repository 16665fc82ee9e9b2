package io.uniserve.runtime.cluster;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.ForwardingAppendFile;
import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** Files of which a chosen number of writes fail as on a full disk, or wait. */
final class FaultyStorage implements ForwardingStorage {
  /** The writes that can fail. */
  enum Write {
    APPEND,
    FORCE,
    REPLACE,
    /** A directory is made, but its name is not forced. */
    MAKE
  }

  private record Fault(Write write, String below, AtomicInteger spared, AtomicInteger left) {}

  private static final long HELD_NANOS = 200_000;

  private final Storage storage;
  private final AtomicInteger held = new AtomicInteger();
  private volatile Optional<Pattern> holding = Optional.empty();
  private volatile Fault fault = new Fault(Write.APPEND, "", new AtomicInteger(), zero());

  FaultyStorage(Storage storage) {
    this.storage = storage;
  }

  @Override
  public Storage disk() {
    return storage;
  }

  /**
   * @param below part of the path of the files concerned
   * @param spared the number of these writes that succeed first
   * @param count the number of writes that fail then
   */
  void fail(Write write, String below, int spared, int count) {
    fault = new Fault(write, below, new AtomicInteger(spared), new AtomicInteger(count));
  }

  /** Lets all forcing of files and directories whose paths match wait from now on. */
  void hold(Pattern paths) {
    holding = Optional.of(paths);
  }

  /** Lets what waits go on. */
  void release() {
    holding = Optional.empty();
  }

  /** Returns how many have begun to wait. */
  int held() {
    return held.get();
  }

  private void awaitRelease(Path path) {
    boolean counted = false;
    while (holding.filter(paths -> paths.matcher(path.toString()).find()).isPresent()) {
      if (!counted) {
        held.incrementAndGet();
        counted = true;
      }
      LockSupport.parkNanos(HELD_NANOS);
    }
  }

  /** Returns how many of the writes that are to fail have not come. */
  int left() {
    return fault.left().get();
  }

  private void check(Write write, Path path) throws IOException {
    Fault now = fault;
    if (now.write() == write
        && path.toString().contains(now.below())
        && now.spared().getAndUpdate(FaultyStorage::less) == 0
        && now.left().getAndUpdate(FaultyStorage::less) > 0) {
      throw new FileSystemException(path.toString(), null, "No space left on device");
    }
  }

  private static int less(int count) {
    return Math.max(0, count - 1);
  }

  private static AtomicInteger zero() {
    return new AtomicInteger();
  }

  @Override
  public AppendFile append(Path file) throws IOException {
    return new FaultyFile(file, storage.append(file));
  }

  @Override
  public void replace(Path file, byte[] contents) throws IOException {
    check(Write.REPLACE, file);
    storage.replace(file, contents);
  }

  @Override
  public Path createDirectories(Path directory) throws IOException {
    Path made = storage.createDirectories(directory);
    check(Write.MAKE, directory);
    return made;
  }

  @Override
  public void force(Path path) throws IOException {
    check(Write.FORCE, path);
    awaitRelease(path);
    storage.force(path);
  }

  private final class FaultyFile implements ForwardingAppendFile {
    private final Path path;
    private final AppendFile file;

    FaultyFile(Path path, AppendFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public AppendFile file() {
      return file;
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      check(Write.APPEND, path);
      file.append(bytes);
    }
  }
}
