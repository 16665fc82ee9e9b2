package io.uniserve.runtime.control.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.control.copies.CopyPlacement;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.FleetChanged;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveRequested;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerDraining;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerLeaving;
import io.uniserve.runtime.wire.cluster.Replay;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FleetTest {
  private static final ServerNames NAMES = new ServerNames("s", 1);
  private ClusterState state = ClusterState.EMPTY;

  private FleetTest apply(ControlRecord... records) {
    for (ControlRecord record : records) {
      state = Replay.apply(state, record);
    }
    return this;
  }

  private FleetTest join(String... servers) {
    for (String server : servers) {
      apply(new ServerJoined(server, new Address(server), 1));
    }
    return this;
  }

  /** Creates a table whose actors all have readable copies on these servers. */
  private FleetTest table(int actors, String... servers) {
    List<List<String>> placement = new ArrayList<>();
    for (int i = 0; i < actors; i++) {
      placement.add(List.of(servers));
    }
    TableDefinition definition =
        new TableDefinition(
            "t", "tally", new Partitioner.Hash(actors), servers.length, Durability.NONE, Map.of());
    apply(new ControlRecord.TableCreated(1, definition, placement));
    for (int i = 0; i < actors; i++) {
      for (String server : servers) {
        apply(new CopyReady(new ActorId(1, i), server));
      }
    }
    return this;
  }

  private FleetTest fleet(String... servers) {
    return apply(new FleetChanged(List.of(servers), 1, "the test"));
  }

  private Fleet look() {
    return new Fleet(state, NAMES);
  }

  private static List<String> names(List<ServerState> servers) {
    return servers.stream().map(ServerState::name).toList();
  }

  @Test
  void beginsWithWhatLives() {
    join("s1", "s2", "s10", "other", "s4").apply(new ServerFailed("s2", 1, "the test"));
    assertThat(look().first(true)).containsExactly("s1", "s4", "s10");
    assertThat(look().first(false)).hasSize(10).startsWith("s1", "s2").endsWith("s10");
  }

  @Test
  void whoIsNotWantedIsDrainedThenReleasedAndOnlyThenMayEnd() {
    join("s1", "s2", "s3", "other").table(2, "s2", "s3").fleet("s1", "s2");
    assertThat(look().toDrain()).containsExactly("s3");
    assertThat(look().toRelease()).isEmpty();
    assertThat(look().running()).containsExactly("s1", "s2", "s3");

    apply(new ServerDraining("s3", true, "the test"));
    assertThat(look().toDrain()).isEmpty();
    assertThat(look().toRelease()).as("it holds copies").isEmpty();

    apply(
        new ControlRecord.CopyRemoved(new ActorId(1, 0), "s3", "the test"),
        new ControlRecord.CopyRemoved(new ActorId(1, 1), "s3", "the test"));
    assertThat(names(look().toRelease())).containsExactly("s3");
    assertThat(look().running()).as("not released yet").contains("s3");

    apply(new ServerLeaving("s3", 1));
    assertThat(look().running()).containsExactly("s1", "s2");
    assertThat(look().ends()).isTrue();
    assertThat(state.takesCopies("s3")).isFalse();
    apply(new ServerDraining("s3", false, "somebody undrains it"));
    assertThat(state.takesCopies("s3")).as("in this life").isFalse();

    apply(new ServerFailed("s3", 1, "it was told to end"));
    assertThat(look().ends()).isFalse();
  }

  @Test
  void aCopyOnTheWayKeepsAServer() {
    join("s1", "s2")
        .table(1, "s1")
        .fleet("s1")
        .apply(new MoveRequested(new ActorId(1, 0), "s1", "s2", "the test"));
    apply(new ServerDraining("s2", true, "the test"));
    assertThat(look().toRelease()).isEmpty();
  }

  @Test
  void aDeadServerThatMayHaveTheOnlyCopyIsStartedAgain() {
    join("s1", "s2").table(1, "s2").fleet("s1").apply(new ServerFailed("s2", 1, "the test"));
    assertThat(look().running()).containsExactly("s1", "s2");
  }

  @Test
  void growsByThoseThatAreStillThereFirst() {
    join("s1", "s3").fleet("s1");
    assertThat(look().grown(2, true)).containsExactly("s1", "s3");
    assertThat(look().grown(3, true)).containsExactly("s1", "s2", "s3");
    assertThat(look().grown(2, false)).containsExactly("s1", "s2");
  }

  @Test
  void shrinksByTheHighestNumbersUnlessOthersArePreferred() {
    join("s1", "s2", "s9", "s10").fleet("s1", "s2", "s9", "s10");
    assertThat(look().shrunk(2, List.of())).containsExactly("s1", "s2");
    assertThat(look().shrunk(2, List.of("s1", "unknown"))).containsExactly("s2", "s9");
  }

  @Test
  void doesNotShrinkBelowTheCopiesOfATable() {
    join("s1", "s2", "s3").table(1, "s1", "s2").fleet("s1", "s2", "s3");
    assertThat(look().shrunk(2, List.of())).hasSize(2);
    assertThatThrownBy(() -> look().shrunk(1, List.of()))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("keeps 2 copies");
  }

  @Test
  void aNewServerGetsItsPartAndNoMore() {
    join("s1", "s2", "s3", "s4").table(9, "s1", "s2");
    TreeMap<String, Integer> copies = new TreeMap<>();
    int moved = 0;
    for (MoveRequested move : CopyPlacement.moves(state, 100)) {
      assertThat(move.to()).isIn("s3", "s4");
      copies.merge(move.to(), 1, Integer::sum);
      copies.merge(move.from(), -1, Integer::sum);
      apply(move);
      moved++;
    }
    assertThat(moved).isEqualTo(8);
    assertThat(copies.values()).allMatch(change -> Math.abs(change) == 4);
    assertThat(CopyPlacement.moves(state, 100)).as("what is on the way counts").isEmpty();
  }

  @Test
  void fillingIsBoundedAndLeavesALevelClusterAlone() {
    join("s1", "s2", "s3").table(9, "s1", "s2");
    List<MoveRequested> first = CopyPlacement.moves(state, 2);
    assertThat(first).hasSize(2);
    first.forEach(this::apply);
    assertThat(CopyPlacement.moves(state, 2)).isEmpty();

    state = ClusterState.EMPTY;
    join("s1", "s2", "s3").table(1, "s1");
    assertThat(CopyPlacement.moves(state, 10)).isEmpty();
  }

  @Test
  void aDrainingServerGetsNothing() {
    join("s1", "s2").table(4, "s1").apply(new ServerDraining("s2", true, "the test"));
    assertThat(CopyPlacement.moves(state, 10)).isEmpty();
  }
}
