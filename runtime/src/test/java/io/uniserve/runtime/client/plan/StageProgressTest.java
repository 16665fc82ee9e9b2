package io.uniserve.runtime.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.still.StillTransport;
import io.uniserve.runtime.wire.PlanMessage.TaskDone;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.Replay;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.entry.ReadPoint;
import io.uniserve.runtime.wire.plan.Input;
import io.uniserve.runtime.wire.plan.TaskFigures;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The number of places where a task is tried before its failure is the stage's. */
class StageProgressTest {
  private static final long TABLE = 1;
  private static final ActorId ENDED = new ActorId(TABLE, 0);
  private static final ActorId MERGED = new ActorId(TABLE, 2);
  private static final UniserveException AGAIN =
      new UniserveException(ErrorCode.STALE_ROUTING, "the actor has ended");
  private static final UniserveException NEVER =
      new UniserveException(ErrorCode.INTERNAL, "the operator failed");

  private StillCluster cluster;

  /** Merges two actors, each with copies on two servers, on the same servers. */
  @BeforeEach
  void merge(@TempDir Path directory) throws IOException {
    Partitioner halves = new Partitioner.Range(List.of(PartitionKey.of("m")));
    TableDefinition table =
        new TableDefinition("t", StillEngine.NAME, halves, 2, Durability.NONE, Map.of());
    List<String> both = List.of("s1", "s2");
    ClusterState state = ClusterState.EMPTY;
    for (ControlRecord record :
        List.of(
            new ControlRecord.ServerJoined("s1", new Address("s1"), 1),
            new ControlRecord.ServerJoined("s2", new Address("s2"), 1),
            new ControlRecord.TableCreated(TABLE, table, List.of(both, both)),
            new ControlRecord.ActorsMerged(
                TABLE, new PartitionChange.Merge(0, 1, 2, 0), 10, both, "the test"))) {
      state = Replay.apply(state, record);
    }
    StillClock clock = new StillClock();
    Environment environment = ProcessFixture.environment(clock, directory, new StillTransport());
    Controllers controllers = new Controllers(environment, List.of(new Address("controller")));
    cluster =
        new StillCluster(
            environment,
            state,
            new StateSubscription(environment, controllers, (now, record) -> {}).calls(),
            (actor, avoided) -> Optional.empty(),
            new PlanCluster.Limits(4, Duration.ofMillis(10), Duration.ofSeconds(10), 1000, 3));
    assertThat(state.actor(ENDED)).get().matches(actor -> actor.copies().isEmpty());
  }

  private static StageTask taskAt(ActorId actor) {
    return new StageTask(
        0, new Input.OfActor(actor, 0, Optional.empty()), new StageTask.Where.AtCopyOf(actor));
  }

  private StageProgress stageOf(StageTask task) {
    return new StageProgress(cluster, List.of(task), "the stage");
  }

  private void fail(StageProgress stage, StageTask task, String on, UniserveException why) {
    ServerState server = cluster.state().servers().get(on);
    StageCall call = new StageCall(stage, server, List.of(task));
    stage.begin(call);
    call.failed(why);
  }

  @Test
  void aTaskAtAnActorThatHasEndedMayBeTriedAgain() {
    StageTask task = taskAt(ENDED);
    StageProgress stage = stageOf(task);
    fail(stage, task, "s1", AGAIN);
    assertThat(stage.next().failed()).containsExactly(task);
  }

  @Test
  void aTaskAtAServerThatWasGivenUpFailsWithoutAnAnswer() {
    StageTask task = taskAt(MERGED);
    StageProgress stage = stageOf(task);
    ControlRecord another = new ControlRecord.ServerJoined("s1", new Address("s1"), 2);
    ServerState life = Replay.apply(ClusterState.EMPTY, another).servers().get("s1");
    stage.begin(new StageCall(stage, life, List.of(task)));
    stage.stateChanged();
    assertThat(stage.next().failed()).containsExactly(task);
    assertThat(task.before()).contains("server s1 was given up");
  }

  @Test
  void aTaskAtALivingServerGoesOn() {
    StageTask task = taskAt(MERGED);
    StageProgress stage = stageOf(task);
    ServerState server = cluster.state().servers().get("s1");
    stage.begin(new StageCall(stage, server, List.of(task)));
    stage.stateChanged();
    assertThat(stage.next().failed()).isEmpty();
  }

  @Test
  void butNotWhereAnotherTryIsOfNoUse() {
    StageTask task = taskAt(ENDED);
    StageProgress stage = stageOf(task);
    fail(stage, task, "s1", NEVER);
    assertThatThrownBy(stage::next).hasMessage("task 0 of the stage: the operator failed");
  }

  @Test
  void aTaskIsTriedAtEachCopyOfItsActor() {
    StageTask task = taskAt(MERGED);
    StageProgress stage = stageOf(task);
    fail(stage, task, "s1", NEVER);
    assertThat(stage.next().failed()).containsExactly(task);
    fail(stage, task, "s2", NEVER);
    assertThatThrownBy(stage::next).hasMessage("task 0 of the stage: the operator failed");
  }

  @Test
  void aVersionThatIsGoneWhereATaskIsBoundToIsGoneForAnotherRunAsWell() {
    StageTask task =
        new StageTask(
            0,
            new Input.OfActor(MERGED, 0, Optional.of(new ReadPoint.Version(7))),
            new StageTask.Where.On("s1"));
    StageProgress stage = stageOf(task);
    fail(stage, task, "s1", new UniserveException(ErrorCode.VERSION_GONE, "version 7 is gone"));
    assertThatThrownBy(stage::next)
        .isNotInstanceOf(RunLostException.class)
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VERSION_GONE));
  }

  @Test
  void noFailureIsMadeOfATaskThatHasEnded() {
    StageTask task = taskAt(MERGED);
    StageProgress stage = stageOf(task);
    StageCall call = new StageCall(stage, cluster.state().servers().get("s1"), List.of(task));
    stage.begin(call);
    stage.done(call, new TaskDone(0, new TaskFigures(0, 0, 0, 0, 0, 0, 0), List.of()));
    stage.failed(
        call,
        0,
        () -> {
          throw new AssertionError("a failure was made that nobody asks for");
        },
        false);
    assertThat(stage.next().failed()).isEmpty();
  }
}
