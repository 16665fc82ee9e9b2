package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Threads;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies that this server makes of actors that there are not yet, each on a thread of its own,
 * one at a time of each actor: whoever asked asks again until it is made. It is kept open until it
 * is taken or thrown away.
 */
final class Makings {
  private static final Logger LOG = LoggerFactory.getLogger(Makings.class);

  private final Threads threads;
  private final Map<ActorId, Making> making = new ConcurrentSkipListMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean closed;

  Makings(Threads threads) {
    this.threads = threads;
  }

  /** How a copy is made. */
  @FunctionalInterface
  interface Body {
    Replica make() throws IOException;
  }

  /** How far a copy is. One value, so that nobody sees that it has ended and not how. */
  private sealed interface Progress {
    record UnderWay() implements Progress {}

    record Made(Replica copy) implements Progress {}

    record Failed(UniserveException why) implements Progress {}

    /** It was taken, or thrown away. */
    record Gone() implements Progress {}
  }

  private static final class Making {
    private final Message request;
    private final AtomicReference<Progress> progress =
        new AtomicReference<>(new Progress.UnderWay());

    Making(Message request) {
      this.request = request;
    }

    boolean ended() {
      return !(progress.get() instanceof Progress.UnderWay);
    }

    /** What was made, which one of those who ask gets. */
    Optional<Replica> give() {
      return progress.get() instanceof Progress.Made made
              && progress.compareAndSet(made, new Progress.Gone())
          ? Optional.of(made.copy())
          : Optional.empty();
    }

    void throwAway() {
      give().ifPresent(Replica::close);
    }
  }

  /**
   * Begins to make a copy, unless the same was asked for before.
   *
   * @return whether it is made
   * @throws UniserveException if it could not be, or what an earlier attempt makes is in its way
   */
  boolean make(ActorId id, Message request, Body body) {
    return switch (once(id, request, body).progress.get()) {
      case Progress.UnderWay now -> false;
      case Progress.Made made -> true;
      case Progress.Gone gone -> true;
      case Progress.Failed failed -> throw failed.why();
    };
  }

  /** Of two that ask for the same at once, the second finds what the first has begun. */
  private Making once(ActorId id, Message request, Body body) {
    lock.lock();
    try {
      Making known = making.get(id);
      if (known != null && known.request.equals(request)) {
        return known;
      }
      Making begun = begin(id, request, body, known);
      making.put(id, begun);
      return begun;
    } finally {
      lock.unlock();
    }
  }

  private Making begin(ActorId id, Message request, Body body, Making before) {
    if (before != null && !before.ended()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "what an earlier attempt makes is not thrown away yet");
    }
    if (before != null) {
      before.throwAway();
    }
    Making begun = new Making(request);
    threads.start("making of " + id, () -> run(id, begun, body));
    return begun;
  }

  private void run(ActorId id, Making now, Body body) {
    try {
      now.progress.set(new Progress.Made(body.make()));
    } catch (IOException | RuntimeException e) {
      if (e instanceof UniserveException known && known.retryable()) {
        LOG.info("no copy of actor {} can be made now: {}", id, known.getMessage());
      } else {
        LOG.warn("no copy of actor {} can be made", id, e);
      }
      now.progress.set(failed(id, e));
    } catch (Error e) {
      now.progress.set(failed(id, e));
      throw e;
    }
    if (closed) {
      now.throwAway();
    }
  }

  private static Progress failed(ActorId id, Throwable why) {
    return new Progress.Failed(
        why instanceof UniserveException known && known.retryable()
            ? known
            : new UniserveException(
                ErrorCode.UNAVAILABLE, "no copy of actor " + id + " can be made: " + why, why));
  }

  /** Whether an attempt that came to nothing writes still where an actor's copy is to be. */
  boolean isMaking(ActorId id) {
    Making now = making.get(id);
    return now != null && !now.ended();
  }

  /** What was made, for whoever uses it from now on. */
  Optional<Replica> take(ActorId id) {
    Making now = making.get(id);
    Optional<Replica> made = now == null ? Optional.empty() : now.give();
    made.ifPresent(copy -> making.remove(id, now));
    return made;
  }

  /** Throws away what is made, and whatever will be. */
  void close() {
    closed = true;
    making.values().forEach(Making::throwAway);
  }

  /** Hears of what need not be known any more. */
  @FunctionalInterface
  interface Ended {
    void ended(ActorId id, Message request);
  }

  /**
   * Forgets what has ended, but what was made and is wanted.
   *
   * @param over whether something need not be known any more
   */
  void forget(Predicate<Message> over, BiPredicate<ActorId, Message> wanted, Ended listener) {
    for (Map.Entry<ActorId, Making> made : List.copyOf(making.entrySet())) {
      ActorId id = made.getKey();
      Making now = made.getValue();
      Progress progress = now.progress.get();
      boolean kept = progress instanceof Progress.Made && wanted.test(id, now.request);
      boolean ended = !(progress instanceof Progress.UnderWay);
      if (ended && over.test(now.request) && !kept && making.remove(id, now)) {
        now.throwAway();
        listener.ended(id, now.request);
      }
    }
  }
}
