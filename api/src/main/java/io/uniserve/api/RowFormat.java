package io.uniserve.api;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads files of rows in a format that needs a library of its own. Found by {@link
 * java.util.ServiceLoader}, beside engines and apart from them: rows of any format go to tables of
 * any engine.
 */
public interface RowFormat {

  /** The endings of the names of such files, in lower case, without the dot. */
  Set<String> endings();

  /**
   * Opens a file.
   *
   * @throws UniserveException naming the file if it is of another format, or damaged
   */
  Rows open(Path file) throws IOException;

  /** The rows of a file, one after another, in bounded memory. For one thread. */
  interface Rows extends AutoCloseable {
    /**
     * The next row, a document by its columns' names, or empty at the end. See {@link Planner}.
     *
     * @throws UniserveException naming a column whose values are no documents, or saying that the
     *     file is damaged
     */
    Optional<Map<String, Object>> next() throws IOException;

    /** About how much of the file has been read, 0 to 1. */
    double done();

    @Override
    void close() throws IOException;
  }
}
