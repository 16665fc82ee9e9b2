package io.uniserve.simulation.scenario.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.PlanMessage.RunTasks;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.plan.Input;
import io.uniserve.runtime.wire.plan.OutputId;
import io.uniserve.runtime.wire.plan.Task;
import io.uniserve.runtime.wire.plan.Work;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.ReadJournal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplyMonitorTest {
  private static final ActorId ACTOR = new ActorId(7, 1);
  private static final Input.OfActor READ = new Input.OfActor(ACTOR, 0, Optional.empty());

  @Test
  void aTaskReadsTheActorThatItRunsOnAndTheOneThatItsChunksMeet() {
    Input made = new Input.OfOutput(new OutputId(0, 1, 0), 0);
    Input met = new Input.OfChunks(0, Optional.of(READ), List.of());
    Input alone = new Input.OfChunks(0, Optional.empty(), List.of());
    RunTasks tasks =
        new RunTasks(
            "run",
            1,
            new Work.Retrieving(Payload.of(ModelEngine.NAME, new ReadJournal(1))),
            List.of(task(0, READ), task(1, met), task(2, alone), task(3, made)));

    assertThat(ReplyMonitor.actorOf(tasks, 0)).contains(ACTOR);
    assertThat(ReplyMonitor.actorOf(tasks, 1)).contains(ACTOR);
    assertThat(ReplyMonitor.actorOf(tasks, 2)).isEmpty();
    assertThat(ReplyMonitor.actorOf(tasks, 3)).isEmpty();
    assertThat(ReplyMonitor.actorOf(tasks, 4)).isEmpty();
  }

  private static Task task(int number, Input input) {
    return new Task(number, 0, input);
  }
}
