package io.uniserve.runtime.control.transactions;

import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.log.DeferredReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The requests that wait here for the end of a hold, so that they get their places as soon as it
 * ends, and not only when their client asks again. Only for the deciding thread.
 */
final class HeldRequests {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final int WAITING_MAX = 256;

  /**
   * A request.
   *
   * @param again submits it again
   * @param refuse answers it, since it has waited too long
   */
  private record Waiting(
      long table, Incoming call, Runnable again, Runnable refuse, long sinceNanos) {}

  private final Clock clock;
  private final Decisions decisions;
  private final List<Waiting> waiting = new ArrayList<>();

  HeldRequests(Clock clock, Decisions decisions) {
    this.clock = clock;
    this.decisions = decisions;
  }

  /**
   * Lets a request wait until it is released or its caller cancels it; refuses it at once if too
   * many wait already.
   */
  void add(long table, Incoming call, Runnable again, Runnable refuse) {
    if (waiting.size() >= WAITING_MAX) {
      refuse.run();
      return;
    }
    waiting.add(new Waiting(table, call, again, refuse, clock.nanos()));
    call.onCancel(() -> decisions.submit(() -> cancel(call)));
  }

  private void cancel(Incoming call) {
    take(request -> request.call() == call)
        .forEach(request -> DeferredReply.cancelled(request.call()));
  }

  /** Submits the requests for a table again, in the order in which they came. */
  void released(long table) {
    take(request -> request.table() == table).forEach(request -> request.again().run());
  }

  /** Refuses the requests that have waited too long. */
  void check() {
    long now = clock.nanos();
    take(request -> now - request.sinceNanos() > PATIENCE.toNanos())
        .forEach(request -> request.refuse().run());
  }

  private List<Waiting> take(Predicate<Waiting> wanted) {
    List<Waiting> taken = waiting.stream().filter(wanted).toList();
    waiting.removeAll(taken);
    return taken;
  }
}
