package io.uniserve.runtime.client.plan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.client.plan.StageTask.Where;
import io.uniserve.runtime.wire.PlanMessage.TaskDone;
import io.uniserve.runtime.wire.PlanMessage.TaskValues;
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
 * What has come of the tasks of one stage so far. Calls to servers bring ends and failures on many
 * threads; the thread that runs the stage takes out what is finished and what is to be tried again.
 * What belongs to an attempt that does not count any more is dropped.
 */
final class StageProgress {
  /** A task that has ended well. */
  record Finished(StageTask task, ServerState server, TaskDone done) {}

  /**
   * What is to be done next.
   *
   * @param finished tasks, each given once
   * @param failed to be tried again
   * @param last whether nothing else is to come
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

  /** Set when there is something to take out. */
  Signal signal() {
    lock.lock();
    try {
      return signal;
    } finally {
      lock.unlock();
    }
  }

  /** Set when cluster state changes after this call, or the stage has failed. */
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

  /** Cluster state has changed. */
  void stateChanged() {
    lock.lock();
    try {
      change.set();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes out what there is to do.
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
   * @throws UniserveException if the stage has failed
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

  /** Values have come. */
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

  /** A task has ended well. */
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
   * An attempt at a task failed.
   *
   * @param why asked only if the attempt counts
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
    boolean gone = failure.code() == ErrorCode.VERSION_GONE; // for another run as well
    if (inputLost
        || isBound(task)
            && failure.code().party() == ErrorCode.Party.SYSTEM
            && failure.retryable()
            && !gone) {
      fail(new RunLost(what + ": " + failure.getMessage(), failure));
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

  /** In how many places a task may be tried; an actor that has ended meanwhile has no copies. */
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

  /** A server on which the run cannot be opened has failed these tasks. */
  void unopened(String server, List<StageTask> some, UniserveException failure) {
    lock.lock();
    try {
      for (StageTask task : some) {
        task.failed(server, failure, nowNanos());
        if (isBound(task)) {
          throw new RunLost(what + ": " + failure.getMessage(), failure);
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
   * @throws UniserveException if one of these has had no server to ask for too long
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

  /** A call has ended, whatever came of it. */
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

  /** The stage fails. */
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

  /** Ends all that is under way. */
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
