package io.uniserve.node.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sessions of browsers that have shown a token. A session ends with its token, after a while,
 * with the process, or when there are too many later ones.
 */
public final class Sessions {
  static final Duration LIFETIME = Duration.ofHours(12);
  static final int SESSIONS_MAX = 1000;

  private record Session(String tokenHash, long endNanos) {}

  private final Tokens tokens;
  private final ReentrantLock lock = new ReentrantLock();

  /** The sessions by the hash of their keys, the oldest first. */
  private final Map<String, Session> sessions = new LinkedHashMap<>();

  Sessions(Tokens tokens) {
    this.tokens = tokens;
  }

  /** Begins a session; returns its key. */
  String begin(Token token) {
    String key = Secret.random("");
    long now = System.nanoTime();
    lock.lock();
    try {
      sessions.values().removeIf(session -> session.endNanos - now < 0);
      if (sessions.size() >= SESSIONS_MAX) {
        sessions.remove(sessions.keySet().iterator().next());
      }
      sessions.put(Secret.hash(key), new Session(token.hash(), now + LIFETIME.toNanos()));
    } finally {
      lock.unlock();
    }
    return key;
  }

  /** Returns the token of a session that has not ended. */
  Optional<Token> token(String key) {
    Session session;
    lock.lock();
    try {
      session = sessions.get(Secret.hash(key));
    } finally {
      lock.unlock();
    }
    boolean ended = session == null || session.endNanos - System.nanoTime() < 0;
    return ended ? Optional.empty() : tokens.byHash(session.tokenHash);
  }

  void end(String key) {
    lock.lock();
    try {
      sessions.remove(Secret.hash(key));
    } finally {
      lock.unlock();
    }
  }
}
