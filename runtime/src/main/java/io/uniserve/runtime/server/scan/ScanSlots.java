package io.uniserve.runtime.server.scan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.policy.scanning.WaitingScan;
import io.uniserve.runtime.wire.ScanMessage.Offered;
import io.uniserve.runtime.wire.ScanMessage.Urgency;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The slots of a server and the scans that wait for them (PNUTS §4.2). A slot is free, offered to a
 * scan, or read with. Whenever one is free and anybody waits, the policy says who gets it.
 */
final class ScanSlots {
  private final Clock clock;
  private final ScanSettings settings;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Ask> waiting = new ArrayList<>();
  private final Map<Long, Ask> granted = new TreeMap<>();
  private long decisions;

  /** A request for a slot. */
  static final class Ask {
    private final Urgency urgency;
    private final long askedNanos;
    private final Asker asker;
    private long grant;
    private boolean reading;

    private Ask(Urgency urgency, long askedNanos, Asker asker) {
      this.urgency = urgency;
      this.askedNanos = askedNanos;
      this.asker = asker;
    }

    /** Returns the name of the scan. */
    long scan() {
      return urgency.scan();
    }

    private WaitingScan at(long nowNanos) {
      return new WaitingScan(
              urgency.scan(),
              urgency.ageSeconds(),
              urgency.idleSeconds(),
              urgency.ungrantedSeconds(),
              urgency.priority())
          .after(Math.max(0, nowNanos - askedNanos) / 1e9);
    }
  }

  /** Whoever asks for a slot. Its methods are called on any thread and must not wait. */
  interface Asker {
    /** Hears of the offer of a slot. */
    void offered(Offered offer);

    /** Hears that a page is read with the slot. */
    void used();
  }

  private record Grant(Ask ask, Offered offered) {
    void tell() {
      ask.asker.offered(offered);
    }
  }

  ScanSlots(Clock clock, ScanSettings settings) {
    this.clock = clock;
    this.settings = settings;
  }

  /**
   * Asks for a slot.
   *
   * @throws UniserveException with {@link ErrorCode#OVERLOADED} if too many wait; with {@link
   *     ErrorCode#INVALID_ARGUMENT} if the urgency makes no sense
   */
  Ask ask(Urgency urgency, Asker asker) {
    Ask ask = newAsk(urgency, asker);
    List<Grant> grants;
    lock.lock();
    try {
      if (waiting.size() >= settings.waitingMax()) {
        throw new UniserveException(
            ErrorCode.OVERLOADED,
            "the server is full: " + waiting.size() + " requests of scans wait for a slot");
      }
      waiting.add(ask);
      grants = grant();
    } finally {
      lock.unlock();
    }
    grants.forEach(Grant::tell);
    return ask;
  }

  private Ask newAsk(Urgency urgency, Asker asker) {
    Ask ask = new Ask(urgency, clock.nanos(), asker);
    ask.at(ask.askedNanos); // refuses what is no urgency
    return ask;
  }

  /** Grants free slots. The caller holds the lock, and tells of the grants without it. */
  private List<Grant> grant() {
    List<Grant> grants = new ArrayList<>();
    while (granted.size() < settings.slots() && !waiting.isEmpty()) {
      long now = clock.nanos();
      List<WaitingScan> scans = waiting.stream().map(ask -> ask.at(now)).toList();
      Optional<WaitingScan> chosen = settings.policy().next(scans, ++decisions);
      if (chosen.isEmpty()) {
        break;
      }
      Ask ask = waiting.remove(placeOf(scans, chosen.get()));
      ask.grant = decisions;
      granted.put(ask.grant, ask);
      clock.schedule(settings.offerTimeout(), () -> takeBack(ask));
      grants.add(
          new Grant(ask, new Offered(ask.grant, settings.slots(), chosen.get().idleSeconds())));
    }
    return grants;
  }

  private static int placeOf(List<WaitingScan> scans, WaitingScan chosen) {
    for (int place = 0; place < scans.size(); place++) {
      if (scans.get(place) == chosen) {
        return place;
      }
    }
    throw new IllegalStateException("the policy chose a scan that does not wait: " + chosen);
  }

  private void takeBack(Ask ask) {
    free(ask, false, Optional.empty());
  }

  /** Withdraws a request, or the offer that it has got. A page that is being read goes on. */
  void withdraw(Ask ask) {
    free(ask, false, Optional.empty());
  }

  /** Gives back the slot that a page was read with. */
  void end(Ask ask) {
    free(ask, true, Optional.empty());
  }

  /**
   * Gives back the slot that a page was read with, and asks for the next one before anybody gets
   * it, so that nobody less urgent comes in between.
   *
   * @return the request; empty if too many wait
   */
  Optional<Ask> end(Ask ask, Urgency urgency, Asker asker) {
    Ask next = newAsk(urgency, asker);
    return free(ask, true, Optional.of(next)) ? Optional.of(next) : Optional.empty();
  }

  private boolean free(Ask ask, boolean ofReading, Optional<Ask> next) {
    boolean asks = false;
    List<Grant> grants;
    lock.lock();
    try {
      waiting.remove(ask);
      if (ask.reading == ofReading && granted.get(ask.grant) == ask) {
        granted.remove(ask.grant);
      }
      if (next.isPresent() && waiting.size() < settings.waitingMax()) {
        waiting.add(next.get());
        asks = true;
      }
      grants = grant();
    } finally {
      lock.unlock();
    }
    grants.forEach(Grant::tell);
    return asks;
  }

  /**
   * Begins to read with a slot that was offered.
   *
   * @return the request that got it; empty if the slot was taken back
   */
  Optional<Ask> begin(long grant) {
    Ask ask;
    lock.lock();
    try {
      ask = granted.get(grant);
      if (ask == null || ask.reading) {
        return Optional.empty();
      }
      ask.reading = true;
    } finally {
      lock.unlock();
    }
    ask.asker.used();
    return Optional.of(ask);
  }

  /** Returns how many requests wait. */
  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many slots are offered or read with. */
  int granted() {
    lock.lock();
    try {
      return granted.size();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of slots. */
  int slots() {
    return settings.slots();
  }
}
