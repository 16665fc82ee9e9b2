package io.uniserve.runtime.server.engine;

import io.uniserve.api.Actor;
import io.uniserve.api.error.UniserveException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An engine's actor in use. It is closed when it has been retired and the last operator on it has
 * ended. So a replica can replace it while queries go on.
 */
public final class LiveActor {
  private static final Logger LOG = LoggerFactory.getLogger(LiveActor.class);

  private final Actor actor;
  private final Runnable afterClose;
  private final AtomicInteger users = new AtomicInteger(1);

  /**
   * @param afterClose deletes the actor's files
   */
  public LiveActor(Actor actor, Runnable afterClose) {
    this.actor = actor;
    this.afterClose = afterClose;
  }

  /** Returns the actor. The caller must have acquired it. */
  public Actor actor() {
    return actor;
  }

  /**
   * Keeps the actor from being closed; returns false if that is too late. {@link #release} must
   * follow.
   */
  public boolean acquire() {
    int now = users.get();
    while (now > 0 && !users.compareAndSet(now, now + 1)) {
      now = users.get();
    }
    return now > 0;
  }

  /**
   * Releases the actor, and closes it if nobody else uses it. A failure to close is logged, since
   * the caller cannot handle it.
   */
  public void release() {
    if (users.decrementAndGet() == 0) {
      try {
        actor.close();
      } catch (RuntimeException | LinkageError e) {
        LOG.error("an actor could not be closed", e);
      }
      try {
        afterClose.run();
      } catch (UniserveException e) {
        LOG.warn("files of a closed actor cannot be deleted; the next start deletes them", e);
      }
    }
  }

  /** Lets no new users in. Called once. */
  public void retire() {
    release();
  }
}
