package io.uniserve.kernel;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The files of one process. Reading, creating directories, renaming and hard-linking go through
 * {@link java.nio.file.Files} on paths below {@link #root}, whose file system may be simulated;
 * whatever must survive a crash of the machine goes through this port.
 */
public interface Storage {
  /** The process's own directory; exists. */
  Path root();

  /** Opens a file for appending, creating it if needed. */
  AppendFile append(Path file) throws IOException;

  /**
   * Replaces a small file as a whole: after a crash it has the old contents or the new, never a
   * mixture.
   */
  void replace(Path file, byte[] contents) throws IOException;

  /** Makes a file, or a directory and all below it, survive a crash of the machine. */
  void force(Path path) throws IOException;

  /**
   * Makes the names in one directory, new or changed, survive a crash of the machine; not what the
   * files hold.
   */
  void forceNames(Path directory) throws IOException;

  /** Deletes a directory and all below it; nothing happens if it does not exist. */
  void deleteTree(Path directory) throws IOException;
}
