package io.uniserve.runtime.control.copies;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.policy.placement.FewestCopies;
import io.uniserve.runtime.control.reshape.ReshapeFixture;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyAdded;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveRequested;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerDraining;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moves of a copy of an actor that is to have three, and has two when the move begins. */
@Timeout(60)
class LackingMovesTest extends ReshapeFixture {
  private static final ActorId MOVED = new ActorId(2, 0);

  private Repairs repairs;
  private Moves moves;

  @Override
  public Partitioner partitioner() {
    return new Partitioner.Hash(2);
  }

  /** Moves the copy on s2 to s3, where it can be read already. */
  @BeforeEach
  void move() {
    TableDefinition table =
        new TableDefinition(
            "three", StillEngine.NAME, new Partitioner.Hash(1), 3, Durability.NONE, Map.of());
    record(
        new ServerJoined("s3", new Address("s3"), 1),
        new ControlRecord.TableCreated(2, table, List.of(List.of("s1", "s2"))),
        new CopyReady(MOVED, "s1"),
        new CopyReady(MOVED, "s2"),
        new MoveRequested(MOVED, "s2", "s3", "the test"),
        new CopyAdded(MOVED, "s3", "the test"),
        new CopyReady(MOVED, "s3"));
    HandOvers handOvers =
        new HandOvers(environment, decisions, ControllerSettings.DEFAULT, elections, id -> {});
    repairs =
        new Repairs(
            decisions,
            new FewestCopies(),
            server -> false,
            new Separations(environment, decisions, ControllerSettings.DEFAULT),
            handOvers);
    moves = new Moves(decisions, repairs, handOvers, ControllerSettings.DEFAULT.repairs());
  }

  /** Takes all steps that the coordinator takes without an answer from a server. */
  private ActorState looked() {
    return decide(
        () -> {
          repairs.addMissing();
          moves.advance(MOVED);
          return decisions.state().actor(MOVED).orElseThrow();
        });
  }

  private static List<String> servers(ActorState actor) {
    return actor.copies().stream().map(CopyState::server).toList();
  }

  @Test
  void aCopyThatLacksIsAddedSoThatTheMoveEnds() {
    record(
        new ServerJoined("s4", new Address("s4"), 1), new ServerJoined("s5", new Address("s5"), 1));
    ActorState actor = looked();
    assertThat(servers(actor)).containsExactlyInAnyOrder("s1", "s2", "s3", "s4");
    assertThat(actor.move()).isPresent();
    record(new CopyReady(MOVED, "s4"));
    actor = looked();
    assertThat(actor.copyOn("s2").map(CopyState::status)).contains(Status.RETIRING);
    assertThat(servers(actor)).hasSize(4);
  }

  @Test
  void aMoveFailsIfTheOldCopyIsNeeded() {
    ActorState actor = looked();
    assertThat(actor.move()).isEmpty();
    assertThat(servers(actor)).containsExactlyInAnyOrder("s1", "s2", "s3");
    assertThat(actor.copies()).allMatch(copy -> copy.status() == Status.READY);
  }

  @Test
  void aCopyOnADrainedServerGoesEvenIfNoOtherCanBeMade() {
    record(new ServerDraining("s2", true, "the test"));
    assertThat(looked().copyOn("s2").map(CopyState::status)).contains(Status.RETIRING);
  }
}
