package io.uniserve.api;

import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A reader of files of rows in a format that needs a library of its own. Row formats are found by
 * {@link java.util.ServiceLoader} and do not depend on engines: rows of any format can be loaded
 * into tables of any engine.
 */
public interface RowFormat {

  /** Returns the endings of the names of such files, in lower case, without the dot. */
  Set<String> endings();

  /**
   * Opens a file.
   *
   * @throws UniserveException naming the file if it is of another format, or damaged
   */
  Rows open(Path file) throws IOException;

  /** The rows of a file, one after another, in bounded memory. Used by one thread. */
  interface Rows extends AutoCloseable {
    /**
     * Reads the next row: a document for each column's name (see {@link Planner}), or empty at the
     * end.
     *
     * @throws UniserveException naming a column whose values are not documents, or saying that the
     *     file is damaged
     */
    Optional<Map<String, Object>> next() throws IOException;

    /** Returns the estimated part of the file that has been read, 0 to 1. */
    double done();

    @Override
    void close() throws IOException;
  }
}
