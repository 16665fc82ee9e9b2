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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One try at one task, on a worker thread. If its actor has shown what may still be lost, the task
 * ends on another thread, so that the worker does not wait for other servers.
 */
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

  /**
   * The work of a task on its input, of which it is not known yet that it was the newest.
   *
   * @param read the actor that was read, if any
   * @param counts true if an operator has run on that actor
   * @param release frees the input
   */
  private record Worked(
      Made made, Optional<PlanHost.ActorUse> read, boolean counts, Runnable release) {
    /** Requires that the actor was read in full; may wait. */
    private void requireUpToDate() {
      try {
        read.ifPresent(PlanHost.ActorUse::requireUpToDate);
      } catch (UniserveException e) {
        made.output().ifPresent(Shared::retire);
        throw e;
      }
    }
  }

  /**
   * The time that a task has taken of its worker.
   *
   * @param beganNanos the clock when it began
   */
  private record Spent(long beganNanos, long busyNanos, long cpuNanos) {}

  /**
   * Runs the task, and ends it unless that has to wait for other servers.
   *
   * @return the rest of the work, which may wait, on another thread
   */
  Optional<Runnable> run() {
    AtomicReference<Optional<Runnable>> rest = new AtomicReference<>(Optional.empty());
    attempt(
        () -> {
          context.checkCancelled();
          long began = host.environment().clock().nanos();
          long cpuBefore = host.environment().threads().cpuNanos();
          Worked worked = perform();
          Spent spent =
              new Spent(
                  began,
                  host.environment().clock().nanos() - began,
                  host.environment().threads().cpuNanos() - cpuBefore);
          if (worked.read().filter(PlanHost.ActorUse::mustWait).isPresent()) {
            rest.set(Optional.of(() -> attempt(() -> conclude(worked, spent))));
          } else {
            conclude(worked, spent);
          }
        });
    return rest.get();
  }

  private void attempt(Runnable work) {
    try {
      work.run();
    } catch (UniserveException e) {
      fail(e);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      LOG.warn("an operator failed", e);
      fail(
          new UniserveException(
              ErrorCode.INTERNAL, "the operator failed: " + UniserveException.reason(e), e));
    }
  }

  /** Tells what was made, once the actor that was read is known to have been read in full. */
  private void conclude(Worked worked, Spent spent) {
    try {
      worked.requireUpToDate();
      if (worked.counts()) {
        worked
            .read()
            .ifPresent(
                use ->
                    use.operated(
                        context.cost(spent.cpuNanos()), spent.cpuNanos(), spent.busyNanos()));
      }
    } finally {
      worked.release().run();
    }
    Made made = worked.made();
    keep(made);
    long elapsed = host.environment().clock().nanos() - spent.beganNanos();
    reply(
        new TaskDone(task.number(), with(made.figures(), elapsed, spent.cpuNanos()), made.parts()));
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

  private Worked perform() {
    return switch (task.input()) {
      case Input.OfActor of -> onActor(of);
      case Input.OfOutput of -> onOutput(of);
      case Input.OfChunks of -> gather(of);
    };
  }

  private Worked onActor(Input.OfActor of) {
    PlanHost.ActorUse use = require(of);
    return worked(
        () -> work(new Datum(List.of(use.actor()), of.actor().number())),
        Optional.of(use),
        true,
        use::close);
  }

  /**
   * Does work, after which the input stays until the end; if it fails the input is freed at once.
   */
  private static Worked worked(
      Supplier<Made> work, Optional<PlanHost.ActorUse> read, boolean counts, Runnable release) {
    try {
      return new Worked(work.get(), read, counts, release);
    } catch (Throwable e) {
      release.run();
      throw e;
    }
  }

  private Worked onOutput(Input.OfOutput of) {
    Shared<Output> held =
        run.acquire(of.output())
            .orElseThrow(
                () -> new InputLostException("the output of task " + of.output() + " is gone"));
    if (held.value() instanceof Output.Datasets datasets) {
      return worked(
          () -> work(new Datum(datasets.sets(), of.firstNumber())),
          datasets.anchor(),
          false,
          held::release);
    }
    held.release();
    throw UniserveException.invalid("output " + of.output() + " has no datasets");
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

  private Worked gather(Input.OfChunks of) {
    if (!(request.work() instanceof Work.Gathering gathering)) {
      throw UniserveException.invalid("chunks that are not gathered");
    }
    shared.materialized().requireRoom();
    GatherTask gather = new GatherTask(shared, operators(gathering.operator()), context, run);
    if (of.anchor().isEmpty()) {
      Made made = gather.run(request.run(), gathering, of, Optional.empty());
      return new Worked(made, Optional.empty(), false, () -> {});
    }
    Optional<PlanHost.ActorUse> use = Optional.of(require(of.anchor().get()));
    try {
      // The output keeps the anchor.
      return new Worked(gather.run(request.run(), gathering, of, use), use, true, () -> {});
    } catch (Throwable e) {
      use.get().close();
      throw e;
    }
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
