package io.uniserve.runtime.server.plan;

import io.uniserve.api.Actor;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.server.plan.PlanRuns.StageCall;
import io.uniserve.runtime.server.plan.chunk.InputLostException;
import io.uniserve.runtime.wire.PlanMessage.PartSize;
import io.uniserve.runtime.wire.PlanMessage.RunTasks;
import io.uniserve.runtime.wire.PlanMessage.TaskDone;
import io.uniserve.runtime.wire.PlanMessage.TaskFailed;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.plan.Input;
import io.uniserve.runtime.wire.plan.OutputId;
import io.uniserve.runtime.wire.plan.Task;
import io.uniserve.runtime.wire.plan.TaskFigures;
import io.uniserve.runtime.wire.plan.Work;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One try at one task, on a worker thread. */
final class TaskRun {
  private static final Logger LOG = LoggerFactory.getLogger(TaskRun.class);

  private final PlanHost host;
  private final PlanResources shared;
  private final RunTasks request;
  private final Task task;
  private final Run run;
  private final Incoming call;
  private final TaskContext context;

  TaskRun(PlanResources shared, RunTasks request, Task task, StageCall stage) {
    this.host = shared.host();
    this.shared = shared;
    this.request = request;
    this.task = task;
    this.run = stage.run();
    this.call = stage.call();
    this.context = new TaskContext(run, call, host.environment().clock());
  }

  /** The output of a task, and its figures. */
  record Made(Optional<Shared<Output>> output, TaskFigures figures, List<PartSize> parts) {
    static Made nothing() {
      return new Made(Optional.empty(), PlanRuns.figures(0, 0, 0), List.of());
    }
  }

  void run() {
    try {
      context.checkCancelled();
      long began = host.environment().clock().nanos();
      long cpuBefore = host.environment().threads().cpuNanos();
      Made made = perform(new Began(began, cpuBefore));
      keep(made);
      long cpuNanos = host.environment().threads().cpuNanos() - cpuBefore;
      long elapsed = host.environment().clock().nanos() - began;
      reply(new TaskDone(task.number(), with(made.figures(), elapsed, cpuNanos), made.parts()));
    } catch (UniserveException e) {
      fail(e);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      LOG.warn("an operator failed", e);
      fail(
          new UniserveException(
              ErrorCode.INTERNAL, "the operator failed: " + UniserveException.reason(e), e));
    }
  }

  private TaskFigures with(TaskFigures made, long elapsed, long cpuNanos) {
    return new TaskFigures(
        elapsed,
        cpuNanos,
        context.cost(cpuNanos),
        made.chunks(),
        made.bytes(),
        made.datasets(),
        context.rows());
  }

  /** The clock and the thread's CPU time when a task began, in nanoseconds. */
  private record Began(long nanos, long cpuNanos) {}

  private Made perform(Began began) {
    return switch (task.input()) {
      case Input.OfActor of -> onActor(of, began);
      case Input.OfOutput of -> onOutput(of);
      case Input.OfChunks of -> gather(of, began);
    };
  }

  private Made onActor(Input.OfActor of, Began began) {
    try (PlanHost.ActorUse use = require(of)) {
      Made made = work(new Datum(List.of(use.actor()), of.actor().number()));
      operated(use, made, began);
      return made;
    }
  }

  private void operated(PlanHost.ActorUse use, Made made, Began began) {
    requireUpToDate(use, made);
    long cpuNanos = host.environment().threads().cpuNanos() - began.cpuNanos();
    long busyNanos = host.environment().clock().nanos() - began.nanos();
    use.operated(context.cost(cpuNanos), cpuNanos, busyNanos);
  }

  /**
   * Requires that an actor was read in full. A dataset gathered at an actor reads the actor
   * whenever it is read itself.
   */
  private static void requireUpToDate(PlanHost.ActorUse use, Made made) {
    try {
      use.requireUpToDate();
    } catch (UniserveException e) {
      made.output().ifPresent(Shared::retire);
      throw e;
    }
  }

  private Made onOutput(Input.OfOutput of) {
    Shared<Output> held =
        run.acquire(of.output())
            .orElseThrow(
                () -> new InputLostException("the output of task " + of.output() + " is gone"));
    try {
      if (held.value() instanceof Output.Datasets datasets) {
        Made made = work(new Datum(datasets.sets(), of.firstNumber()));
        datasets.anchor().ifPresent(anchor -> requireUpToDate(anchor, made));
        return made;
      }
      throw UniserveException.invalid("output " + of.output() + " has no datasets");
    } finally {
      held.release();
    }
  }

  private Made work(Datum input) {
    return switch (request.work()) {
      case Work.Mapping mapping -> {
        shared.materialized().requireRoom();
        yield new MapTask(operators(mapping.operator()), context, shared.materialized()).run(input);
      }
      case Work.Scattering scattering ->
          new ScatterTask(
                  operators(scattering.operator()),
                  context,
                  shared.space(),
                  shared.files(),
                  shared.settings())
              .run(scattering, input);
      case Work.Retrieving retrieving ->
          new RetrieveTask(operators(retrieving.operator()), context, task.number()).run(input);
      case Work.Keeping keeping -> keep(keeping, input);
      case Work.Gathering gathering ->
          throw UniserveException.invalid("a gather of something else than chunks");
    };
  }

  private Operators operators(Payload operator) {
    return new Operators(host, operator);
  }

  private Made keep(Work.Keeping keeping, Datum input) {
    if (task.input() instanceof Input.OfActor of) {
      throw UniserveException.invalid("actor " + of.actor() + " was made by no operator");
    }
    if (input.sets().size() != 1 || !(input.sets().getFirst() instanceof Actor made)) {
      throw UniserveException.invalid(
          "the dataset for actor "
              + task.number()
              + " of table '"
              + keeping.table().name()
              + "' is not one actor, but "
              + input.sets());
    }
    long bytes = host.keep(made, keeping, task.number(), task.attempt());
    TaskFigures figures = new TaskFigures(0, 0, 0, 0, bytes, 0, 0);
    return new Made(Optional.empty(), figures, List.of());
  }

  private Made gather(Input.OfChunks of, Began began) {
    if (!(request.work() instanceof Work.Gathering gathering)) {
      throw UniserveException.invalid("chunks that are not gathered");
    }
    shared.materialized().requireRoom();
    GatherTask gather = new GatherTask(shared, operators(gathering.operator()), context, run);
    if (of.anchor().isEmpty()) {
      return gather.run(request.run(), gathering, of, Optional.empty());
    }
    PlanHost.ActorUse use = require(of.anchor().get());
    Made made;
    try {
      made = gather.run(request.run(), gathering, of, Optional.of(use));
    } catch (Throwable e) {
      use.close();
      throw e;
    }
    operated(use, made, began);
    return made;
  }

  private PlanHost.ActorUse require(Input.OfActor of) {
    return host.actor(of, call.deadline())
        .orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.STALE_ROUTING,
                    "there is no readable copy of actor " + of.actor() + " here"));
  }

  private void keep(Made made) {
    if (made.output().isEmpty()) {
      return;
    }
    OutputId id = new OutputId(request.stage(), task.number(), task.attempt());
    if (!run.keep(id, made.output().get())) {
      made.output().get().retire();
      throw new InputLostException("run " + request.run() + " has ended on this server");
    }
  }

  private void fail(UniserveException failure) {
    boolean lost = failure instanceof InputLostException || run.ended() && !call.cancelled();
    ErrorCode code = lost ? ErrorCode.UNAVAILABLE : failure.code();
    reply(new TaskFailed(task.number(), code, String.valueOf(failure.getMessage()), lost));
  }

  private void reply(io.uniserve.kernel.Message message) {
    if (call.cancelled()) {
      return;
    }
    try {
      call.reply(message);
    } catch (UniserveException e) {
      LOG.debug("nobody waits for task {}: {}", task, e.getMessage());
    }
  }
}
