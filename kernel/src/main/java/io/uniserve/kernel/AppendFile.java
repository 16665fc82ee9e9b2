package io.uniserve.kernel;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file that grows by appending. Used by one thread at a time, except for {@link #force} and
 * {@link #read}.
 */
public interface AppendFile extends Closeable {
  /**
   * Appends bytes. They survive a crash of the process at once, and a crash of the machine after
   * {@link #force}.
   *
   * @throws IOException if not all bytes could be written; the file then has its former size
   * @throws UnusableFileException if the former size could not be restored, or if the file became
   *     unusable earlier
   */
  void append(ByteBuffer bytes) throws IOException;

  /**
   * Makes everything appended so far survive a crash of the machine.
   *
   * @throws UnusableFileException if the disk fails, or if the file became unusable earlier
   */
  void force() throws IOException;

  /**
   * Reads bytes that were appended before.
   *
   * @param into the buffer to fill, as far as the file reaches
   * @param at the offset in the file
   * @return the number of bytes read; -1 if the file ends before the offset
   */
  int read(ByteBuffer into, long at) throws IOException;

  /** Returns the size in bytes. */
  long size();

  /**
   * Returns how many bytes the disk has room for now. Others may take them before anything is
   * appended.
   */
  default long roomBytes() throws IOException {
    return Long.MAX_VALUE;
  }

  /** Cuts the file to this size. */
  void truncate(long size) throws IOException;
}
