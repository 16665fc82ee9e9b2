package io.uniserve.runtime.client.plan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.wire.PlanMessage.RunTasks;
import io.uniserve.runtime.wire.PlanMessage.TaskDone;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.plan.Input;
import io.uniserve.runtime.wire.plan.Task;
import io.uniserve.runtime.wire.plan.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The run of one stage's tasks, on the thread of the caller that waits for it. One call has all
 * tasks on one server. Failed tasks are called again, elsewhere or after a pause. Every task is
 * finished exactly once, or the stage fails.
 */
final class StageRun {
  private final PlanCluster cluster;
  private final RunHolds holds;
  private final int stage;
  private final Work work;
  private final Deadline deadline;
  private final Finisher finisher;
  private final StageProgress progress;
  private final Placing placing;

  /**
   * @param what names the stage in messages
   * @param finisher takes the outputs of the tasks, on the thread that runs the stage
   */
  StageRun(
      PlanCluster cluster,
      RunHolds holds,
      int stage,
      Work work,
      List<StageTask> tasks,
      Deadline deadline,
      String what,
      Finisher finisher) {
    this.cluster = cluster;
    this.holds = holds;
    this.stage = stage;
    this.work = work;
    this.deadline = deadline;
    this.finisher = finisher;
    this.progress = new StageProgress(cluster, tasks, what);
    this.placing = new Placing(cluster);
  }

  /** A receiver of the outputs of tasks. */
  @FunctionalInterface
  interface Finisher {
    /** Takes a task, whose attempt succeeded on this server. */
    void finished(StageTask task, ServerState server, TaskDone done);
  }

  void run() {
    boolean complete = false;
    PlanCluster.Listening listening = cluster.onChange(progress::stateChanged);
    try {
      ask(progress.tasks());
      while (!step()) {
        deadline.check(clock(), progress.what());
      }
      complete = true;
    } finally {
      listening.close();
      if (!complete) {
        progress.cancelAll();
      }
    }
  }

  /** Ends the stage from outside. */
  void abort(UniserveException reason) {
    progress.abort(reason);
  }

  /** Waits for work and does it; returns true when every task has been finished. */
  private boolean step() {
    await(progress.signal(), deadline);
    StageProgress.Next next = progress.next();
    next.finished().forEach(each -> finisher.finished(each.task(), each.server(), each.done()));
    if (next.last()) {
      return true;
    }
    ask(next.failed());
    return false;
  }

  /** Begins an attempt at each task; waits first if no server can be asked. */
  private void ask(List<StageTask> wanted) {
    List<StageTask> left = wanted;
    while (!left.isEmpty()) {
      Signal change = progress.nextChange();
      left = askThoseWithServer(left);
      if (!left.isEmpty()) {
        progress.requirePatience(left);
        pause(change, left);
        deadline.check(clock(), progress.what());
        progress.requireSound();
      }
    }
  }

  /** Asks the tasks that have a server to ask now; returns the others. */
  private List<StageTask> askThoseWithServer(List<StageTask> wanted) {
    ClusterState state = cluster.state();
    Placing.Choice choice = placing.among(state);
    Map<String, List<StageTask>> byServer = new TreeMap<>();
    List<StageTask> left = new ArrayList<>();
    for (StageTask task : wanted) {
      requireShape(state, task);
      choice
          .of(task)
          .ifPresentOrElse(
              server -> byServer.computeIfAbsent(server, name -> new ArrayList<>()).add(task),
              () -> left.add(task));
    }
    left.forEach(StageTask::avoidNothing);
    Map<String, RunHolds.Hold> opening = new TreeMap<>();
    byServer.keySet().forEach(name -> opening.put(name, holds.begin(state.servers().get(name))));
    byServer.forEach(
        (name, tasks) -> {
          if (opened(opening.get(name), name, tasks)) {
            begin(state.servers().get(name), tasks);
          } else {
            left.addAll(tasks);
          }
        });
    return left;
  }

  /**
   * Requires that an actor has the keys with which a task was planned; otherwise the plan begins
   * again.
   */
  private void requireShape(ClusterState state, StageTask task) {
    if (task.actor().filter(of -> outOfShape(state, of)).isPresent()) {
      throw RunLostException.reshaped(
          progress.what() + ": actor " + task.actor().get().actor() + " was split or merged");
    }
  }

  private static boolean outOfShape(ClusterState state, Input.OfActor of) {
    TableState table = state.tables().get(of.actor().table());
    return table != null
        && table.definition().partitioner().generation(of.actor().number()) != of.generation();
  }

  private boolean opened(RunHolds.Hold hold, String server, List<StageTask> tasks) {
    try {
      holds.await(hold);
      return true;
    } catch (UniserveException e) {
      deadline.check(clock(), progress.what());
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      progress.unopened(server, tasks, e);
      return false;
    }
  }

  private void begin(ServerState server, List<StageTask> tasks) {
    StageCall call = new StageCall(progress, server, tasks);
    List<Task> attempts = progress.begin(call);
    cluster.count(server.name(), tasks.size());
    call.begun(
        cluster
            .calls()
            .begin(server, new RunTasks(holds.run(), stage, work, attempts), deadline, call));
    progress.begun(call);
  }

  private void pause(Signal change, List<StageTask> left) {
    long nanos =
        left.stream()
            .mapToLong(task -> task.pauseNanos(cluster.limits().retryDelay()))
            .min()
            .orElseThrow();
    await(change, new Deadline(clock().nanos() + nanos).earlier(deadline));
  }

  private void await(Signal signal, Deadline until) {
    try {
      signal.await(until);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, progress.what() + ": interrupted", e);
    }
  }

  private Clock clock() {
    return cluster.environment().clock();
  }
}
