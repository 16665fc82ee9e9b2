package io.uniserve.runtime.server.replication;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Threads;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.entry.Position;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The progress of a primary's followers. Followers wait here for new updates, and updates for their
 * followers. Every change wakes all who wait, who then check again.
 */
public final class FollowerProgress {
  private final Threads threads;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<CopyId, Position> applied = new TreeMap<>();

  /**
   * The copies that receive updates, each with the version of cluster state since which it has had
   * its status.
   */
  private final Map<CopyId, Long> following = new ConcurrentSkipListMap<>();

  private final Map<CopyId, Long> heardAtNanos = new ConcurrentSkipListMap<>();
  private final Map<CopyId, Asked> asked = new ConcurrentSkipListMap<>();
  private Signal changed;

  /** The newest request of a copy: it has everything up to a position. */
  private record Asked(long epoch, Position position) {}

  FollowerProgress(Threads threads) {
    this.threads = threads;
    this.changed = threads.signal();
  }

  /** Notes that a follower has applied everything up to a position. */
  public void applied(CopyId follower, Position position) {
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
   * Notes that a copy is about to receive updates. Updates from now on must reach it before they
   * count as replicated.
   *
   * @param statusSince the version of cluster state since which it has its status, as far as it
   *     knows
   */
  public void follows(CopyId follower, long statusSince) {
    following.merge(follower, statusSince, Math::max);
  }

  /** Notes that a copy has asked for updates. */
  public void heard(CopyId follower, long nowNanos) {
    heardAtNanos.put(follower, nowNanos);
  }

  /** Returns when a copy last asked for updates; empty if it never did. */
  Optional<Long> heardAtNanos(CopyId follower) {
    return Optional.ofNullable(heardAtNanos.get(follower));
  }

  /** Notes what a copy has that asks for updates, whether or not this server leads by now. */
  void asked(CopyId follower, long epoch, Position position) {
    asked.put(follower, new Asked(epoch, position));
  }

  /** Returns the most advanced copy that asked in this epoch and has more than a position. */
  Optional<CopyId> moreAdvanced(long epoch, Position than) {
    return asked.entrySet().stream()
        .filter(copy -> copy.getValue().epoch() == epoch)
        .filter(copy -> copy.getValue().position().compareTo(than) > 0)
        .max(Comparator.comparing(copy -> copy.getValue().position()))
        .map(Map.Entry::getKey);
  }

  /**
   * Forgets copies that cluster state has set to loading since they began to follow. They must
   * follow anew before they may be called readable.
   */
  public void forgetOutdated(Assignment now) {
    following
        .entrySet()
        .removeIf(
            told ->
                now.loadingSince(told.getKey())
                    .filter(since -> told.getValue() < since)
                    .isPresent());
  }

  /** Notes that a copy must load a checkpoint before it can follow. */
  public void followsNoMore(CopyId follower) {
    following.remove(follower);
  }

  boolean isFollowedBy(CopyId follower) {
    return following.containsKey(follower);
  }

  /** Forgets all other followers: they have no copy any more, or their server is not alive. */
  void forgetAllBut(Collection<CopyId> followers) {
    following.keySet().retainAll(followers);
    heardAtNanos.keySet().retainAll(followers);
    asked.keySet().retainAll(followers);
    lock.lock();
    try {
      applied.keySet().retainAll(followers);
    } finally {
      lock.unlock();
    }
  }

  /** Wakes all who wait, since an update, a follower, the assignment or the role has changed. */
  public void changed() {
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

  /** Returns a signal that is set at the next change. */
  public Signal nextChange() {
    lock.lock();
    try {
      return changed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until all given followers have applied a position.
   *
   * @param followers those that must have; asked again after each change
   * @throws UniserveException with {@link ErrorCode#DEADLINE_EXCEEDED}; or what {@code followers}
   *     throws once there is nothing to wait for
   */
  public void await(
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
