package io.uniserve.node.rows;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** A reader of rows, one after another. For one thread. */
public interface RowReader extends Closeable {
  /** The most bytes of one row. */
  int ROW_BYTES_MAX = 16 << 20;

  /**
   * Returns the next item, or empty at the end.
   *
   * @throws io.uniserve.api.error.UniserveException if nothing further can be read: the file is cut
   *     off or damaged; it names the place
   */
  Optional<Item> next() throws IOException;
}
