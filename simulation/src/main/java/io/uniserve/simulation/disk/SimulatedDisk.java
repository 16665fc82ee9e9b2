package io.uniserve.simulation.disk;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Feature;
import com.google.common.jimfs.Jimfs;
import com.google.common.jimfs.PathType;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Storage;
import io.uniserve.simulation.schedule.SimulatedClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** One disk, which outlives the lives of the process that uses it. */
public final class SimulatedDisk implements AutoCloseable {
  private static final int BLOCK_BYTES = 4096;

  private final FileSystem files;
  private final Path root;
  private final Path filler;
  private final Forcing forcing;
  private final Optional<DurableImage> durable;
  private final DiskFaults faults = new DiskFaults();
  private boolean rotten;
  private double slowness = 1;

  /**
   * Creates a disk that may lose data that was not forced.
   *
   * @param sizeBytes its size
   * @param time stamps the files
   */
  public static SimulatedDisk ofMachine(long sizeBytes, InstantSource time) {
    return new SimulatedDisk(sizeBytes, time, DurableImage::new);
  }

  /**
   * Creates a disk whose machine never crashes, as that of a durable store. It is much cheaper,
   * since forces are not tracked.
   *
   * @param sizeBytes its size
   * @param time stamps the files
   */
  public static SimulatedDisk ofService(long sizeBytes, InstantSource time) {
    return new SimulatedDisk(sizeBytes, time, (root, links) -> null);
  }

  @FunctionalInterface
  private interface Noting {
    DurableImage of(Path root, Path links) throws IOException;
  }

  private SimulatedDisk(long sizeBytes, InstantSource time, Noting noting) {
    files =
        Jimfs.newFileSystem(
            Configuration.builder(PathType.unix())
                .setRoots("/")
                .setWorkingDirectory("/")
                .setAttributeViews("basic")
                .setSupportedFeatures(Feature.LINKS, Feature.FILE_CHANNEL)
                .setBlockSize(BLOCK_BYTES)
                .setMaxSize(sizeBytes)
                .setFileTimeSource(() -> FileTime.from(time.instant()))
                .build());
    root = files.getPath("/data");
    filler = files.getPath("/filler");
    try {
      Files.createDirectory(root);
      durable = Optional.ofNullable(noting.of(root, files.getPath("/durable")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    forcing = durable.isPresent() ? durable.get() : Forcing.UNNOTED;
  }

  /**
   * Returns the port to this disk for one life of a process.
   *
   * @param clock the clock of that life, which waits for the disk
   * @param random decides all delays
   */
  public Storage storage(Clock clock, RandomGenerator random) {
    if (!(clock instanceof SimulatedClock simulated)) {
      throw new IllegalArgumentException("a simulated disk needs a simulated clock");
    }
    return new SimulatedStorage(root, forcing, new DiskDelay(this, simulated, random));
  }

  /** Returns the directory of the process's files. */
  public Path root() {
    return root;
  }

  /** Takes all free space, so that nothing can be written any more. */
  public void fill() {
    byte[] block = new byte[BLOCK_BYTES];
    try (OutputStream out = Files.newOutputStream(filler)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      return;
    }
  }

  /** Gives the space back. */
  public void free() {
    try {
      Files.deleteIfExists(filler);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @param factor the number of times that everything takes longer than normally
   */
  public void slow(double factor) {
    slowness = factor;
  }

  double slowness() {
    return slowness;
  }

  DiskFaults faults() {
    return faults;
  }

  /**
   * @param share the share of all writes that fail, leaving nothing
   */
  public void failWrites(double share) {
    faults.failWrites(share);
  }

  /**
   * @param share the share of all reads of logs that fail
   */
  public void failReads(double share) {
    faults.failReads(share);
  }

  /**
   * @param share the share of all forces that fail; data not forced by then is lost, though it may
   *     be read for some time, and forced as if it were still to be written
   */
  public void failForces(double share) {
    faults.failForces(share);
  }

  /**
   * Changes a file's contents silently, forced or not.
   *
   * @param files selects the possible files
   * @return the file; empty if there is none
   */
  public Optional<Path> rot(Rot kind, Predicate<Path> files, RandomGenerator random) {
    DurableImage image =
        durable.orElseThrow(() -> new IllegalStateException("the disk of a service never rots"));
    try (Stream<Path> paths = Files.walk(root)) {
      List<Path> some =
          paths.filter(path -> Files.isRegularFile(path) && files.test(path)).sorted().toList();
      if (some.isEmpty()) {
        return Optional.empty();
      }
      Path file = some.get(random.nextInt(some.size()));
      Path other = some.get(random.nextInt(some.size()));
      boolean changed = image.rot(file, kind.changes(file, other, random));
      rotten |= changed;
      return changed ? Optional.of(file) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether anything has rotted since the disk was empty. */
  public boolean rotten() {
    return rotten;
  }

  /**
   * Loses what a crash of the machine may lose. The process must have ended.
   *
   * @throws IllegalStateException if forces were not tracked
   */
  public void crash(RandomGenerator random) {
    DurableImage image =
        durable.orElseThrow(() -> new IllegalStateException("this machine never crashes"));
    boolean full = Files.exists(filler);
    free(); // the restored state may need more room than the last one
    try {
      image.crash(random);
      if (full) {
        fill();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Replaces everything with a durable copy of another disk, as it is at this moment. The process
   * must have ended; that of the other disk may run.
   */
  public void copy(SimulatedDisk other) {
    wipe();
    try (Stream<Path> paths = Files.walk(other.root)) {
      for (Path path : paths.toList()) {
        Path target = root.resolve(other.root.relativize(path).toString());
        if (!path.equals(other.root)) {
          Files.copy(path, target);
        }
      }
      forcing.force(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Loses everything, as a disk that is replaced. The process must have ended. */
  public void wipe() {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(root)) {
          Files.delete(path);
        }
      }
      forcing.forceNames(root);
      rotten = false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      files.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
