package io.uniserve.runtime.server.plan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.server.plan.chunk.InputLostException;
import io.uniserve.runtime.server.plan.chunk.PlanSettings;
import io.uniserve.runtime.wire.PlanMessage;
import io.uniserve.runtime.wire.PlanMessage.FetchChunks;
import io.uniserve.runtime.wire.PlanMessage.OpenRun;
import io.uniserve.runtime.wire.PlanMessage.ReleaseStage;
import io.uniserve.runtime.wire.PlanMessage.RunOpened;
import io.uniserve.runtime.wire.PlanMessage.RunTasks;
import io.uniserve.runtime.wire.PlanMessage.StageReleased;
import io.uniserve.runtime.wire.plan.TaskFigures;
import io.uniserve.runtime.wire.plan.Work;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The runs that are open on one server. A run lasts as long as the call that opened it. When that
 * call is cancelled, its deadline passes or its caller is gone, all data of the run here is closed.
 */
public final class PlanRuns {
  private static final int RUNS_MAX = 10_000;
  private static final int NAME_LENGTH_MAX = 64;

  private final PlanHost host;
  private final Map<String, Run> runs = new ConcurrentSkipListMap<>();
  private final PlanResources shared;
  private final ChunkServing serving;
  private final AtomicInteger running = new AtomicInteger();

  /** Creates an empty set of runs. */
  public PlanRuns(PlanHost host, PlanSettings settings) {
    this.host = host;
    this.shared = new PlanResources(host, settings);
    this.serving = new ChunkServing(host.environment().threads(), settings.pageBytesMax());
    shared.files().deleteLeftovers();
  }

  /** Returns how many runs are open. */
  public int open() {
    return runs.size();
  }

  /** Returns how many tasks are on worker threads. */
  public int running() {
    return running.get();
  }

  /** Returns how many datasets are held. */
  public int datasets() {
    return shared.materialized().sets();
  }

  /** Returns the memory of datasets and chunks, in bytes. */
  public long heldBytes() {
    return shared.materialized().bytes() + shared.space().taken();
  }

  /** Handles one request. */
  public void handle(PlanMessage request, Incoming call) {
    switch (request) {
      case OpenRun open -> open(open, call);
      case RunTasks tasks -> run(tasks, call);
      case FetchChunks fetch -> serving.handle(require(fetch.run()), fetch, call);
      case ReleaseStage release -> {
        require(release.run()).release(release.stage());
        call.reply(new StageReleased());
        call.complete();
      }
      default ->
          throw UniserveException.invalid(
              "a server is not asked for " + request.getClass().getSimpleName());
    }
  }

  private void open(OpenRun request, Incoming call) {
    if (request.run().isEmpty() || request.run().length() > NAME_LENGTH_MAX) {
      throw UniserveException.invalid(
          "a run has a name of 1 to " + NAME_LENGTH_MAX + " characters");
    }
    if (runs.size() >= RUNS_MAX) {
      throw new UniserveException(
          ErrorCode.OVERLOADED, "the server has " + RUNS_MAX + " runs open");
    }
    Run run = new Run();
    if (runs.putIfAbsent(request.run(), run) != null) {
      // The client has given an earlier call up, and this server has not heard of that yet.
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "run " + request.run() + " is open by another call");
    }
    call.onCancel(() -> end(request.run(), run));
    try {
      call.reply(new RunOpened());
    } catch (UniserveException e) {
      // The caller's deadline has passed: the call fails, and is never cancelled.
      end(request.run(), run);
      throw e;
    }
  }

  private void end(String name, Run run) {
    runs.remove(name, run);
    run.end();
  }

  private void run(RunTasks request, Incoming call) {
    Run run = require(request.run());
    int count = request.tasks().size();
    if (count == 0) {
      throw UniserveException.invalid("stage " + request.stage() + " without tasks");
    }
    host.admit(count, call.deadline());
    StageCall stage = new StageCall(count, run, call);
    request
        .tasks()
        .forEach(
            task -> {
              TaskRun one = new TaskRun(shared, request, task, stage);
              submit(request.work(), () -> run(one, stage));
            });
  }

  /**
   * Starts a task. A task that waits for the durable store has a thread of its own, and occupies no
   * worker.
   */
  private void submit(Work work, Runnable task) {
    if (work instanceof Work.Keeping) {
      host.environment().threads().start("keep", task);
    } else {
      host.workers().submit(task);
    }
  }

  private void run(TaskRun task, StageCall stage) {
    host.begun();
    running.incrementAndGet();
    Optional<Runnable> rest = Optional.empty();
    try {
      rest = task.run();
    } finally {
      running.decrementAndGet();
      if (rest.isEmpty()) {
        stage.ended();
      }
    }
    rest.ifPresent(
        waiting ->
            host.environment().threads().start("a task that waits", () -> end(waiting, stage)));
  }

  private static void end(Runnable waiting, StageCall stage) {
    try {
      waiting.run();
    } finally {
      stage.ended();
    }
  }

  private Run require(String name) {
    Run run = runs.get(name);
    if (run == null) {
      throw new InputLostException("run " + name + " is not open on this server");
    }
    return run;
  }

  /** Ends all runs. */
  public void close() {
    runs.forEach(this::end);
  }

  /** One request to run tasks. */
  record StageCall(AtomicInteger unfinished, Run run, Incoming call) {
    StageCall(int tasks, Run run, Incoming call) {
      this(new AtomicInteger(tasks), run, call);
    }

    void ended() {
      if (unfinished.decrementAndGet() == 0) {
        call.complete();
      }
    }
  }

  /** Returns the figures of a task before its output is known. */
  static TaskFigures figures(long elapsedNanos, long cpuNanos, double cost) {
    return new TaskFigures(elapsedNanos, cpuNanos, cost, 0, 0, 0, 0);
  }
}
