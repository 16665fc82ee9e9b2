package io.uniserve.sql.changes;

import io.uniserve.api.Actor;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.Change;
import java.sql.SQLException;

/**
 * An actor whose database changes in transactions, one at a time: each is prepared, and then
 * committed or aborted.
 */
public interface WritableActor extends Actor {
  /** Work on the database within a transaction. */
  interface Changing {
    /**
     * Does it.
     *
     * @throws SQLException if the database cannot
     */
    void with(Change change) throws SQLException;
  }

  /**
   * Makes a change, which {@link #commit} makes visible.
   *
   * @throws UniserveException if it is refused; nothing has then happened
   */
  void prepare(Changing change);

  /** Makes what was prepared visible to all queries that begin from now on. */
  void commit();

  /** Takes back what was prepared. */
  void abort();
}
