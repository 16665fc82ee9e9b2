package io.uniserve.sql.backend;

import io.uniserve.api.Usage;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * The database of one actor's tables: with {@link Session}, the port to a database's driver. It is
 * safe for use by many threads.
 */
public interface ActorDatabase extends AutoCloseable {
  /** The internal table of the statements that were carried out. */
  String REWRITTEN = "#rewritten";

  /**
   * The statement that creates this table if it is missing. Its texts have bounds, which some
   * databases require. Earlier versions stored how many rows had changed; it is 0 now.
   */
  String REWRITTEN_DEFINITION =
      "CREATE TABLE IF NOT EXISTS \""
          + REWRITTEN
          + "\""
          + " (place BIGINT, name VARCHAR(1000000), changed BIGINT)";

  /**
   * Opens a session whose transactions see and change this actor's tables alone.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#EXHAUSTED} if there are
   *     too many sessions
   */
  Session connect() throws SQLException;

  /**
   * Writes all committed data into a directory. No update runs meanwhile; queries may.
   *
   * @throws IOException if that fails
   */
  void write(Path directory) throws IOException;

  /** Frees the space of deleted rows that no query still reads. */
  default void shrink() throws SQLException {}

  /**
   * Returns whether the database still answers; called after a failure. Some databases stop when
   * they cannot write their files. Committed data is there again after they are reopened.
   */
  default boolean usable() {
    return true;
  }

  /** Returns the estimated space that it occupies. Called often. */
  Usage usage();

  /** Converts an error of the driver to one that names the responsible party. */
  UniserveException failure(String what, SQLException e);

  /** Closes the database, after all sessions are closed. */
  @Override
  void close();
}
