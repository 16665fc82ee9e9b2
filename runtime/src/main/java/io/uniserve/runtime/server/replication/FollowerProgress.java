package io.uniserve.runtime.server.replication;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Threads;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The progress of a primary's followers. Requests of followers wait here for new updates, and
 * updates for their followers. A change wakes those whom it may concern, who then check again.
 */
public final class FollowerProgress {
  private final Threads threads;
  private final Clock clock;
  private final Duration requestPatience;
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

  /** The updates that wait for followers, by position. */
  private final NavigableMap<Waiting, Signal> waiting = new TreeMap<>();

  private long lastWaiting;

  /** The requests that wait for new updates. */
  private final Map<CopyId, Request> requests = new TreeMap<>();

  private boolean timed;

  /** An update that waits; several may wait for one position. */
  private record Waiting(Position position, long number) implements Comparable<Waiting> {
    private static final Comparator<Waiting> ORDER =
        Comparator.comparing(Waiting::position).thenComparingLong(Waiting::number);

    @Override
    public int compareTo(Waiting other) {
      return ORDER.compare(this, other);
    }
  }

  /** A follower's request that waits for new updates, without a thread. */
  public interface Request {
    /** Answers it, or begins to. Called once, by whoever has made a change, and must not wait. */
    void look();
  }

  /**
   * @param requestPatience the longest time that a request waits
   */
  FollowerProgress(Environment environment, Duration requestPatience) {
    this.threads = environment.threads();
    this.clock = environment.clock();
    this.requestPatience = requestPatience;
    this.changed = threads.signal();
  }

  /** Notes that a follower has applied everything up to a position. */
  public void applied(CopyId follower, Position position) {
    List<Signal> reached;
    lock.lock();
    try {
      if (position.equals(applied.put(follower, position))) {
        return;
      }
      Waiting last = new Waiting(position, Long.MAX_VALUE);
      reached = List.copyOf(waiting.headMap(last, true).values());
    } finally {
      lock.unlock();
    }
    reached.forEach(Signal::set);
    wake();
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
    boolean fewer =
        following
            .entrySet()
            .removeIf(
                told ->
                    now.loadingSince(told.getKey())
                        .filter(since -> told.getValue() < since)
                        .isPresent());
    if (fewer) {
      reconsider();
    }
  }

  /** Notes that a copy must load a checkpoint before it can follow. */
  public void followsNoMore(CopyId follower) {
    if (following.remove(follower) != null) {
      reconsider();
    }
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

  /** Lets requests look for new updates, since the log has some. */
  public void changed() {
    wake();
    answer();
  }

  /** Lets all who wait look again, since the role or the assignment has changed, or the copies. */
  public void reconsider() {
    List<Signal> all;
    lock.lock();
    try {
      all = List.copyOf(waiting.values());
    } finally {
      lock.unlock();
    }
    all.forEach(Signal::set);
    changed();
  }

  private void wake() {
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

  /** Lets all requests look. */
  private void answer() {
    List<Request> all;
    lock.lock();
    try {
      if (requests.isEmpty()) {
        return;
      }
      all = List.copyOf(requests.values());
      requests.clear();
    } finally {
      lock.unlock();
    }
    all.forEach(Request::look);
  }

  /**
   * Keeps a request until the next change, or for as long as a request waits. An earlier one of the
   * same follower, which nobody waits for any more, looks at once.
   */
  public void keep(CopyId follower, Request request) {
    Request former;
    boolean first;
    lock.lock();
    try {
      former = requests.put(follower, request);
      first = !timed;
      timed = true;
    } finally {
      lock.unlock();
    }
    if (former != null) {
      former.look();
    }
    if (first) {
      clock.schedule(requestPatience, this::timeOver);
    }
  }

  /** Lets all requests look, some of them early; the next one has the timer set again. */
  private void timeOver() {
    lock.lock();
    timed = false;
    lock.unlock();
    answer();
  }

  /** Makes a request look at once, unless it has been made to. */
  public void hurry(CopyId follower, Request request) {
    boolean kept;
    lock.lock();
    try {
      kept = requests.remove(follower, request);
    } finally {
      lock.unlock();
    }
    if (kept) {
      request.look();
    }
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
      while (!haveAppliedBefore(followers, position, deadline)) {
        // What woke it has changed what it waits for.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
    }
  }

  /** Waits for a change that concerns a position, unless all have applied it. */
  private boolean haveAppliedBefore(
      Supplier<? extends Collection<CopyId>> followers, Position position, Deadline deadline)
      throws InterruptedException {
    Signal next = threads.signal();
    Waiting self = beginWait(position, next);
    try {
      if (haveApplied(followers.get(), position)) {
        return true;
      }
      if (!next.await(deadline)) {
        throw new UniserveException(
            ErrorCode.DEADLINE_EXCEEDED,
            "applied at " + position + ", but not by all copies before the deadline");
      }
      return false;
    } finally {
      endWait(self);
    }
  }

  private Waiting beginWait(Position position, Signal next) {
    lock.lock();
    try {
      Waiting self = new Waiting(position, lastWaiting++);
      waiting.put(self, next);
      return self;
    } finally {
      lock.unlock();
    }
  }

  private void endWait(Waiting self) {
    lock.lock();
    try {
      waiting.remove(self);
    } finally {
      lock.unlock();
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
