package io.uniserve.runtime.client.plan;

import io.uniserve.api.Operator;
import io.uniserve.api.PlanProfile.StageProfile;
import io.uniserve.api.PlanProfile.TaskProfile;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.wire.PlanMessage.TaskDone;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.plan.Input;
import io.uniserve.runtime.wire.plan.TaskFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** A record of the figures of one run's stages. */
final class RunRecord {
  private final Clock clock;
  private final long beganNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final SortedMap<Integer, StageProfile> stages = new TreeMap<>();

  /**
   * @param beganNanos the time at which the query began
   */
  RunRecord(Clock clock, long beganNanos) {
    this.clock = clock;
    this.beganNanos = beganNanos;
  }

  /** Begins the record of one stage, whose tasks another finisher takes, too. */
  Noting begin(int stage, String what, Optional<Operator> operator, StageRun.Finisher finisher) {
    return new Noting(stage, what, operator, clock.nanos(), finisher);
  }

  /** Returns all that was noted. */
  List<StageProfile> stages() {
    lock.lock();
    try {
      return List.copyOf(stages.values());
    } finally {
      lock.unlock();
    }
  }

  /** The record of one stage. */
  final class Noting implements StageRun.Finisher {
    private final int stage;
    private final String what;
    private final Optional<Operator> operator;
    private final long stageBeganNanos;
    private final StageRun.Finisher finisher;
    private final SortedMap<Integer, TaskProfile> tasks = new TreeMap<>();

    private Noting(
        int stage,
        String what,
        Optional<Operator> operator,
        long stageBeganNanos,
        StageRun.Finisher finisher) {
      this.stage = stage;
      this.what = what;
      this.operator = operator;
      this.stageBeganNanos = stageBeganNanos;
      this.finisher = finisher;
    }

    @Override
    public void finished(StageTask task, ServerState server, TaskDone done) {
      TaskFigures figures = done.figures();
      tasks.put(
          task.number(),
          new TaskProfile(
              on(task.input()),
              server.name(),
              task.attempt() + 1,
              Duration.ofNanos(figures.elapsedNanos()),
              Duration.ofNanos(figures.cpuNanos()),
              figures.cost(),
              figures.rows(),
              figures.chunks(),
              figures.bytes(),
              figures.datasets()));
      finisher.finished(task, server, done);
    }

    /** Notes that the stage has ended without failure. */
    void end() {
      StageProfile profile =
          new StageProfile(
              stage,
              what,
              operator,
              Duration.ofNanos(stageBeganNanos - beganNanos),
              Duration.ofNanos(clock.nanos() - stageBeganNanos),
              new ArrayList<>(tasks.values()));
      lock.lock();
      try {
        stages.put(stage, profile);
      } finally {
        lock.unlock();
      }
    }
  }

  private static String on(Input input) {
    return switch (input) {
      case Input.OfActor of -> "actor " + of.actor().number();
      case Input.OfOutput of -> "datasets from " + of.firstNumber();
      case Input.OfChunks of ->
          of.anchor()
              .map(anchor -> "chunks at actor " + anchor.actor().number())
              .orElse("chunks of part " + of.part());
    };
  }
}
