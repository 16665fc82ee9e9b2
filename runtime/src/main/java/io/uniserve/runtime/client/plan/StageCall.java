package io.uniserve.runtime.client.plan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.wire.PlanMessage.TaskDone;
import io.uniserve.runtime.wire.PlanMessage.TaskFailed;
import io.uniserve.runtime.wire.PlanMessage.TaskValues;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.util.List;
import java.util.function.Supplier;

/** One attempt at some tasks of a stage, all on one server. */
final class StageCall implements Transport.ReplyObserver {
  private final StageProgress stage;
  private final ServerState server;
  private final List<StageTask> tasks;
  private volatile Transport.Call call = () -> {};
  private volatile boolean cancelled;

  StageCall(StageProgress stage, ServerState server, List<StageTask> tasks) {
    this.stage = stage;
    this.server = server;
    this.tasks = tasks;
  }

  ServerState server() {
    return server;
  }

  List<StageTask> tasks() {
    return tasks;
  }

  void begun(Transport.Call begun) {
    call = begun;
    if (cancelled) {
      begun.cancel();
    }
  }

  void cancel() {
    cancelled = true;
    call.cancel();
  }

  /** Ends the call, since its server was given up. */
  void givenUp() {
    failed(
        new UniserveException(
            ErrorCode.UNAVAILABLE, "server " + server.name() + " was given up meanwhile"));
    cancel();
  }

  @Override
  public void replied(Message reply) {
    switch (reply) {
      case TaskValues values -> stage.retrieved(this, values);
      case TaskDone done -> stage.done(this, done);
      case TaskFailed failure ->
          stage.failed(
              this,
              failure.task(),
              () -> new UniserveException(failure.code(), failure.message()),
              failure.inputLost());
      default ->
          failed(new UniserveException(ErrorCode.INTERNAL, "an unexpected answer: " + reply));
    }
  }

  @Override
  public void completed() {
    end(
        () ->
            new UniserveException(
                ErrorCode.UNAVAILABLE, "server " + server.name() + " ended its answer early"));
  }

  @Override
  public void failed(UniserveException failure) {
    end(() -> failure);
  }

  /**
   * Ends the call. Tasks that have ended do not count it as their attempt any more, and no failure
   * is created for them.
   */
  private void end(Supplier<UniserveException> failure) {
    tasks.forEach(task -> stage.failed(this, task.number(), failure, false));
    stage.ended(this);
  }
}
