package io.uniserve.runtime.server.membership;

import io.uniserve.runtime.server.base.ServerSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The reachability of one peer, as one server sees it: trusted → (silence) → asked → trusted again,
 * or unanswered for a while → unreached → (an answer) → trusted again. If a peer is lost again
 * within a minute, its copies must wait before they may follow, twice as long each time. While they
 * do not follow, no update waits for them.
 */
public final class PeerReach {
  private static final Duration FORGET_AFTER = Duration.ofSeconds(60);

  /**
   * The limit of doublings, which is eight seconds. A busy machine also loses sight of its peers.
   */
  private static final int DOUBLINGS_MAX = 3;

  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean asking;
  private Optional<Long> unansweredSinceNanos = Optional.empty();
  private boolean unreached;
  private Optional<Long> reportedAtNanos = Optional.empty();
  private Optional<Long> reachedAgainAtNanos = Optional.empty();
  private int losses;

  public PeerReach(ServerSettings settings) {
    patience = settings.peers().pingTimeout().multipliedBy(5).dividedBy(2);
  }

  /**
   * Returns whether the caller is to ask the peer now.
   *
   * @param silent true if the peer has not been heard of for a while
   */
  public boolean beginsToAsk(boolean silent) {
    lock.lock();
    try {
      boolean begins = !asking && (silent || unansweredSinceNanos.isPresent());
      asking |= begins;
      return begins;
    } finally {
      lock.unlock();
    }
  }

  /** Notes an answer of the peer; returns whether it was out of reach until now. */
  public boolean answered(long nowNanos) {
    lock.lock();
    try {
      boolean reachedAgain = unreached;
      asking = false;
      unansweredSinceNanos = Optional.empty();
      if (reachedAgain) {
        unreached = false;
        reportedAtNanos = Optional.empty();
        reachedAgainAtNanos = Optional.of(nowNanos);
      }
      return reachedAgain;
    } finally {
      lock.unlock();
    }
  }

  /** Notes that the peer has not answered; returns whether it is out of reach from now on. */
  public boolean unanswered(long askedAtNanos, long nowNanos) {
    lock.lock();
    try {
      asking = false;
      unansweredSinceNanos = Optional.of(unansweredSinceNanos.orElse(askedAtNanos));
      boolean longEnough = nowNanos - unansweredSinceNanos.get() >= patience.toNanos();
      boolean lost = longEnough && !unreached;
      if (lost) {
        unreached = true;
        losses = wasLostLately(nowNanos) ? losses + 1 : 1;
      }
      return lost;
    } finally {
      lock.unlock();
    }
  }

  private boolean wasLostLately(long nowNanos) {
    return reachedAgainAtNanos
        .filter(again -> nowNanos - again <= FORGET_AFTER.toNanos())
        .isPresent();
  }

  /** Returns whether the caller is to report the peer now, which is true once in an interval. */
  public boolean toBeReported(long nowNanos, Duration interval) {
    lock.lock();
    try {
      boolean due =
          unreached
              && reportedAtNanos
                  .filter(reported -> nowNanos - reported < interval.toNanos())
                  .isEmpty();
      if (due) {
        reportedAtNanos = Optional.of(nowNanos);
      }
      return due;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the peer's loading copies may not follow now. */
  public boolean refused(long nowNanos) {
    lock.lock();
    try {
      return unreached
          || reachedAgainAtNanos.filter(again -> nowNanos - again < hold().toNanos()).isPresent();
    } finally {
      lock.unlock();
    }
  }

  private Duration hold() {
    if (losses < 2) {
      return Duration.ZERO;
    }
    return Duration.ofSeconds(1L << Math.min(losses - 1, DOUBLINGS_MAX));
  }
}
