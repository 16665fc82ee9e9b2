package io.uniserve.testkit.tools;

import io.uniserve.testkit.local.FileTree;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file system of a few megabytes, in memory. It requires the right to mount one. */
public final class SmallDisk implements AutoCloseable {
  private static final String BALLAST = "ballast";
  private static final String BALLAST_FILES = "ballast-files";

  /** No limit of the number of files, as mount says it. */
  private static final int ANY_FILES = 0;

  private static final int BLOCK_BYTES = 1 << 12;
  private static final int MUCH_BYTES = 1 << 20;

  private final Path place;
  private final int files;

  private SmallDisk(Path place, int files) {
    this.place = place;
    this.files = files;
  }

  /** Mounts the file system; skips the test if the user may not mount one. */
  public static SmallDisk orSkip(Path place, int mebibytes) throws IOException {
    return orSkip(place, mebibytes, ANY_FILES);
  }

  /**
   * Mounts the file system; skips the test if the user may not mount one.
   *
   * @param files the most files and directories that it takes
   */
  static SmallDisk orSkip(Path place, int mebibytes, int files) throws IOException {
    try {
      return mount(place, mebibytes, files);
    } catch (IOException e) {
      throw Tools.missing(
          "a file system of its own, which root may mount: " + e.getMessage(), Optional.of(e));
    }
  }

  /** Mounts the file system; empty if the user may not mount one. */
  public static Optional<SmallDisk> ifPossible(Path place, int mebibytes) {
    try {
      return Optional.of(mount(place, mebibytes, ANY_FILES));
    } catch (IOException e) {
      System.out.println("no disk can be filled: " + e.getMessage());
      return Optional.empty();
    }
  }

  private static SmallDisk mount(Path place, int mebibytes, int files) throws IOException {
    Files.createDirectories(place);
    String limits = "size=" + mebibytes + "m,nr_inodes=" + files;
    run("mount", "-t", "tmpfs", "-o", limits, "tmpfs", place.toString());
    return new SmallDisk(place, files);
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

  /**
   * Makes files until almost no other can be made, until {@link #free}.
   *
   * @param left the number of files that can still be made
   */
  void fillFiles(int left) throws IOException {
    Path directory = Files.createDirectories(place.resolve(BALLAST_FILES));
    int made = 0;
    try {
      while (made < files) {
        Files.createFile(directory.resolve(Integer.toString(made)));
        made++;
      }
      throw new IllegalStateException(place + " takes more than " + files + " files");
    } catch (FileSystemException full) {
      for (int i = 0; i < left; i++) {
        Files.delete(directory.resolve(Integer.toString(i)));
      }
    }
  }

  /** Frees the filled space. */
  public void free() throws IOException {
    Files.deleteIfExists(place.resolve(BALLAST));
    Path files = place.resolve(BALLAST_FILES);
    if (Files.exists(files)) {
      new FileTree(files).delete();
    }
  }

  @Override
  public void close() {
    try {
      // What a test has left open must not keep the disk, which would then stay for good.
      run("umount", "--lazy", place.toString());
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
