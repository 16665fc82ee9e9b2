package io.uniserve.runtime.server.checkpoint;

import io.uniserve.api.codec.Form;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.store.SealedFile;
import io.uniserve.runtime.wire.entry.Forms;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The checksums of a checkpoint's files, kept in a file beside them. They are computed when the
 * checkpoint is made, are copied with it, and are verified before anything is opened. A disk may
 * return other bytes than were written, and an engine may not notice.
 *
 * @param files all files but this one, in the order of their names
 */
@Name("CheckpointSums")
public record CheckpointSums(List<Sum> files) {
  /** The name of the file of checksums in a checkpoint. */
  static final String FILE = "sums";

  static final Form FORM = Forms.of("checksums of a checkpoint", CheckpointSums.class);
  private static final int BUFFER_BYTES = 64 << 10;

  /**
   * The expected contents of a file.
   *
   * @param name its path in the checkpoint, with slashes
   * @param sizeBytes its size
   * @param crc its CRC-32C
   */
  public record Sum(String name, long sizeBytes, int crc) {}

  /** Copies the list. */
  public CheckpointSums {
    files = List.copyOf(files);
  }

  /**
   * A checkpoint with its checksums.
   *
   * @param directory its directory
   * @param sums its checksums as they were when it was made
   */
  record Summed(Path directory, CheckpointSums sums) {}

  /** Writes the checksums of all files in a checkpoint. */
  public static void write(Path checkpoint) throws IOException {
    write(checkpoint, Optional.empty());
  }

  /**
   * Writes the checksums of all files in a checkpoint. Files that are hard links to those of the
   * checkpoint before, under the same names, are not read again: a file damaged since then keeps
   * its former checksum.
   *
   * @param before the checkpoint before, if there is one that has checksums
   * @return the checksums
   */
  static CheckpointSums write(Path checkpoint, Optional<Summed> before) throws IOException {
    Map<String, Sum> known = new LinkedHashMap<>();
    before.ifPresent(summed -> summed.sums().files().forEach(sum -> known.put(sum.name(), sum)));
    List<Sum> files = new ArrayList<>();
    for (String name : names(checkpoint)) {
      Path file = checkpoint.resolve(name);
      Sum former = known.get(name);
      boolean same = former != null && isSame(file, before.orElseThrow().directory().resolve(name));
      files.add(same ? former : new Sum(name, Files.size(file), crc(file)));
    }
    CheckpointSums sums = new CheckpointSums(files);
    Files.write(checkpoint.resolve(FILE), SealedFile.seal(FORM.encode(sums)));
    return sums;
  }

  /**
   * Returns whether two names are hard links to one file. Engines never write to such a file again.
   */
  private static boolean isSame(Path file, Path other) throws IOException {
    if (!Files.exists(other)) {
      return false;
    }
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    return key != null
        && key.equals(Files.readAttributes(other, BasicFileAttributes.class).fileKey());
  }

  /**
   * Requires that no file of a checkpoint has changed since it was made. A checkpoint that is older
   * than checksums are is accepted without them.
   *
   * @return the checksums; empty if it has none
   * @throws DamagedCopyException naming the file that has changed or is missing
   */
  public static Optional<CheckpointSums> check(Path checkpoint) throws IOException {
    return check(checkpoint, name -> true, bytes -> {});
  }

  /**
   * Requires that some files of a checkpoint have not changed.
   *
   * @param wanted selects them by name
   * @param read receives the number of bytes after each read
   * @return the checksums; empty if it has none
   */
  public static Optional<CheckpointSums> check(
      Path checkpoint, Predicate<String> wanted, IntConsumer read) throws IOException {
    Optional<CheckpointSums> sums = read(checkpoint);
    if (sums.isEmpty()) {
      return sums;
    }
    List<Sum> files = sums.get().files();
    List<String> expected = files.stream().map(Sum::name).toList();
    List<String> found = names(checkpoint);
    if (!found.equals(expected)) {
      throw damaged(checkpoint, "it has the files " + found + " instead of " + expected);
    }
    for (Sum sum : files) {
      Path file = checkpoint.resolve(sum.name());
      boolean same =
          !wanted.test(sum.name())
              || Files.size(file) == sum.sizeBytes() && crc(file, read) == sum.crc();
      if (!same) {
        throw damaged(file, "its checksum differs");
      }
    }
    return sums;
  }

  /**
   * Returns the checksums that a checkpoint has; empty if it is older than checksums are.
   *
   * @throws DamagedCopyException if they are damaged themselves, or missing
   */
  static Optional<CheckpointSums> read(Path checkpoint) throws IOException {
    Path file = checkpoint.resolve(FILE);
    if (!Files.exists(file)) {
      if (!CheckpointMeta.isOfFirstVersion(checkpoint)) {
        throw damaged(checkpoint, "its file of checksums is missing");
      }
      return Optional.empty();
    }
    byte[] content =
        SealedFile.open(Files.readAllBytes(file))
            .orElseThrow(() -> damaged(file, "its checksum differs"));
    return Optional.of(FORM.decode(ByteBuffer.wrap(content), CheckpointSums.class));
  }

  private static List<String> names(Path checkpoint) throws IOException {
    try (Stream<Path> paths = Files.walk(checkpoint)) {
      return paths
          .filter(Files::isRegularFile)
          .map(path -> nameOf(checkpoint.relativize(path)))
          .filter(name -> !name.equals(FILE))
          .sorted()
          .toList();
    }
  }

  private static String nameOf(Path relative) {
    List<String> parts = new ArrayList<>();
    relative.forEach(part -> parts.add(part.toString()));
    return String.join("/", parts);
  }

  private static int crc(Path file) throws IOException {
    return crc(file, bytes -> {});
  }

  private static int crc(Path file, IntConsumer told) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[Math.clamp(Files.size(file), 1, BUFFER_BYTES)];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        crc.update(buffer, 0, read);
        told.accept(read);
      }
    }
    return (int) crc.getValue();
  }

  private static DamagedCopyException damaged(Path path, String how) {
    return new DamagedCopyException("a checkpoint is damaged: " + path + ": " + how);
  }
}
