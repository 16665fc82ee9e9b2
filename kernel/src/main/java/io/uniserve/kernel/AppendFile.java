package io.uniserve.kernel;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file that only grows. For one thread at a time, except {@link #force}. */
public interface AppendFile extends Closeable {
  /**
   * Appends bytes, which a crash of the process then cannot take back; a crash of the machine can,
   * until {@link #force}.
   *
   * @throws IOException if not all could be written; the file then has its former size
   */
  void append(ByteBuffer bytes) throws IOException;

  /** Makes everything appended so far survive a crash of the machine. */
  void force() throws IOException;

  /** Size in bytes. */
  long size();

  /** Cuts the file to this size. */
  void truncate(long size) throws IOException;
}
