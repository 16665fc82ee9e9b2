package io.uniserve.runtime.server;

import io.uniserve.api.Actor;
import io.uniserve.api.UniserveException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An engine's actor in use. It is closed when it has been retired and the last operator on it has
 * ended, so that a replica can put another in its place while queries go on.
 */
final class LiveActor {
  private static final Logger LOG = LoggerFactory.getLogger(LiveActor.class);

  private final Actor actor;
  private final Runnable afterClose;
  private final AtomicInteger users = new AtomicInteger(1);

  /**
   * @param afterClose deletes what the actor leaves behind
   */
  LiveActor(Actor actor, Runnable afterClose) {
    this.actor = actor;
    this.afterClose = afterClose;
  }

  /** The actor, for whoever has acquired it. */
  Actor actor() {
    return actor;
  }

  /** Keeps it from being closed; false if that is too late. {@link #release} must follow. */
  boolean acquire() {
    int now = users.get();
    while (now > 0 && !users.compareAndSet(now, now + 1)) {
      now = users.get();
    }
    return now > 0;
  }

  /** Nobody who releases an actor can do anything about its failure to close. */
  void release() {
    if (users.decrementAndGet() == 0) {
      try {
        actor.close();
      } catch (RuntimeException | LinkageError e) {
        LOG.error("an actor could not be closed", e);
      }
      try {
        afterClose.run();
      } catch (UniserveException e) {
        LOG.warn("what a closed actor leaves behind is deleted at the next start", e);
      }
    }
  }

  /** No new users from now on. Called once. */
  void retire() {
    release();
  }
}
