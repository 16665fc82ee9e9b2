package io.uniserve.api;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A format of files of rows that needs a library of its own. Row formats are found by {@link
 * java.util.ServiceLoader} and do not depend on engines: rows of any format can be loaded into
 * tables of any engine.
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

  /** Returns whether files of this format can be written, too. */
  default boolean writes() {
    return false;
  }

  /**
   * A column of a file that is written.
   *
   * @param name its name
   * @param type its type as a warehouse names it, such as {@code decimal(15,2)}, with {@code []}
   *     behind it if it has lists of values
   */
  record Column(String name, String type) {}

  /**
   * Writes a file.
   *
   * @param lines a file with a document in each line, in JSON, whose values are as a query over
   *     HTTP gives them
   * @param columns the columns; documents have no others
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if files of this format are only
   *     read; with {@link ErrorCode#INVALID_ARGUMENT} naming the file and what cannot be written
   */
  default void write(Path lines, List<Column> columns, Path file) throws IOException {
    throw new UniserveException(
        ErrorCode.UNSUPPORTED, "files of format " + endings() + " are only read");
  }

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
