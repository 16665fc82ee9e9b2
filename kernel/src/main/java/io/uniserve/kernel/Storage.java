package io.uniserve.kernel;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The files of one process. Writes that must survive a crash of the machine go through this port.
 * Reads and all other writes use {@link java.nio.file.Files} on paths below {@link #root}, whose
 * file system may be simulated. Forcing a file does not make its name survive: a name is part of a
 * directory, which is forced on its own.
 */
public interface Storage {
  /** Returns the process's own directory, which exists. */
  Path root();

  /**
   * Opens a file for appending, and creates it if needed. Its name then survives a crash of the
   * machine. Its contents do not count as forced, since an earlier process may have ended before it
   * forced them.
   */
  AppendFile append(Path file) throws IOException;

  /**
   * Replaces a small file atomically: after a crash it has the old or the new contents, never a
   * mixture.
   */
  void replace(Path file, byte[] contents) throws IOException;

  /**
   * Makes a file, or a directory and everything below it, survive a crash of the machine under its
   * present name.
   */
  void force(Path path) throws IOException;

  /**
   * Creates a directory and its missing parents. Their names then survive a crash of the machine.
   * Nothing happens if it exists.
   *
   * @return the directory
   */
  Path createDirectories(Path directory) throws IOException;

  /**
   * Renames a file or a directory within its directory. A crash of the machine does not bring the
   * former name back.
   */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file durably. Nothing happens if it does not exist. */
  void delete(Path file) throws IOException;

  /** Deletes a directory and everything below it durably. Nothing happens if it does not exist. */
  void deleteTree(Path directory) throws IOException;
}
