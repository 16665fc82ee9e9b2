package io.uniserve.testkit.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.opentest4j.TestAbortedException;

/**
 * A directory where writes fail from some point on, for native libraries too. The point moves from
 * one {@linkplain Failure failure} to the next, from the first byte or file to beyond what an
 * engine writes with a few records. Since one kind of failure holds for the whole process, a test
 * takes the lock {@link org.junit.jupiter.api.parallel.Resources#GLOBAL}.
 */
public final class FailingDisk implements AutoCloseable {
  /** The size of the disk, which suffices for any engine's files with a few records. */
  private static final int MEBIBYTES = 48;

  /** The most files on the disk, which suffices likewise. */
  private static final int DISK_FILES = 2000;

  /** The growth of the free space, in bytes. */
  private static final int BLOCK_BYTES = 1 << 12;

  /** The most free blocks: any engine then has room for a small update. */
  private static final int BLOCKS_MAX = 23;

  /** The most files that may still be made. */
  private static final int FILES_MAX = 11;

  /** The greatest limit of a file's size, in bytes. */
  private static final long SIZE_MAX = 1 << 20;

  /** The growth of the limit of a file's size. */
  private static final int SIZE_FACTOR = 3;

  /** The number of failures in a row that may go unnoticed before a kind ends. */
  private static final int STEADY_MAX = 2;

  private final Path path;
  private final Optional<SmallDisk> small;
  private final FileSizeLimit sizes;
  private boolean noticed = true;

  /** A point from which on writes fail. */
  public sealed interface Failure {

    /**
     * A disk that becomes full.
     *
     * @param leftBytes the room that is left
     */
    record NoRoom(int leftBytes) implements Failure {
      @Override
      public String toString() {
        return "with room for %,d bytes".formatted(leftBytes);
      }
    }

    /**
     * A disk on which no more files can be made.
     *
     * @param left the number of files that can be made
     */
    record NoMoreFiles(int left) implements Failure {
      @Override
      public String toString() {
        return "with room for " + left + " files";
      }
    }

    /**
     * A file that cannot grow.
     *
     * @param bytes the size that no file exceeds
     */
    record NoLargerFiles(long bytes) implements Failure {
      @Override
      public String toString() {
        return "with files of at most %,d bytes".formatted(bytes);
      }
    }
  }

  private FailingDisk(Path path, Optional<SmallDisk> small, FileSizeLimit sizes) {
    this.path = path;
    this.small = small;
    this.sizes = sizes;
  }

  /**
   * Makes the directory. Where no file system may be mounted, the sizes of files alone are limited;
   * skips the test if neither is possible.
   */
  public static FailingDisk orSkip(Path place) throws IOException {
    Files.createDirectories(place);
    FileSizeLimit sizes = FileSizeLimit.orSkip();
    return new FailingDisk(place, small(place), sizes);
  }

  private static Optional<SmallDisk> small(Path place) throws IOException {
    try {
      return Optional.of(SmallDisk.orSkip(place, MEBIBYTES, DISK_FILES));
    } catch (TestAbortedException e) {
      System.out.println("no disk can be filled: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** Returns its path. */
  public Path path() {
    return path;
  }

  /**
   * Returns the failures that are possible here, those of one kind from the earliest to the last. A
   * kind ends early when several in a row were not {@linkplain #noticed noticed}.
   */
  public Iterable<Failure> failures() {
    return () -> new Attempts(kinds().iterator());
  }

  private List<List<Failure>> kinds() {
    List<Failure> room = new ArrayList<>();
    for (int blocks = 0; blocks <= BLOCKS_MAX; blocks++) {
      room.add(new Failure.NoRoom(blocks * BLOCK_BYTES));
    }
    List<Failure> files = new ArrayList<>();
    for (int left = 0; left <= FILES_MAX; left++) {
      files.add(new Failure.NoMoreFiles(left));
    }
    List<Failure> larger = new ArrayList<>(List.of(new Failure.NoLargerFiles(0)));
    for (long bytes = SIZE_FACTOR; bytes < SIZE_MAX; bytes *= SIZE_FACTOR) {
      larger.add(new Failure.NoLargerFiles(bytes));
    }
    return small.isPresent() ? List.of(room, files, larger) : List.of(larger);
  }

  /** The failures of a check. */
  private final class Attempts implements Iterator<Failure> {
    private final Iterator<List<Failure>> kinds;
    private Iterator<Failure> its = Collections.emptyIterator();
    private int steady;

    private Attempts(Iterator<List<Failure>> kinds) {
      this.kinds = kinds;
    }

    @Override
    public boolean hasNext() {
      return its.hasNext() && !beyond() || kinds.hasNext();
    }

    private boolean beyond() {
      return steady + (noticed ? 0 : 1) > STEADY_MAX;
    }

    @Override
    public Failure next() {
      steady = noticed ? 0 : steady + 1;
      if (!its.hasNext() || steady > STEADY_MAX) {
        its = kinds.next().iterator();
        steady = 0;
      }
      noticed = false;
      return its.next();
    }
  }

  /** Notes that the present failure was noticed: what was tried did not succeed. */
  public void noticed() {
    noticed = true;
  }

  /** Lets writes fail, until {@link #mend}. */
  public void fail(Failure failure) throws IOException {
    switch (failure) {
      case Failure.NoRoom room -> small.orElseThrow().fill(room.leftBytes());
      case Failure.NoMoreFiles files -> small.orElseThrow().fillFiles(files.left());
      case Failure.NoLargerFiles larger -> sizes.set(larger.bytes());
    }
  }

  /** Lets writes succeed. */
  public void mend() throws IOException {
    sizes.lift();
    if (small.isPresent()) {
      small.get().free();
    }
  }

  @Override
  public void close() {
    small.ifPresent(SmallDisk::close);
  }
}
