package io.uniserve.runtime.control;

import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Pushes every control record to every subscriber, in order; each subscriber has a thread, so a
 * slow one delays nobody.
 */
final class Publication {
  /** Records in one message. */
  private static final int BATCH_MAX = 1000;

  private final Environment environment;
  private final Duration keepAlive;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<ControlRecord> records = new ArrayList<>();
  private Signal grown;

  Publication(Environment environment, Duration keepAlive) {
    this.environment = environment;
    this.keepAlive = keepAlive;
    this.grown = environment.threads().signal();
  }

  /** Makes records known to all subscribers. */
  void publish(List<ControlRecord> added) {
    Signal wake;
    lock.lock();
    try {
      records.addAll(added);
      wake = grown;
      grown = environment.threads().signal();
    } finally {
      lock.unlock();
    }
    wake.set();
  }

  /** Serves one subscriber until its call ends. */
  void subscribe(long afterVersion, Incoming call) {
    environment.threads().start("publish", () -> serve(afterVersion, call));
  }

  private void serve(long afterVersion, Incoming call) {
    long version = afterVersion;
    try {
      while (!call.cancelled()) {
        List<ControlRecord> batch = next(version);
        call.reply(new StateChanges(version, batch));
        version += batch.size();
      }
    } catch (UniserveException e) {
      call.fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The records after a version; none if there are none for as long as a subscription may be
   * silent.
   */
  private List<ControlRecord> next(long version) throws InterruptedException {
    Clock clock = environment.clock();
    Deadline silence = Deadline.after(clock, keepAlive);
    while (true) {
      Signal wake;
      lock.lock();
      try {
        if (version < 0 || version > records.size()) {
          throw UniserveException.invalid(
              "version " + version + " is not one of the control log's " + records.size());
        }
        if (version < records.size()) {
          int end = (int) Math.min(records.size(), version + BATCH_MAX);
          return List.copyOf(records.subList((int) version, end));
        }
        wake = grown;
      } finally {
        lock.unlock();
      }
      if (!wake.await(silence)) {
        return List.of();
      }
    }
  }
}
