package io.uniserve.kernel;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file that only grows. For one thread at a time, except {@link #force} and {@link #read}. */
public interface AppendFile extends Closeable {
  /**
   * Appends bytes, which a crash of the process then cannot take back; a crash of the machine can,
   * until {@link #force}.
   *
   * @throws IOException if not all could be written; the file then has its former size
   * @throws UnusableFile if it has not, or something failed before
   */
  void append(ByteBuffer bytes) throws IOException;

  /**
   * Makes everything appended so far survive a crash of the machine.
   *
   * @throws UnusableFile if the disk fails, now or before
   */
  void force() throws IOException;

  /**
   * Reads what was appended before.
   *
   * @param into as much as it has room for, and the file has
   * @param at where in the file
   * @return how many bytes; -1 if the file ends before
   */
  int read(ByteBuffer into, long at) throws IOException;

  /** Size in bytes. */
  long size();

  /** Cuts the file to this size. */
  void truncate(long size) throws IOException;
}
