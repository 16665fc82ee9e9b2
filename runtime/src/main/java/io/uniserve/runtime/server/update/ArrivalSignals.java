package io.uniserve.runtime.server.update;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Threads;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The signals of updates that have arrived at an actor, for those that came before their turn.
 * There is one for an actor only while somebody may wait for it.
 */
final class ArrivalSignals {
  private final Threads threads;
  private final Map<ActorId, Signal> next = new ConcurrentHashMap<>();

  ArrivalSignals(Threads threads) {
    this.threads = threads;
  }

  /** Returns a signal that is set at the next arrival. */
  Signal next(ActorId actor) {
    return next.computeIfAbsent(actor, absent -> threads.signal());
  }

  /** Notes that updates of an actor have arrived. */
  void arrived(ActorId actor) {
    Optional.ofNullable(next.remove(actor)).ifPresent(Signal::set);
  }

  /** Waits for a signal; returns false if it was not set in time. */
  boolean await(Signal signal, Deadline deadline) {
    try {
      return signal.await(deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
