package io.uniserve.engines.warehouse;

import io.uniserve.sql.backend.Session;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * A pool of idle sessions whose transactions see an actor's newest version. A query that finds one
 * begins no transaction, and may find its statement prepared. Both would take longer than a small
 * query runs.
 */
public final class Readers implements AutoCloseable {
  /** The version that no actor has. */
  private static final long NONE = -1;

  private final int most;
  private final Deque<Session> idle = new ArrayDeque<>();
  private long version;

  /**
   * Makes a pool.
   *
   * @param most the most sessions that are kept
   */
  Readers(int most) {
    this.most = most;
  }

  /** Takes a session that sees a version, if there is one. */
  synchronized Optional<Session> take(long wanted) {
    return wanted == version ? Optional.ofNullable(idle.poll()) : Optional.empty();
  }

  /** Keeps a session if it sees the newest version; otherwise closes it. */
  void keep(Session session, long seen) throws SQLException {
    if (!kept(session, seen)) {
      session.close();
    }
  }

  private synchronized boolean kept(Session session, long seen) {
    return seen == version && idle.size() < most && idle.offerFirst(session);
  }

  /**
   * Closes all idle sessions. Sessions in use are kept later only if they see the given version.
   */
  void retire(long newest) throws SQLException {
    Deque<Session> old;
    synchronized (this) {
      version = newest;
      old = new ArrayDeque<>(idle);
      idle.clear();
    }
    for (Session session : old) {
      session.close();
    }
  }

  /** Closes all idle sessions, and from now on each one that is handed back. */
  @Override
  public void close() throws SQLException {
    retire(NONE);
  }
}
