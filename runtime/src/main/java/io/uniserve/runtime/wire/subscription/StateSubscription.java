package io.uniserve.runtime.wire.subscription;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Transport.Call;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.ControlMessage.StateReload;
import io.uniserve.runtime.wire.ControlMessage.Subscribe;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.Replay;
import io.uniserve.runtime.wire.cluster.ServerCalls;
import io.uniserve.runtime.wire.cluster.StateListener;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process's pushed copy of cluster state. It subscribes to any controller and replays the
 * records that come. When the subscription ends or falls silent, it subscribes to another, from
 * where it was.
 */
public final class StateSubscription implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StateSubscription.class);
  private static final Duration SILENCE_MAX = Duration.ofSeconds(3);
  private static final Duration BACKOFF = Duration.ofMillis(100);

  private final Environment environment;
  private final Controllers controllers;
  private final StateListener listener;
  private final ServerCalls calls;
  private final ReentrantLock lock = new ReentrantLock();

  /** Held while records are replayed. */
  private final ReentrantLock replaying = new ReentrantLock();

  private volatile ClusterState state = ClusterState.EMPTY;
  private Signal changed;
  private volatile long heardAtNanos;
  private volatile Promise<Void> current;
  private volatile boolean closed;

  /**
   * @param listener takes every change, in order; must not wait
   */
  public StateSubscription(
      Environment environment, Controllers controllers, StateListener listener) {
    this.environment = environment;
    this.controllers = controllers;
    this.listener = listener;
    this.calls = new ServerCalls(environment, this::state);
    this.changed = environment.threads().signal();
  }

  /** Begins to subscribe. */
  public void start() {
    environment.threads().start("subscribe", this::run);
  }

  /** Returns calls to servers, which end when the state that arrives says so. */
  public ServerCalls calls() {
    return calls;
  }

  /** Returns the newest state that has arrived. */
  public ClusterState state() {
    return state;
  }

  /**
   * Waits for a state.
   *
   * @param what names the awaited state in the message
   * @throws UniserveException with {@link ErrorCode#DEADLINE_EXCEEDED}
   */
  public ClusterState await(Predicate<ClusterState> wanted, Deadline deadline, String what) {
    while (true) {
      Signal next = nextChange();
      ClusterState now = state;
      if (wanted.test(now)) {
        return now;
      }
      awaitChange(next, deadline, what);
    }
  }

  /** Returns a signal that is set at the next change of state. */
  public Signal nextChange() {
    lock.lock();
    try {
      return changed;
    } finally {
      lock.unlock();
    }
  }

  private void awaitChange(Signal change, Deadline deadline, String what) {
    try {
      if (!change.await(deadline)) {
        throw new UniserveException(
            ErrorCode.DEADLINE_EXCEEDED, what + ": not before the deadline");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, what + ": interrupted", e);
    }
  }

  private void run() {
    try {
      while (!closed) {
        subscribeOnce();
        environment.clock().sleep(BACKOFF);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void subscribeOnce() {
    Address controller = controllers.any();
    Promise<Void> ended = new Promise<>(environment.threads());
    current = ended;
    Clock clock = environment.clock();
    heardAtNanos = clock.nanos();
    Call call =
        environment
            .transport()
            .call(
                controller,
                new Subscribe(state.cluster(), state.version()),
                Deadline.after(clock, Deadline.LONGEST),
                new Changes(ended));
    Watch watch = new Watch(controller, ended);
    watch.begin(SILENCE_MAX);
    try {
      if (!closed) {
        ended.await(Deadline.after(clock, Deadline.LONGEST), "subscription to " + controller);
      }
    } catch (UniserveException e) {
      LOG.debug("subscription to {} ended: {}", controller, e.getMessage());
    } finally {
      watch.end();
      call.cancel();
    }
  }

  /** The watch that fails a subscription once it has been silent for too long. */
  private final class Watch {
    private final Address controller;
    private final Promise<Void> ended;
    private volatile Clock.Timer next = () -> {};

    Watch(Address controller, Promise<Void> ended) {
      this.controller = controller;
      this.ended = ended;
    }

    void begin(Duration patience) {
      next = environment.clock().schedule(patience, this::look);
      if (ended.isDone()) {
        next.cancel();
      }
    }

    void end() {
      next.cancel();
    }

    private void look() {
      long silence = environment.clock().nanos() - heardAtNanos;
      if (silence >= SILENCE_MAX.toNanos()) {
        ended.fail(new UniserveException(ErrorCode.UNAVAILABLE, controller + " has fallen silent"));
      } else {
        begin(SILENCE_MAX.minusNanos(silence));
      }
    }
  }

  /**
   * Replays a message. A subscription that was given up may still be replaying when the next one
   * begins.
   */
  private void replay(Message message, Promise<Void> ended) {
    replaying.lock();
    try {
      if (!ended.isDone()) {
        heardAtNanos = environment.clock().nanos();
        switch (message) {
          case StateChanges changes -> replay(changes);
          case StateReload reload -> reload(ClusterState.of(reload.snapshot()));
          default ->
              throw new UniserveException(
                  ErrorCode.INTERNAL, "a subscription brought " + message.getClass());
        }
      }
    } finally {
      replaying.unlock();
    }
  }

  private void replay(StateChanges changes) {
    if (changes.records().isEmpty()) {
      return;
    }
    if (changes.afterVersion() != state.version()) {
      throw new UniserveException(
          ErrorCode.INTERNAL,
          "records after version " + changes.afterVersion() + " when at " + state.version());
    }
    for (ControlRecord record : changes.records()) {
      ClusterState next = Replay.apply(state, record);
      state = next;
      calls.changed();
      tell(() -> listener.changed(next, record));
    }
    wake();
  }

  /** Replaces the state, since the controller has not kept the records in between. */
  private void reload(ClusterState next) {
    if (next.version() > state.version()) {
      LOG.info("cluster state is reloaded at version {}", next.version());
      state = next;
      calls.changed();
      tell(() -> listener.reloaded(next));
      wake();
    }
  }

  private void wake() {
    controllers.learn(state);
    Signal wake;
    lock.lock();
    try {
      wake = changed;
      changed = environment.threads().signal();
    } finally {
      lock.unlock();
    }
    wake.set();
  }

  private void tell(Runnable listening) {
    try {
      listening.run();
    } catch (RuntimeException e) {
      LOG.error("a listener failed at version {}", state.version(), e);
    }
  }

  @Override
  public void close() {
    closed = true;
    Promise<Void> running = current;
    if (running != null) {
      running.complete(null);
    }
  }

  private final class Changes implements ReplyObserver {
    private final Promise<Void> ended;

    Changes(Promise<Void> ended) {
      this.ended = ended;
    }

    @Override
    public void replied(Message reply) {
      try {
        replay(reply, ended);
      } catch (UniserveException e) {
        ended.fail(e);
      }
    }

    @Override
    public void completed() {
      ended.complete(null);
    }

    @Override
    public void failed(UniserveException failure) {
      ended.fail(failure);
    }
  }
}
