package io.uniserve.node.processes;

import io.uniserve.testkit.tools.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file system of a few megabytes, in memory. Needs the right to mount one. */
final class SmallDisk implements AutoCloseable {
  private final Path place;

  private SmallDisk(Path place) {
    this.place = place;
  }

  /** The file system, where the user may mount one. */
  static Optional<SmallDisk> ifPossible(Path place, int mebibytes) throws IOException {
    Files.createDirectories(place);
    try {
      run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", place.toString());
      return Optional.of(new SmallDisk(place));
    } catch (IOException e) {
      System.out.println("no disk can be filled: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** The file system; skips the test where the user may not mount one. */
  static SmallDisk orSkip(Path place, int mebibytes) throws IOException {
    Files.createDirectories(place);
    try {
      run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", place.toString());
      return new SmallDisk(place);
    } catch (IOException e) {
      throw Tools.missing(
          "a file system of its own, which root may mount: " + e.getMessage(), Optional.of(e));
    }
  }

  Path path() {
    return place;
  }

  /** Bytes that are left. */
  long left() throws IOException {
    return Files.getFileStore(place).getUsableSpace();
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
