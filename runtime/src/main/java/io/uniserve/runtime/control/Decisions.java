package io.uniserve.runtime.control;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.Replay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that decides, and the state that it decides upon. Tasks run one after another in
 * the order in which they were submitted, so a decision never races with another.
 */
final class Decisions {
  private static final Logger LOG = LoggerFactory.getLogger(Decisions.class);

  /** Tasks that may wait; more are refused, since whoever sent them will time out anyway. */
  private static final int WAITING_MAX = 100_000;

  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final Environment environment;
  private final ControlLog log;
  private final Publication publication;
  private final Signal ended;
  private volatile boolean stopping;
  private volatile ClusterState state = ClusterState.EMPTY;

  Decisions(
      Environment environment,
      ControlLog log,
      Publication publication,
      List<ControlRecord> recovered) {
    this.environment = environment;
    this.ended = environment.threads().signal();
    this.log = log;
    this.publication = publication;
    recovered.forEach(record -> state = Replay.apply(state, record));
    publication.publish(recovered);
  }

  void start() {
    environment.threads().start("coordinator", this::run);
  }

  /**
   * Ends the thread after the task at hand; the tasks that wait are dropped, as they are when a
   * process dies.
   */
  void stop() {
    stopping = true;
    tasks.add(() -> {});
    try {
      ended.await(Deadline.after(environment.clock(), STOP_TIMEOUT));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The state as of the last decision. */
  ClusterState state() {
    return state;
  }

  /** Runs a task on the deciding thread, some time. */
  void submit(Runnable task) {
    tasks.add(task);
  }

  /** Runs a task for a caller, who learns of its failure. */
  void submit(Incoming call, Runnable task) {
    if (tasks.size() > WAITING_MAX) {
      call.fail(
          new UniserveException(
              ErrorCode.OVERLOADED, "the coordinator has " + tasks.size() + " tasks waiting"));
      return;
    }
    tasks.add(
        () -> {
          try {
            task.run();
          } catch (UniserveException e) {
            call.fail(e);
          } catch (RuntimeException | LinkageError | StackOverflowError e) {
            LOG.error("a decision failed", e);
            call.fail(UniserveException.of(e));
          }
        });
  }

  /** Makes records true: logged, applied, published. Only for the deciding thread. */
  void record(List<ControlRecord> records) {
    ClusterState next = state;
    for (ControlRecord record : records) {
      next = Replay.apply(next, record);
    }
    log.append(records);
    state = next;
    records.forEach(Decisions::log);
    publication.publish(records);
  }

  private static void log(ControlRecord record) {
    if (record instanceof ControlRecord.TransactionCommitted) {
      LOG.debug("{}", record);
    } else {
      LOG.info("{}", record);
    }
  }

  private void run() {
    try {
      while (!stopping) {
        runOne(tasks.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended.set();
    }
  }

  /** A defect, be it of an engine or of a policy, costs the one decision, not all later ones. */
  private static void runOne(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      LOG.error("a decision failed", e);
    }
  }
}
