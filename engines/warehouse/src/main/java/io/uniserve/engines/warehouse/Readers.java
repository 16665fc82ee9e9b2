package io.uniserve.engines.warehouse;

import io.uniserve.sql.backend.Session;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Sessions that nobody uses at the moment, with transactions that see an actor's newest version. A
 * query that finds one begins none, and may find its statement planned: both take longer than a
 * small query runs.
 */
public final class Readers implements AutoCloseable {
  /** The version of no actor. */
  private static final long NONE = -1;

  private final int most;
  private final Deque<Session> idle = new ArrayDeque<>();
  private long version;

  /**
   * @param most how many are kept
   */
  Readers(int most) {
    this.most = most;
  }

  /** One that sees a version, if there is one. */
  synchronized Optional<Session> take(long wanted) {
    return wanted == version ? Optional.ofNullable(idle.poll()) : Optional.empty();
  }

  /** Keeps one that sees a version, or closes it. */
  void keep(Session session, long seen) throws SQLException {
    if (!kept(session, seen)) {
      session.close();
    }
  }

  private synchronized boolean kept(Session session, long seen) {
    return seen == version && idle.size() < most && idle.offerFirst(session);
  }

  /** Closes those that nobody uses. What is in use is kept afterwards only if it sees a version. */
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

  /** Closes those that nobody uses, and from now on each one that is to be kept. */
  @Override
  public void close() throws SQLException {
    retire(NONE);
  }
}
