package io.uniserve.runtime.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.store.backup.BackupPlace;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.KeptOutput;
import io.uniserve.runtime.wire.cluster.Replay;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.entry.Position;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A plan's kept output is needed until its table has checkpoints of its own. */
class KeptCollectionTest {
  private static final KeptOutput OUTPUT = new KeptOutput("a-cluster", 5_000, "0a1b");
  private static final Predicate<BackupPlace> NONE_BASED = place -> false;
  private static final Predicate<BackupPlace> ALL_BASED = place -> true;

  @Test
  void aPlaceNamesItsOutputAndNoCluster() {
    assertThat(KeptOutput.at(OUTPUT.place())).contains(OUTPUT);
    assertThat(KeptOutput.at("a-cluster")).isEmpty();
    assertThat(OUTPUT.expired(5_000)).isFalse();
    assertThat(OUTPUT.expired(5_001)).isTrue();
  }

  @Test
  void whatNoTableIsMadeOfIsNotNeeded() {
    ClusterState state = table(Durability.NONE, new KeptOutput("a-cluster", 5_000, "other"));
    assertThat(KeptCollection.needed(state, OUTPUT, NONE_BASED)).isFalse();
  }

  @Test
  void aCopyThatHasLoadedNothingNeedsIt() {
    ClusterState state = table(Durability.NONE, OUTPUT);
    assertThat(KeptCollection.needed(state, OUTPUT, ALL_BASED)).isTrue();
    state = ready(state, 0);
    assertThat(KeptCollection.needed(state, OUTPUT, ALL_BASED)).isTrue();
    assertThat(KeptCollection.needed(ready(state, 1), OUTPUT, NONE_BASED)).isFalse();
  }

  @Test
  void anActorWithoutACheckpointOfItsOwnNeedsIt() {
    ClusterState state = ready(ready(table(Durability.ASYNCHRONOUS, OUTPUT), 0), 1);
    BackupPlace second = new BackupPlace("a-cluster", new ActorId(id(state), 1));
    assertThat(KeptCollection.needed(state, OUTPUT, place -> !place.equals(second))).isTrue();
    assertThat(KeptCollection.needed(state, OUTPUT, ALL_BASED)).isFalse();
  }

  @Test
  void aTableThatWasDroppedNeedsNothing() {
    ClusterState state = table(Durability.ASYNCHRONOUS, OUTPUT);
    ClusterState dropped = Replay.apply(state, new ControlRecord.TableDropped(id(state)));
    assertThat(KeptCollection.needed(dropped, OUTPUT, NONE_BASED)).isFalse();
  }

  private static long id(ClusterState state) {
    return state.requireTable("kept").id();
  }

  private static ClusterState table(Durability durability, KeptOutput output) {
    ClusterState state =
        Replay.apply(ClusterState.EMPTY, new ControlRecord.ClusterFounded("a-cluster"));
    state = Replay.apply(state, new ControlRecord.ServerJoined("s", new Address("s"), 1));
    TableOrigin.Cut cut = new TableOrigin.Cut(new Position(1, 1), false);
    return Replay.apply(
        state,
        new ControlRecord.TableCreated(
            state.version() + 1,
            new TableDefinition("kept", "any", new Partitioner.Hash(2), 1, durability, Map.of()),
            Optional.of(new TableOrigin(output.place(), KeptOutput.TABLE, List.of(cut, cut))),
            List.of(List.of("s"), List.of("s"))));
  }

  private static ClusterState ready(ClusterState state, int actor) {
    return Replay.apply(state, new ControlRecord.CopyReady(new ActorId(id(state), actor), "s"));
  }
}
