package io.uniserve.simulation.scenario.cluster.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveEnded.Outcome;
import io.uniserve.runtime.wire.cluster.ControlRecord.RingBegun;
import io.uniserve.runtime.wire.cluster.ControlRecord.RingChangeEnded;
import io.uniserve.runtime.wire.cluster.ControlRecord.RingChangePlaced;
import io.uniserve.runtime.wire.cluster.ControlRecord.RingChangeSubmitted;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableCreated;
import io.uniserve.runtime.wire.cluster.Replay;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.ring.RingMember;
import io.uniserve.simulation.scenario.cluster.work.Mending;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the checks of rings: what is right passes, and what is not is noticed. */
class RingChangesTest {
  private static final long TABLE = 7;
  private static final List<RingMember> MEMBERS =
      List.of(new RingMember(PartitionKey.of(10), "a"), new RingMember(PartitionKey.of(20), "b"));
  private static final RingChange FIRST = new RingChange.Expand("c", PartitionKey.of(15));
  private static final RingChange SECOND = new RingChange.Contract("a");

  private final RingChanges checks = new RingChanges();

  RingChangesTest() {
    checks.told(new RingBegun(TABLE, MEMBERS));
    checks.asked(FIRST);
    checks.asked(SECOND);
    checks.told(new RingChangeSubmitted(TABLE, FIRST));
    checks.told(new RingChangeSubmitted(TABLE, SECOND));
  }

  @Test
  void changesInOrderAreRight() {
    assertThatCode(
            () -> {
              checks.told(new RingChangePlaced(TABLE, 1));
              checks.told(new RingChangeEnded(TABLE, 1, true, ""));
              checks.told(new RingChangeEnded(TABLE, 2, false, "a reason"));
              checks.answered(FIRST, 1);
              checks.answered(SECOND, 2);
            })
        .doesNotThrowAnyException();
  }

  @Test
  void aChangeBeforeAnotherIsNoticed() {
    outOfOrder(new RingChangePlaced(TABLE, 2));
    outOfOrder(new RingChangeEnded(TABLE, 2, false, "a reason"));
    outOfOrder(new RingChangeEnded(TABLE, 1, true, ""));
  }

  @Test
  void aChangeThatIsMadeTwiceIsNoticed() {
    checks.told(new RingChangePlaced(TABLE, 1));
    outOfOrder(new RingChangePlaced(TABLE, 1));
    outOfOrder(new RingChangeSubmitted(TABLE, SECOND));
  }

  private void outOfOrder(ControlRecord record) {
    assertThatThrownBy(() -> checks.told(record))
        .hasMessageContaining(Invariant.RING_CHANGES_IN_ORDER.name());
  }

  @Test
  void aNumberOfAnotherChangeIsNoticed() {
    assertThatThrownBy(() -> checks.answered(FIRST, 2))
        .hasMessageContaining(Invariant.RING_CHANGES_IN_ORDER.name());
  }

  @Test
  void copiesElsewhereThanOnOwnerAndSuccessorsAreNoticed() {
    assertThat(checks.checkAtRest(table("a", "b"))).isTrue();
    assertThatThrownBy(() -> checks.checkAtRest(table("b", "a")))
        .hasMessageContaining(Invariant.RING_SUCCESSORS_HOLD.name());
  }

  @Test
  void aTableIsAtRestOnceItsCopiesAreWhereTheRingWantsThemAndNowhereElse() {
    ActorId actor = new ActorId(TABLE, 1);
    TableState owned = table("a", "b");
    assertThat(Mending.ringRests(owned)).isFalse(); // its copies have yet to be read
    List<ControlRecord> records = new ArrayList<>(onRing("a", "b"));
    records.add(new ControlRecord.CopyReady(new ActorId(TABLE, 0), "b"));
    records.add(new ControlRecord.CopyReady(actor, "a"));
    records.add(new ControlRecord.CopyReady(new ActorId(TABLE, 2), "b"));
    assertThat(Mending.ringRests(replayed(records))).isTrue();
    records.add(new ControlRecord.MoveRequested(actor, "a", "b", "a test"));
    records.add(new ControlRecord.CopyAdded(actor, "b", "a test"));
    assertThat(Mending.ringRests(replayed(records))).isFalse();
    records.add(new ControlRecord.CopyReady(actor, "b"));
    records.add(new ControlRecord.MoveEnded(actor, "a", "b", Outcome.CANCELLED, "a test"));
    records.add(new ControlRecord.CopyRetiring(actor, "b", "a test"));
    assertThat(Mending.ringRests(replayed(records))).isFalse(); // the owner leads, but not alone
    records.add(new ControlRecord.CopyRemoved(actor, "b", "a test"));
    assertThat(Mending.ringRests(replayed(records))).isTrue();
    records.add(new RingChangeSubmitted(TABLE, FIRST));
    assertThat(Mending.ringRests(replayed(records))).isFalse();
  }

  /** Returns a table with a copy of the keys from 10 to 20, and of the others. */
  private static TableState table(String below, String others) {
    return replayed(onRing(below, others));
  }

  private static List<ControlRecord> onRing(String below, String others) {
    TableDefinition definition =
        new TableDefinition(
            "journals",
            "model",
            new Partitioner.Range(List.of(PartitionKey.of(10), PartitionKey.of(20))),
            1,
            Durability.NONE,
            Map.of());
    return List.of(
        new ServerJoined("a", new Address("a"), 1),
        new ServerJoined("b", new Address("b"), 1),
        new TableCreated(
            TABLE, definition, List.of(List.of(others), List.of(below), List.of(others))),
        new RingBegun(TABLE, MEMBERS));
  }

  private static TableState replayed(List<ControlRecord> records) {
    ClusterState state = ClusterState.EMPTY;
    for (ControlRecord record : records) {
      state = Replay.apply(state, record);
    }
    return state.tables().get(TABLE);
  }
}
