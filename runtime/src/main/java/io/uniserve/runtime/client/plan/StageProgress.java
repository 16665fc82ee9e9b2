package io.uniserve.runtime.client.plan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.client.plan.StageTask.Where;
import io.uniserve.runtime.wire.PlanMessage.TaskDone;
import io.uniserve.runtime.wire.PlanMessage.TaskValues;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.plan.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The progress of one stage's tasks. Calls to servers bring ends and failures on many threads. The
 * thread that runs the stage takes out finished tasks and those to be tried again. Results of an
 * attempt that does not count any more are dropped.
 */
final class StageProgress {
  /** A task that has ended without failure. */
  record Finished(StageTask task, ServerState server, TaskDone done) {}

  /**
   * The next work.
   *
   * @param finished tasks, each given once
   * @param failed the failed tasks, to be tried again
   * @param last true if nothing else will come
   */
  record Next(List<Finished> finished, List<StageTask> failed, boolean last) {}

  private final PlanCluster cluster;
  private final String what;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, StageTask> tasks = new TreeMap<>();
  private final List<StageCall> underWay = new ArrayList<>();
  private List<Finished> finished = new ArrayList<>();
  private List<StageTask> failed = new ArrayList<>();
  private int unfinished;
  private int valuesHeld;
  private UniserveException fatal;
  private Signal signal;
  private Signal change;

  StageProgress(PlanCluster cluster, List<StageTask> tasks, String what) {
    this.cluster = cluster;
    this.what = what;
    this.unfinished = tasks.size();
    this.signal = cluster.environment().threads().signal();
    this.change = cluster.environment().threads().signal();
    tasks.forEach(task -> this.tasks.put(task.number(), task));
  }

  String what() {
    return what;
  }

  List<StageTask> tasks() {
    return List.copyOf(tasks.values());
  }

  /** Returns the signal that is set when there is something to take out. */
  Signal signal() {
    lock.lock();
    try {
      return signal;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns a signal that is set when cluster state changes after this call, or the stage has
   * failed.
   */
  Signal nextChange() {
    lock.lock();
    try {
      if (fatal == null) {
        change = cluster.environment().threads().signal();
      }
      return change;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes that cluster state has changed. Attempts at servers that were given up have failed: one
   * that reaches nobody would not say so before the deadline.
   */
  void stateChanged() {
    ClusterState state = cluster.state();
    List<StageCall> lost;
    lock.lock();
    try {
      change.set();
      lost = underWay.stream().filter(call -> isGivenUp(state, call.server())).toList();
    } finally {
      lock.unlock();
    }
    lost.forEach(StageCall::givenUp);
  }

  /** Ends a call that has just begun if its server was given up before that. */
  void begun(StageCall call) {
    if (isGivenUp(cluster.state(), call.server())) {
      call.givenUp();
    }
  }

  private static boolean isGivenUp(ClusterState state, ServerState asked) {
    ServerState now = state.servers().get(asked.name());
    return now == null || !now.alive() || now.incarnation() != asked.incarnation();
  }

  /**
   * Takes out the next work.
   *
   * @throws UniserveException if the stage has failed
   */
  Next next() {
    lock.lock();
    try {
      if (fatal != null) {
        throw fatal;
      }
      signal = cluster.environment().threads().signal();
      Next next = new Next(finished, failed, unfinished == 0);
      finished.forEach(each -> valuesHeld -= each.task().held());
      finished = new ArrayList<>();
      failed = new ArrayList<>();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Requires that the stage has not failed.
   *
   * @throws UniserveException if it has
   */
  void requireSound() {
    lock.lock();
    try {
      if (fatal != null) {
        throw fatal;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Makes this call the one attempt at its tasks. */
  List<Task> begin(StageCall call) {
    lock.lock();
    try {
      underWay.add(call);
      return call.tasks().stream()
          .map(task -> new Task(task.number(), task.begin(call), task.input()))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /** Takes values. */
  void retrieved(StageCall call, TaskValues values) {
    lock.lock();
    try {
      StageTask task = tasks.get(values.task());
      if (task == null || !task.isOf(call)) {
        return;
      }
      for (Payload value : values.values()) {
        task.add(values.dataset(), value);
      }
      valuesHeld += values.values().size();
      int bound = cluster.limits().valuesMax();
      if (valuesHeld > bound) {
        fail(
            new UniserveException(
                ErrorCode.TOO_LARGE, what + " gives more than " + bound + " values"));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Notes that a task has ended without failure. */
  void done(StageCall call, TaskDone done) {
    lock.lock();
    try {
      StageTask task = tasks.get(done.task());
      if (task == null || !task.isOf(call)) {
        return;
      }
      task.settle();
      finished.add(new Finished(task, call.server(), done));
      unfinished--;
      if (unfinished == 0) {
        signal.set();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes that an attempt at a task failed.
   *
   * @param why returns the failure; called only if the attempt counts
   */
  void failed(StageCall call, int number, Supplier<UniserveException> why, boolean inputLost) {
    lock.lock();
    try {
      StageTask task = tasks.get(number);
      if (task == null || !task.isOf(call)) {
        return;
      }
      UniserveException failure = why.get();
      valuesHeld -= task.held();
      task.drop();
      task.settle();
      task.failed(call.server().name(), failure, nowNanos());
      judge(task, failure, inputLost);
      signal.set();
    } finally {
      lock.unlock();
    }
  }

  private void judge(StageTask task, UniserveException failure, boolean inputLost) {
    boolean gone = failure.code() == ErrorCode.VERSION_GONE; // another run would fail as well
    if (inputLost
        || isBound(task)
            && failure.code().party() == ErrorCode.Party.SYSTEM
            && failure.retryable()
            && !gone) {
      fail(new RunLostException(what + ": " + failure.getMessage(), failure));
    } else if (gone && isBound(task) || hopeless(task, failure)) {
      fail(named(task, failure));
    } else {
      failed.add(task);
    }
  }

  private static boolean isBound(StageTask task) {
    return task.where() instanceof Where.On;
  }

  private boolean hopeless(StageTask task, UniserveException failure) {
    return callers(failure)
        || task.triedEnough(cluster.limits(), nowNanos())
        || task.finalFailures() >= places(task);
  }

  private long nowNanos() {
    return cluster.environment().clock().nanos();
  }

  /**
   * Returns in how many places a task may be tried. An actor that has ended meanwhile has no
   * copies.
   */
  private int places(StageTask task) {
    return switch (task.where()) {
      case Where.On on -> 1;
      case Where.Anywhere anywhere -> 2;
      case Where.AtCopyOf at ->
          cluster
              .state()
              .actor(at.actor())
              .map(actor -> Math.max(1, actor.copies().size()))
              .orElse(1);
    };
  }

  private static boolean callers(UniserveException failure) {
    return failure.code().party() == ErrorCode.Party.CALLER;
  }

  private UniserveException named(StageTask task, UniserveException failure) {
    return callers(failure)
        ? failure
        : new UniserveException(
            failure.code(),
            "task " + task.number() + " of " + what + ": " + failure.getMessage(),
            failure);
  }

  /** Notes that these tasks failed, since the run cannot be opened on a server. */
  void unopened(String server, List<StageTask> some, UniserveException failure) {
    lock.lock();
    try {
      for (StageTask task : some) {
        task.failed(server, failure, nowNanos());
        if (isBound(task)) {
          throw new RunLostException(what + ": " + failure.getMessage(), failure);
        }
        if (task.triedEnough(cluster.limits(), nowNanos())) {
          throw named(task, failure);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Requires that no task has waited too long for a server to ask.
   *
   * @throws UniserveException if one has
   */
  void requirePatience(List<StageTask> left) {
    long now = cluster.environment().clock().nanos();
    for (StageTask task : left) {
      if (task.outOfPatience(now, cluster.limits().patience().toNanos())) {
        throw new UniserveException(
            ErrorCode.UNAVAILABLE,
            "task " + task.number() + " of " + what + " has no server to run on" + task.before());
      }
    }
  }

  /** Notes that a call has ended, in whatever way. */
  void ended(StageCall call) {
    boolean was;
    lock.lock();
    try {
      was = underWay.remove(call);
    } finally {
      lock.unlock();
    }
    if (was) {
      cluster.count(call.server().name(), -call.tasks().size());
    }
  }

  /** Makes the stage fail. */
  void abort(UniserveException reason) {
    lock.lock();
    try {
      fail(reason);
    } finally {
      lock.unlock();
    }
  }

  private void fail(UniserveException reason) {
    if (fatal == null) {
      fatal = reason;
    }
    signal.set();
    change.set();
  }

  /** Cancels all calls under way. */
  void cancelAll() {
    List<StageCall> calls;
    lock.lock();
    try {
      tasks.values().forEach(StageTask::settle);
      calls = List.copyOf(underWay);
    } finally {
      lock.unlock();
    }
    calls.forEach(StageCall::cancel);
  }
}
