package io.uniserve.runtime.control;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.ControlMessage.StateReload;
import io.uniserve.runtime.wire.ControlMessage.Subscribe;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The publication of every control record to every subscriber, in order. Each subscriber has a
 * thread, so a slow one delays nobody. The newest records are kept; a subscriber that lacks older
 * ones gets the whole state instead.
 */
final class StatePublisher {
  /** The largest number of records in one message. */
  private static final int BATCH_MAX = 1_000;

  /** The number of records that are kept. */
  static final int KEPT_MAX = 10_000;

  private final Environment environment;
  private final Duration keepAlive;
  private final BooleanSupplier inTouch;
  private final ReentrantLock lock = new ReentrantLock();

  /** The newest records, each in the place of its version. */
  private final ControlRecord[] records = new ControlRecord[KEPT_MAX];

  /** The version before the oldest kept record. */
  private long keptAfter;

  private volatile ClusterState state = ClusterState.EMPTY;
  private volatile long ordered;
  private Signal grown;

  /**
   * @param keepAlive the longest time for which a subscription may be silent
   * @param inTouch tells whether this controller hears of decisions
   */
  StatePublisher(Environment environment, Duration keepAlive, BooleanSupplier inTouch) {
    this.environment = environment;
    this.keepAlive = keepAlive;
    this.inTouch = inTouch;
    this.grown = environment.threads().signal();
  }

  /** Returns the newest state. */
  ClusterState state() {
    return state;
  }

  /** Returns how many messages are ordered. */
  long ordered() {
    return ordered;
  }

  /** Publishes how many messages are ordered. */
  void ordered(long count) {
    ordered = Math.max(ordered, count);
  }

  /**
   * Publishes records to all subscribers. A controller that starts again from its disk may come to
   * records that it has published before.
   */
  void publish(List<ControlRecord> added, ClusterState after) {
    if (after.version() <= state.version()) {
      return;
    }
    Signal wake;
    lock.lock();
    try {
      long fresh = Math.min(added.size(), after.version() - state.version());
      long version = after.version() - fresh;
      keptAfter = version > state.version() ? version : keptAfter;
      for (ControlRecord record : added.subList((int) (added.size() - fresh), added.size())) {
        records[place(++version)] = record;
      }
      keptAfter = Math.max(keptAfter, version - KEPT_MAX);
      state = after;
      wake = grown;
      grown = environment.threads().signal();
    } finally {
      lock.unlock();
    }
    wake.set();
  }

  /** Publishes a state without the records that led to it. */
  void reload(ClusterState after) {
    if (after.version() > state.version()) {
      lock.lock();
      try {
        Arrays.fill(records, null);
        keptAfter = after.version();
      } finally {
        lock.unlock();
      }
      publish(List.of(), after);
    }
  }

  /** Serves one subscriber until its call ends. */
  void subscribe(Subscribe subscribe, Incoming call) {
    environment.threads().start("publish", () -> serve(subscribe, call));
  }

  private void serve(Subscribe subscribe, Incoming call) {
    long version = subscribe.afterVersion();
    try {
      while (!call.cancelled()) {
        Message next = next(subscribe.cluster(), version);
        call.reply(next);
        version =
            switch (next) {
              case StateChanges changes -> version + changes.records().size();
              case StateReload reload -> reload.snapshot().version();
              default -> version;
            };
      }
    } catch (UniserveException e) {
      call.fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns the changes after a version. If there are none for as long as a subscription may be
   * silent, it returns no records.
   */
  private Message next(String cluster, long version) throws InterruptedException {
    Clock clock = environment.clock();
    Deadline silence = Deadline.after(clock, keepAlive);
    while (true) {
      Signal wake;
      lock.lock();
      try {
        requireSame(cluster, version);
        if (version < state.version()) {
          return after(version);
        }
        wake = grown;
      } finally {
        lock.unlock();
      }
      if (!wake.await(silence)) {
        return silence(version);
      }
    }
  }

  private void requireSame(String cluster, long version) {
    if (version < 0 || !cluster.isEmpty() && foreign(cluster)) {
      throw UniserveException.invalid(
          "version " + version + " of cluster '" + cluster + "' is not one of this control log");
    }
  }

  private boolean foreign(String cluster) {
    return !state.cluster().isEmpty() && !state.cluster().equals(cluster);
  }

  private Message after(long version) {
    if (version < keptAfter) {
      return new StateReload(state.snapshot());
    }
    long last = Math.min(state.version(), version + BATCH_MAX);
    List<ControlRecord> next = new ArrayList<>();
    for (long each = version + 1; each <= last; each++) {
      next.add(records[place(each)]);
    }
    return new StateChanges(version, next);
  }

  private static int place(long version) {
    return (int) (version % KEPT_MAX);
  }

  /**
   * Returns an empty message. A controller that is out of touch fails instead, so that its
   * subscribers turn to another.
   */
  private Message silence(long version) {
    if (!inTouch.getAsBoolean() || version > state.version()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "this controller is out of touch with the controller that decides");
    }
    return new StateChanges(version, List.of());
  }
}
