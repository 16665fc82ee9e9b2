package io.uniserve.runtime.server.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Threads;
import io.uniserve.runtime.server.replica.Replica;
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
 * The copies that this server makes of new actors, each on a thread of its own, and at most one at
 * a time of each actor. The caller repeats its request until the copy is made. A copy stays open
 * until it is taken or thrown away.
 */
final class CopyBuilds {
  private static final Logger LOG = LoggerFactory.getLogger(CopyBuilds.class);

  private final Threads threads;
  private final Map<ActorId, Making> making = new ConcurrentSkipListMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean closed;

  CopyBuilds(Threads threads) {
    this.threads = threads;
  }

  /** The work that makes a copy. */
  @FunctionalInterface
  interface Body {
    Replica make() throws IOException;
  }

  /**
   * The progress of making a copy. It is one value, so that its end and its outcome are seen
   * together.
   */
  private sealed interface Progress {
    record UnderWay() implements Progress {}

    record Made(Replica copy) implements Progress {}

    record Failed(UniserveException why) implements Progress {}

    /** The copy was taken, or thrown away. */
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

    /** Returns the copy to the first caller only; empty if it is not made. */
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
   * Begins to make a copy, unless the same request has begun one.
   *
   * @return true if it is made
   * @throws UniserveException if making it failed, or an earlier attempt is in its way
   */
  boolean make(ActorId id, Message request, Body body) {
    return switch (once(id, request, body).progress.get()) {
      case Progress.UnderWay now -> false;
      case Progress.Made made -> true;
      case Progress.Gone gone -> true;
      case Progress.Failed failed -> throw failed.why();
    };
  }

  /**
   * Returns the attempt for a request. Of two equal requests at once, the second gets the attempt
   * that the first has begun.
   */
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
          ErrorCode.UNAVAILABLE, "the copy of an earlier attempt is not deleted yet");
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

  /**
   * Returns whether an attempt that was given up still writes to the directory of an actor's copy.
   */
  boolean isMaking(ActorId id) {
    Making now = making.get(id);
    return now != null && !now.ended();
  }

  /** Takes the copy that was made, for use from now on. */
  Optional<Replica> take(ActorId id) {
    Making now = making.get(id);
    Optional<Replica> made = now == null ? Optional.empty() : now.give();
    made.ifPresent(copy -> making.remove(id, now));
    return made;
  }

  /** Throws away all copies, those made from now on included. */
  void close() {
    closed = true;
    making.values().forEach(Making::throwAway);
  }

  /** A listener for attempts that are forgotten. */
  @FunctionalInterface
  interface Ended {
    void ended(ActorId id, Message request);
  }

  /**
   * Forgets attempts that have ended, except made copies that are wanted.
   *
   * @param over tells whether an attempt need not be known any more
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
