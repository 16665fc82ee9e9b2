package io.uniserve.runtime.server;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a server knows of whether it reaches one peer: trusted → (silence) → asked → trusted again,
 * or unanswered for a while → unreached → (an answer) → trusted again. Who gets lost again within a
 * minute is kept waiting before its copies may follow, twice as long each time: as long as they do
 * not follow, no update waits for them.
 */
final class PeerReach {
  private static final Duration FORGET_AFTER = Duration.ofSeconds(60);

  /** Eight seconds at most: a machine with too much to do loses its peers from sight, too. */
  private static final int DOUBLINGS_MAX = 3;

  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean asking;
  private Optional<Long> unansweredSinceNanos = Optional.empty();
  private boolean unreached;
  private Optional<Long> reportedAtNanos = Optional.empty();
  private Optional<Long> reachedAgainAtNanos = Optional.empty();
  private int losses;

  PeerReach(ServerSettings settings) {
    patience = settings.pingTimeout().multipliedBy(5).dividedBy(2);
  }

  /**
   * Whether it is to be asked now; whoever is told so asks.
   *
   * @param silent whether it has not been heard of for a while
   */
  boolean beginsToAsk(boolean silent) {
    lock.lock();
    try {
      boolean begins = !asking && (silent || unansweredSinceNanos.isPresent());
      asking |= begins;
      return begins;
    } finally {
      lock.unlock();
    }
  }

  /** It has answered; whether it was out of reach until now. */
  boolean answered(long nowNanos) {
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

  /** It has not answered; whether it is out of reach from now on. */
  boolean unanswered(long askedAtNanos, long nowNanos) {
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

  /** Tells whether it is to be reported now, once an interval; whoever is told so reports it. */
  boolean toBeReported(long nowNanos, Duration interval) {
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

  /** Tells whether its copies that are being brought up to date are not to follow now. */
  boolean refused(long nowNanos) {
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
