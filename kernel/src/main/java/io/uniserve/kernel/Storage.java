package io.uniserve.kernel;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The files of one process. Reading, and whatever need not survive a crash of the machine, goes
 * through {@link java.nio.file.Files} on paths below {@link #root}, whose file system may be
 * simulated; all that must survive one goes through this port. A name is not safe when its file is:
 * it is part of a directory, which is forced on its own.
 */
public interface Storage {
  /** The process's own directory; exists. */
  Path root();

  /**
   * Opens a file for appending, creating it if needed: its name then survives a crash of the
   * machine. Of what it holds nothing counts as forced, since a former process may have ended
   * before it did so.
   */
  AppendFile append(Path file) throws IOException;

  /**
   * Replaces a small file as a whole: after a crash it has the old contents or the new, never a
   * mixture.
   */
  void replace(Path file, byte[] contents) throws IOException;

  /**
   * Makes a file, or a directory and all below it, survive a crash of the machine, under the name
   * that it has.
   */
  void force(Path path) throws IOException;

  /**
   * Creates a directory, and those above it that there are not: their names then survive a crash of
   * the machine. Nothing happens if it exists.
   *
   * @return the directory
   */
  Path createDirectories(Path directory) throws IOException;

  /**
   * Gives a file or a directory another name in the same directory: a crash of the machine then
   * does not bring the former name back.
   */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file for good; nothing happens if it does not exist. */
  void delete(Path file) throws IOException;

  /** Deletes a directory and all below it for good; nothing happens if it does not exist. */
  void deleteTree(Path directory) throws IOException;
}
