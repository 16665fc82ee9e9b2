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
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
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

  /** Those that are told of updates, and the version since which each was then what it was. */
  private final Map<CopyId, Long> following = new ConcurrentSkipListMap<>();

  private final Map<CopyId, Long> heardAtNanos = new ConcurrentSkipListMap<>();
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

  /**
   * A copy is about to be told of updates: those from now on must reach it to be everywhere.
   *
   * @param statusSince the version of cluster state since which it is as far as it knows to be
   */
  void follows(CopyId follower, long statusSince) {
    following.merge(follower, statusSince, Math::max);
  }

  /** A copy has asked for updates. */
  void heard(CopyId follower, long nowNanos) {
    heardAtNanos.put(follower, nowNanos);
  }

  /** When a copy asked last for updates; empty if it never did. */
  Optional<Long> heardAtNanos(CopyId follower) {
    return Optional.ofNullable(heardAtNanos.get(follower));
  }

  /**
   * Copies that are to be brought up to date, since a version each, and followed before that, have
   * to follow anew before they may be called readable.
   */
  void forgetOutdated(Assignment now) {
    following
        .entrySet()
        .removeIf(
            told ->
                now.loadingSince(told.getKey())
                    .filter(since -> told.getValue() < since)
                    .isPresent());
  }

  /** A copy must load a checkpoint before it can follow. */
  void followsNoMore(CopyId follower) {
    following.remove(follower);
  }

  boolean isFollowedBy(CopyId follower) {
    return following.containsKey(follower);
  }

  /** Whoever else followed has no copy any more, or does not live. */
  void forgetAllBut(Collection<CopyId> followers) {
    following.keySet().retainAll(followers);
    heardAtNanos.keySet().retainAll(followers);
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
