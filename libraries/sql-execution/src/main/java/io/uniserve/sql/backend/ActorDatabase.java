package io.uniserve.sql.backend;

import io.uniserve.api.Usage;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * Where one actor's tables lie: with {@link Session}, the port to a database's driver. Safe for use
 * by many threads.
 */
public interface ActorDatabase extends AutoCloseable {
  /** A table beside those of the schema: how many rows statements have changed. */
  String REWRITTEN = "#rewritten";

  /** Makes that table if it is not there. Not every database takes a text without a bound. */
  String REWRITTEN_DEFINITION =
      "CREATE TABLE IF NOT EXISTS \""
          + REWRITTEN
          + "\""
          + " (place BIGINT, name VARCHAR(1000000), changed BIGINT)";

  /**
   * A session of its own, whose transactions see and change this actor's tables alone.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#EXHAUSTED} if there are
   *     too many
   */
  Session connect() throws SQLException;

  /**
   * Writes all that was committed into a directory. No update runs meanwhile; queries may.
   *
   * @throws IOException if that fails
   */
  void write(Path directory) throws IOException;

  /** Gives the room back of rows that are gone, as far as nobody reads them still. */
  default void shrink() throws SQLException {}

  /**
   * Tells whether it still answers, asked after a failure. Some databases end for good when they
   * cannot write their files; what was committed is there once they are opened again.
   */
  default boolean usable() {
    return true;
  }

  /** About what it occupies; asked for often. */
  Usage usage();

  /** What the driver reports, as our error, which says whose it is. */
  UniserveException failure(String what, SQLException e);

  /** Ends it, when all sessions are closed. */
  @Override
  void close();
}
