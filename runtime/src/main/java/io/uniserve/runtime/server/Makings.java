package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Threads;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies that this server makes of actors that there are not yet, each on a thread of its own,
 * one at a time of each actor: whoever asked asks again until it is made.
 */
final class Makings {
  private static final Logger LOG = LoggerFactory.getLogger(Makings.class);

  private final Threads threads;
  private final Map<ActorId, Making> making = new ConcurrentSkipListMap<>();

  Makings(Threads threads) {
    this.threads = threads;
  }

  /** How a copy is made. */
  @FunctionalInterface
  interface Body {
    void make() throws IOException;
  }

  private static final class Making {
    private final Message request;
    private volatile boolean ended;
    private volatile UniserveException failure;

    Making(Message request) {
      this.request = request;
    }
  }

  /**
   * Begins to make a copy, unless the same was asked for before.
   *
   * @return whether it is made
   * @throws UniserveException if it could not be, or what an earlier attempt makes is in its way
   */
  boolean make(ActorId id, Message request, Body body) {
    Making now =
        making.compute(
            id,
            (same, known) ->
                known != null && known.request.equals(request)
                    ? known
                    : begin(id, request, body, known));
    if (now.failure != null) {
      throw now.failure;
    }
    return now.ended;
  }

  private Making begin(ActorId id, Message request, Body body, Making before) {
    if (before != null && !before.ended) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "what an earlier attempt makes is not thrown away yet");
    }
    Making begun = new Making(request);
    threads.start("making of " + id, () -> run(id, begun, body));
    return begun;
  }

  private static void run(ActorId id, Making now, Body body) {
    try {
      body.make();
    } catch (IOException | RuntimeException e) {
      LOG.warn("no copy of actor {} can be made", id, e);
      now.failure =
          e instanceof UniserveException known && known.retryable()
              ? known
              : new UniserveException(
                  ErrorCode.UNAVAILABLE, "no copy of actor " + id + " can be made: " + e, e);
    } finally {
      now.ended = true;
    }
  }

  /** Whether an attempt that came to nothing writes still where an actor's copy is to be. */
  boolean isMaking(ActorId id) {
    Making now = making.get(id);
    return now != null && !now.ended;
  }

  /** Hears of what need not be known any more. */
  @FunctionalInterface
  interface Ended {
    void ended(ActorId id, Message request);
  }

  /** Forgets what has ended. */
  void forget(Predicate<Message> over, Ended listener) {
    for (Map.Entry<ActorId, Making> made : List.copyOf(making.entrySet())) {
      Making now = made.getValue();
      if (now.ended && over.test(now.request) && making.remove(made.getKey(), now)) {
        listener.ended(made.getKey(), now.request);
      }
    }
  }
}
