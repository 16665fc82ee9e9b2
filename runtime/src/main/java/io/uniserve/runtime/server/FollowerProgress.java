package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Threads;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.cluster.CopyId;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * What a primary knows of its followers, and who waits for what: a follower for new updates, an
 * update for its followers. Every change wakes all who wait, who then look again.
 */
final class FollowerProgress {
  private final Threads threads;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<CopyId, Position> applied = new TreeMap<>();
  private final Set<CopyId> following = new ConcurrentSkipListSet<>();
  private Signal changed;

  FollowerProgress(Threads threads) {
    this.threads = threads;
    this.changed = threads.signal();
  }

  /** A follower has applied everything up to a position. */
  void applied(CopyId follower, Position position) {
    lock.lock();
    try {
      if (position.equals(applied.put(follower, position))) {
        return;
      }
    } finally {
      lock.unlock();
    }
    changed();
  }

  /** A copy is about to be told of updates: those from now on must reach it to be everywhere. */
  void follows(CopyId follower) {
    following.add(follower);
  }

  /** A copy must load a checkpoint before it can follow. */
  void followsNoMore(CopyId follower) {
    following.remove(follower);
  }

  boolean isFollowedBy(CopyId follower) {
    return following.contains(follower);
  }

  /** Whoever else followed has no copy any more, or does not live. */
  void forgetAllBut(Collection<CopyId> followers) {
    following.retainAll(followers);
    lock.lock();
    try {
      applied.keySet().retainAll(followers);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Something that somebody may wait for has changed: an update, a follower, the assignment, the
   * role.
   */
  void changed() {
    Signal wake;
    lock.lock();
    try {
      wake = changed;
      changed = threads.signal();
    } finally {
      lock.unlock();
    }
    wake.set();
  }

  /** Set at the next change. */
  Signal nextChange() {
    lock.lock();
    try {
      return changed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until all of some followers have applied a position.
   *
   * @param followers those that must have; asked again after each change
   * @throws UniserveException with {@link ErrorCode#DEADLINE_EXCEEDED}; or what {@code followers}
   *     throws once there is nothing to wait for
   */
  void await(
      Supplier<? extends Collection<CopyId>> followers, Position position, Deadline deadline) {
    try {
      while (true) {
        Signal next = nextChange();
        if (haveApplied(followers.get(), position)) {
          return;
        }
        if (!next.await(deadline)) {
          throw new UniserveException(
              ErrorCode.DEADLINE_EXCEEDED,
              "applied at " + position + ", but not by all copies before the deadline");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
    }
  }

  private boolean haveApplied(Collection<CopyId> followers, Position position) {
    lock.lock();
    try {
      return followers.stream()
          .allMatch(copy -> applied.getOrDefault(copy, Position.START).compareTo(position) >= 0);
    } finally {
      lock.unlock();
    }
  }
}
