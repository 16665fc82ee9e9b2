package io.uniserve.sql.changes;

import io.uniserve.api.Actor;
import io.uniserve.api.Answer;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.Change;
import java.sql.SQLException;

/**
 * An actor whose database changes in transactions, one at a time. Each is prepared, and then
 * committed or aborted.
 */
public interface WritableActor extends Actor {
  /** Work on the database within a transaction. */
  interface Changing {
    /**
     * * Does the work. *
     *
     * @throws SQLException if the database fails
     */
    void with(Change change) throws SQLException;
  }

  /**
   * Prepares a change, which {@link #commit} makes visible.
   *
   * @throws UniserveException if the change is refused; the actor is then as before
   */
  void prepare(Changing change);

  /** Keeps what the prepared change answers. */
  void answer(Answer answer);

  /** Returns what the prepared change answers. */
  Answer answer();

  /** Makes the prepared change visible to all queries that begin from now on. */
  void commit();

  /** Rolls back the prepared change. */
  void abort();
}
