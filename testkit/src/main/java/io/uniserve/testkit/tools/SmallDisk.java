package io.uniserve.testkit.tools;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file system of a few megabytes, in memory. It requires the right to mount one. */
public final class SmallDisk implements AutoCloseable {
  private static final String BALLAST = "ballast";
  private static final int BLOCK_BYTES = 1 << 12;
  private static final int MUCH_BYTES = 1 << 20;

  private final Path place;

  private SmallDisk(Path place) {
    this.place = place;
  }

  /** Mounts the file system; skips the test if the user may not mount one. */
  public static SmallDisk orSkip(Path place, int mebibytes) throws IOException {
    try {
      return mount(place, mebibytes);
    } catch (IOException e) {
      throw Tools.missing(
          "a file system of its own, which root may mount: " + e.getMessage(), Optional.of(e));
    }
  }

  /** Mounts the file system; empty if the user may not mount one. */
  public static Optional<SmallDisk> ifPossible(Path place, int mebibytes) {
    try {
      return Optional.of(mount(place, mebibytes));
    } catch (IOException e) {
      System.out.println("no disk can be filled: " + e.getMessage());
      return Optional.empty();
    }
  }

  private static SmallDisk mount(Path place, int mebibytes) throws IOException {
    Files.createDirectories(place);
    run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", place.toString());
    return new SmallDisk(place);
  }

  /** Returns its path. */
  public Path path() {
    return place;
  }

  /** Returns the number of free bytes. */
  public long left() throws IOException {
    return Files.getFileStore(place).getUsableSpace();
  }

  /**
   * Fills the file system almost completely, until {@link #free}.
   *
   * @param leftBytes the approximate number of bytes to leave free
   */
  public void fill(long leftBytes) throws IOException {
    byte[] much = new byte[MUCH_BYTES];
    byte[] block = new byte[BLOCK_BYTES];
    try (OutputStream out = Files.newOutputStream(place.resolve(BALLAST))) {
      for (long excess = left() - leftBytes; excess >= MUCH_BYTES; excess -= MUCH_BYTES) {
        out.write(much);
      }
      while (left() > leftBytes) {
        out.write(block);
      }
    } catch (IOException full) {
      if (left() >= BLOCK_BYTES) {
        throw full;
      }
    }
  }

  /** Frees the filled space. */
  public void free() throws IOException {
    Files.deleteIfExists(place.resolve(BALLAST));
  }

  @Override
  public void close() {
    try {
      run("umount", place.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.onExit().join().exitValue();
    if (code != 0) {
      throw new IOException(
          "'" + String.join(" ", command) + "' ended with " + code + ": " + said.strip());
    }
  }
}
