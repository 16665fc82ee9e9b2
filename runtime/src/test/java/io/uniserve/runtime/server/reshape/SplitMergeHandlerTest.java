package io.uniserve.runtime.server.reshape;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.wire.ReplicationMessage.Fork;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.cluster.Replay;
import io.uniserve.runtime.wire.cluster.Reshaping;
import io.uniserve.runtime.wire.entry.Position;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The time for which a copy made for a split may still be wanted. */
class SplitMergeHandlerTest {
  private static final ActorId ID = new ActorId(1, 0);
  private static final Partitioner WHOLE = new Partitioner.Hash(1);

  private ClusterState state = ClusterState.EMPTY;

  private void told(ControlRecord record) {
    state = Replay.apply(state, record);
  }

  private boolean isOver(long birth) {
    Partitioner cut = WHOLE.cut(0, new PartitionChange.Where.Bit(0), 1);
    CopyId copy = state.actor(ID).orElseThrow().copies().getFirst().id();
    long epoch = 1;
    return SplitMergeHandler.isOver(
        state, new Fork(ID, copy, epoch, Position.START, cut, 1, birth));
  }

  @Test
  void whatIsMadeIsWantedUntilTheSplitIsGivenUpOrTheEpochEnds() {
    TableDefinition table = new TableDefinition("t", "engine", WHOLE, 1, Durability.NONE, Map.of());
    told(new ControlRecord.ServerJoined("s1", new Address("s1"), 1));
    told(new ControlRecord.TableCreated(1, table, List.of(List.of("s1"))));
    assertThat(isOver(state.version() + 1)).as("of what this server has not heard").isFalse();
    told(new ControlRecord.SplitRequested(ID, new Reshaping.Splitting(Optional.empty(), "a test")));
    long birth = state.version();
    assertThat(isOver(birth)).isFalse();
    ClusterState asked = state;

    told(new ControlRecord.SplitGivenUp(ID, "the next coordinator"));
    assertThat(isOver(birth)).as("in the same epoch").isTrue();
    state = asked;
    told(new ControlRecord.PrimaryChanged(ID, 2, "s1", "a test"));
    assertThat(isOver(birth)).isTrue();
  }
}
