package io.uniserve.runtime.server.replica;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.server.actor.EngineActors;
import io.uniserve.runtime.server.engine.EngineFailedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Requests that wait for one actor. The first thread that comes leads: it has its own request done
 * at once, alone. Requests that come meanwhile are done together by the first of them, and so on
 * (group commit). So nobody waits for company, and the more wait, the more are done at once.
 *
 * @param <Q> the requests
 * @param <R> their results
 */
final class UpdateQueue<Q, R> {
  /** The greatest number of requests that are done together. */
  static final int TOGETHER_MAX = 256;

  /** The size in bytes from which on no more requests are done together with others. */
  static final long TOGETHER_BYTES_MAX = 4L << 20;

  /** One request. */
  static final class Waiting<Q, R> {
    private final Q request;
    private final long sizeBytes;
    private final Signal turn;
    private R result;
    private UniserveException failure;

    private Waiting(Q request, long sizeBytes, Signal turn) {
      this.request = request;
      this.sizeBytes = sizeBytes;
      this.turn = turn;
    }

    Q request() {
      return request;
    }

    void done(R value) {
      result = value;
    }

    void fail(UniserveException why) {
      failure = why;
    }

    boolean isOpen() {
      return result == null && failure == null;
    }
  }

  private final EngineActors actors;
  private final Consumer<List<Waiting<Q, R>>> work;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Waiting<Q, R>> waiting = new ArrayDeque<>();
  private boolean led;

  /** The number of requests that are done one by one, since one of those before was a defect. */
  private int alone;

  /**
   * @param work does requests together; each has a result or a failure afterwards
   */
  UpdateQueue(EngineActors actors, Consumer<List<Waiting<Q, R>>> work) {
    this.actors = actors;
    this.work = work;
  }

  /**
   * Has a request done, and returns its result.
   *
   * @param sizeBytes the size of the request
   * @throws UniserveException the request's failure
   */
  R await(Q request, long sizeBytes) {
    Waiting<Q, R> own = new Waiting<>(request, sizeBytes, actors.signal());
    if (!enter(own)) {
      awaitTurn(own.turn);
    }
    if (own.isOpen()) {
      lead();
    }
    if (own.failure != null) {
      throw own.failure;
    }
    return own.result;
  }

  /** Returns how many requests wait. */
  int size() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Takes a place in the queue; returns true if there is nobody before it. */
  private boolean enter(Waiting<Q, R> own) {
    lock.lock();
    try {
      waiting.add(own);
      boolean first = !led;
      led = true;
      return first;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the request is done or is the first. An interrupt does not end the wait, since
   * nobody would lead those behind.
   */
  private void awaitTurn(Signal turn) {
    boolean interrupted = false;
    while (!turn.isSet()) {
      try {
        turn.await(Deadline.after(actors.clock(), Deadline.LONGEST));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does the first requests, and lets the next thread lead. */
  private void lead() {
    List<Waiting<Q, R>> together = take();
    try {
      work.accept(together);
    } catch (EngineFailedException e) {
      failTogether(together, e);
    } catch (RuntimeException e) {
      failOpen(together, UniserveException.of(e));
    } finally {
      failOpen(together, new UniserveException(ErrorCode.INTERNAL, "the update was not tried"));
      together.stream().skip(1).forEach(one -> one.turn.set());
      next().ifPresent(one -> one.turn.set());
    }
  }

  /**
   * Fails requests of which one met a defect of the engine. It is unknown which; whoever repeats
   * his is done alone.
   */
  private void failTogether(List<Waiting<Q, R>> together, EngineFailedException failure) {
    boolean one = together.size() == 1 || failure.retryable();
    if (!one) {
      lock.lock();
      try {
        alone = 2 * together.size();
      } finally {
        lock.unlock();
      }
    }
    failOpen(together, one ? failure : failure.ofOneAmong(together.size()));
  }

  private static void failOpen(List<? extends Waiting<?, ?>> together, UniserveException why) {
    together.stream().filter(Waiting::isOpen).forEach(open -> open.fail(why));
  }

  private List<Waiting<Q, R>> take() {
    lock.lock();
    try {
      List<Waiting<Q, R>> together = new ArrayList<>();
      long bytes = 0;
      while (!waiting.isEmpty() && fits(together.size(), bytes + waiting.peek().sizeBytes)) {
        bytes += waiting.peek().sizeBytes;
        together.add(waiting.remove());
      }
      alone = Math.max(0, alone - 1);
      return together;
    } finally {
      lock.unlock();
    }
  }

  private boolean fits(int count, long bytes) {
    return count == 0 || alone == 0 && count < TOGETHER_MAX && bytes <= TOGETHER_BYTES_MAX;
  }

  /** Returns the one that leads next; it stays in the queue. */
  private Optional<Waiting<Q, R>> next() {
    lock.lock();
    try {
      led = !waiting.isEmpty();
      return Optional.ofNullable(waiting.peek());
    } finally {
      lock.unlock();
    }
  }
}
