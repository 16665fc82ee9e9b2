package io.uniserve.node.cluster;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.runtime.wire.entry.Forms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The version of the forms in which a process keeps its files, in a file of its directory. So a
 * program refuses files that it cannot read when it starts, before it changes anything.
 */
final class DirectoryVersion {
  private static final String FILE = "version";

  /**
   * The entries of which one is in a directory of a process that ran before there were versions.
   */
  private static final List<String> WRITTEN = List.of("group", "actors");

  private DirectoryVersion() {}

  /**
   * Requires that this program can read the files of a directory. No older program reads them any
   * more afterwards, since this one is to write there.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED}
   */
  static void require(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    String now = Integer.toString(Forms.VERSION);
    if (Files.exists(file)) {
      String found = Files.readString(file).strip();
      if (!isKnown(found)) {
        throw unknown(directory, "in version '" + found + "' of their form");
      }
      if (found.equals(now)) {
        return;
      }
    } else if (isWritten(directory)) {
      throw unknown(directory, "before their form had versions");
    }
    new FileStorage(directory).replace(file, now.getBytes(StandardCharsets.US_ASCII));
  }

  private static boolean isKnown(String found) {
    return found.matches("[0-9]{1,9}")
        && Integer.parseInt(found) >= Forms.OLDEST
        && Integer.parseInt(found) <= Forms.VERSION;
  }

  private static boolean isWritten(Path directory) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children.anyMatch(
          child -> WRITTEN.stream().anyMatch(name -> Files.exists(child.resolve(name))));
    }
  }

  private static UniserveException unknown(Path directory, String found) {
    String known =
        Forms.OLDEST == Forms.VERSION
            ? "version " + Forms.VERSION
            : "versions " + Forms.OLDEST + " to " + Forms.VERSION;
    return new UniserveException(
        ErrorCode.UNSUPPORTED,
        "the files in "
            + directory
            + " were written "
            + found
            + "; this program reads "
            + known
            + ". Nothing was changed: start the program that wrote them, or another directory");
  }
}
