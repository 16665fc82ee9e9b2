package io.uniserve.runtime.wire.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.InvariantViolation;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorPinned;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorPlaced;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyAdded;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyRemoved;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveEnded;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveRequested;
import io.uniserve.runtime.wire.cluster.ControlRecord.PlacementPaused;
import io.uniserve.runtime.wire.cluster.ControlRecord.PrimaryChanged;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableCreated;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableDropped;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableRedefined;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplayTest {
  private static final ActorId ACTOR = new ActorId(7, 0);

  /** The version that created the table. */
  private static final long MADE = 4;

  private ClusterState state;

  @BeforeEach
  void twoServersAndATable() {
    TableDefinition definition =
        new TableDefinition("t", "any", new Partitioner.Hash(1), 2, Durability.NONE, Map.of());
    state = ClusterState.EMPTY;
    replay(new ControlRecord.ClusterFounded("c"));
    replay(new ServerJoined("a", new Address("a"), 1), new ServerJoined("b", new Address("b"), 1));
    replay(new TableCreated(7, definition, List.of(List.of("a", "b"))));
  }

  @Test
  void everyRecordIsAVersion() {
    assertThat(state.version()).isEqualTo(4);
    assertThat(state.cluster()).isEqualTo("c");
  }

  @Test
  void aTableThatIsRedefinedKeepsWhatItWasFoundedAs() {
    TableDefinition founded = state.requireTable("t").definition();
    TableDefinition next = founded.withSchema(Map.of("a", 1L));
    replay(new TableRedefined(7, founded, Optional.of(next)));
    assertThat(state.requireTable("t").definition()).isEqualTo(founded);
    assertThat(state.requireTable("t").redefined())
        .isEqualTo(new Redefined(founded, 1, Optional.of(next)));
    replay(new TableRedefined(7, next, Optional.empty()));
    assertThat(state.requireTable("t").definition()).isEqualTo(next);
    assertThat(state.requireTable("t").redefined())
        .isEqualTo(new Redefined(founded, 2, Optional.empty()));
    replay(new TableRedefined(8, next, Optional.empty()));
    assertThat(state.tables()).hasSize(1);
    assertThat(ClusterState.of(state.snapshot())).isEqualTo(state);
  }

  @Test
  void anActorThatIsSplitIsInTheNextEpochAsIsTheNewOne() {
    Reshaping.Splitting splitting = new Reshaping.Splitting(Optional.empty(), "test");
    replay(new CopyReady(ACTOR, "a"), new CopyReady(ACTOR, "b"));
    replay(new ControlRecord.SplitRequested(ACTOR, splitting));
    assertThat(actor().reshaping()).contains(splitting);
    PartitionChange.Cut cut = new PartitionChange.Cut(0, 1, new PartitionChange.Where.Bit(0), 5);
    replay(new ControlRecord.ActorSplit(ACTOR, cut, 2, 9, List.of("a", "b")));

    assertThat(actor().reshaping()).isEmpty();
    assertThat(actor().epoch()).isEqualTo(2);
    assertThat(actor().copyOn("b")).contains(copy("b", Status.READY, MADE + 2));
    ActorState made = state.requireTable("t").actors().get(1);
    assertThat(made.epoch()).isEqualTo(9);
    assertThat(made.primary()).isEqualTo("a");
    assertThat(made.copies()).allMatch(copy -> copy.status() == Status.READY);
    assertThat(state.requireTable("t").definition().partitioner())
        .isEqualTo(new Partitioner.Refined(new Partitioner.Hash(1), List.of(cut)));
    assertThat(state.requireTable("t").redefined().count()).isEqualTo(1);
    assertThat(ClusterState.of(state.snapshot())).isEqualTo(state);
  }

  @Test
  void twoActorsThatAreMergedEndAndTheNextIsThereInTheirPlace() {
    replay(new CopyReady(ACTOR, "a"), new CopyReady(ACTOR, "b"));
    PartitionChange.Cut cut = new PartitionChange.Cut(0, 1, new PartitionChange.Where.Bit(0), 5);
    replay(new ControlRecord.ActorSplit(ACTOR, cut, 2, 9, List.of("a", "b")));
    ActorId second = new ActorId(ACTOR.table(), 1);
    replay(
        new ControlRecord.ActorPinned(second, "b", true),
        new ControlRecord.MergeRequested(ACTOR, 1, "test"));
    assertThat(actor().merges()).contains(new Reshaping.Merging(1, "test"));
    assertThat(state.actor(second).orElseThrow().merges())
        .contains(new Reshaping.Merging(0, "test"));
    replay(new ControlRecord.MergeGivenUp(ACTOR, 1, "test"));
    assertThat(state.requireTable("t").actors()).allMatch(one -> one.reshaping().isEmpty());

    PartitionChange.Merge merge = new PartitionChange.Merge(0, 1, 2, 6);
    replay(new ControlRecord.ActorsMerged(ACTOR.table(), merge, 30, List.of("b", "a"), "test"));
    assertThat(state.requireTable("t").living().keySet()).containsExactly(2);
    assertThat(actor().ended()).isTrue();
    assertThat(actor().epoch()).isEqualTo(3);
    ActorState made = state.requireTable("t").actors().get(2);
    assertThat(made.epoch()).isEqualTo(30);
    assertThat(made.primary()).isEqualTo("b");
    assertThat(made.pins()).containsExactly("b");
    assertThat(made.copies()).allMatch(copy -> copy.status() == Status.READY).hasSize(2);
    assertThat(state.requireTable("t").definition().partitioner())
        .isEqualTo(new Partitioner.Refined(new Partitioner.Hash(1), List.of(cut, merge)));
    assertThat(ClusterState.of(state.snapshot())).isEqualTo(state);
  }

  /**
   * A merged actor has the later of the last transactions of the two, since its copies look up in
   * cluster state what they lack.
   */
  @Test
  void whatTwoActorsBecomeHasTheLaterOfTheirTransactions() {
    replay(new CopyReady(ACTOR, "a"), new CopyReady(ACTOR, "b"));
    PartitionChange.Cut cut = new PartitionChange.Cut(0, 1, new PartitionChange.Where.Bit(0), 5);
    replay(
        new ControlRecord.ActorSplit(ACTOR, cut, 2, 9, List.of("a", "b")),
        new ControlRecord.TransactionCommitted(ACTOR.table(), "of the first", 6, List.of(0)),
        new ControlRecord.TransactionCommitted(ACTOR.table(), "of the second", 7, List.of(1)));
    ClusterState two = state;
    PartitionChange.Merge merge = new PartitionChange.Merge(0, 1, 2, 8);
    replay(new ControlRecord.ActorsMerged(ACTOR.table(), merge, 30, List.of("b", "a"), "test"));
    assertThat(state.requireTable("t").actors().get(2).committed())
        .isEqualTo(new Commitment("of the second", 2, 7));

    state = two;
    replay(
        new ControlRecord.TransactionCommitted(ACTOR.table(), "of the first again", 8, List.of(0)),
        new ControlRecord.ActorsMerged(ACTOR.table(), merge, 30, List.of("b", "a"), "test"));
    assertThat(state.requireTable("t").actors().get(2).committed())
        .isEqualTo(new Commitment("of the first again", 3, 8));
  }

  @Test
  void anActorThatStaysWholeIsAsBefore() {
    ActorState before = actor();
    replay(
        new ControlRecord.SplitRequested(ACTOR, new Reshaping.Splitting(Optional.empty(), "test")),
        new ControlRecord.SplitGivenUp(ACTOR, "test"));
    assertThat(actor()).isEqualTo(before);
  }

  @Test
  void copiesOfANewTableAreEmptyAndTheFirstIsThePrimary() {
    assertThat(actor()).isEqualTo(ActorState.unborn("a", List.of(empty("a"), empty("b"))));
  }

  @Test
  void aServerThatJoinsAgainMustBringItsReadyCopiesUpToDate() {
    replay(new CopyReady(ACTOR, "a"), new CopyReady(ACTOR, "b"));
    replay(new ServerJoined("a", new Address("elsewhere"), 2));
    assertThat(actor().copyOn("a")).contains(copy("a", Status.LOADING, MADE + 3));
    assertThat(actor().copyOn("b")).contains(copy("b", Status.READY, MADE + 2));
    assertThat(state.servers().get("a").address()).isEqualTo(new Address("elsewhere"));
  }

  @Test
  void aCopyThatWasNeverMadeIsStillToBeMadeAfterARestart() {
    replay(new ServerJoined("a", new Address("a"), 2));
    assertThat(actor().copyOn("a")).contains(empty("a"));
  }

  @Test
  void theFailureOfAFormerLifeChangesNothing() {
    replay(new ServerJoined("a", new Address("a"), 2), new ServerFailed("a", 1, "late news"));
    assertThat(state.alive("a")).isTrue();
    replay(new ServerFailed("a", 2, "news"));
    assertThat(state.alive("a")).isFalse();
  }

  @Test
  void aPrimaryIsReadyFromItsFirstMoment() {
    replay(new PrimaryChanged(ACTOR, 2, "b", "test"));
    assertThat(actor().primary()).isEqualTo("b");
    assertThat(actor().copyOn("b")).contains(copy("b", Status.READY, MADE + 1));
  }

  @Test
  void aStatusThatIsToldAgainIsNoNewOne() {
    replay(new CopyReady(ACTOR, "b"), new CopyReady(ACTOR, "b"));
    assertThat(actor().copyOn("b")).contains(copy("b", Status.READY, MADE + 1));
  }

  @Test
  void copiesComeAndGo() {
    replay(new ServerJoined("c", new Address("c"), 1), new CopyAdded(ACTOR, "c", "test"));
    assertThat(actor().copyOn("c"))
        .contains(new CopyState("c", Status.LOADING, MADE + 2, MADE + 2));
    replay(new CopyReady(ACTOR, "c"), new CopyRemoved(ACTOR, "b", "test"));
    assertThat(actor().copies()).extracting(CopyState::server).containsExactly("a", "c");
  }

  @Test
  void aCopyThatIsRemovedAndAddedAgainIsAnother() {
    CopyId former = actor().copyOn("b").orElseThrow().id();
    replay(new CopyReady(ACTOR, "b"));
    assertThat(actor().copyOn("b").orElseThrow().id()).isEqualTo(former);
    replay(new CopyRemoved(ACTOR, "b", "test"), new CopyAdded(ACTOR, "b", "test"));
    assertThat(actor().copyOn("b").orElseThrow().id()).isNotEqualTo(former);
  }

  @Test
  void recordsAboutADroppedTableChangeNothing() {
    replay(new TableDropped(7), new CopyReady(ACTOR, "a"));
    assertThat(state.tables()).isEmpty();
    assertThat(state.table("t")).isEmpty();
  }

  @Test
  void anEpochNeverComesTwice() {
    assertThatThrownBy(() -> replay(new PrimaryChanged(ACTOR, 1, "b", "test")))
        .isInstanceOf(InvariantViolation.class)
        .hasMessageContaining("ONE_PRIMARY");
  }

  @Test
  void noServerHoldsTwoCopiesAndNonePrimaryWithoutOne() {
    assertThatThrownBy(() -> replay(new CopyAdded(ACTOR, "a", "test")))
        .isInstanceOf(InvariantViolation.class);
    assertThatThrownBy(() -> replay(new PrimaryChanged(ACTOR, 2, "z", "test")))
        .isInstanceOf(InvariantViolation.class);
  }

  @Test
  void aMoveChangesWhereAnActorIsWantedAndAMoveThatFailsTakesItBack() {
    replay(
        new ServerJoined("c", new Address("c"), 1),
        new ActorPlaced(ACTOR, List.of("a", "b"), "test"),
        new MoveRequested(ACTOR, "b", "c", "test"));
    assertThat(actor().placed()).contains(new Placed(List.of("a", "c"), "test"));
    replay(new MoveEnded(ACTOR, "b", "c", MoveEnded.Outcome.FAILED, "test"));
    assertThat(actor().placed()).contains(new Placed(List.of("a", "b"), "test"));
    replay(
        new MoveRequested(ACTOR, "b", "c", "test"),
        new CopyAdded(ACTOR, "c", "test"),
        new CopyReady(ACTOR, "c"),
        new CopyRemoved(ACTOR, "b", "test"),
        new MoveEnded(ACTOR, "b", "c", MoveEnded.Outcome.DONE, "test"));
    assertThat(actor().placed()).contains(new Placed(List.of("a", "c"), "test"));
  }

  @Test
  void whatCouldNotBeMadeIsNotWantedAnyMore() {
    replay(
        new ServerJoined("c", new Address("c"), 1),
        new ActorPlaced(ACTOR, List.of("c"), "test"),
        new MoveRequested(ACTOR, "b", "c", "test"),
        new CopyRemoved(ACTOR, "b", "its server was lost"),
        new MoveEnded(ACTOR, "b", "c", MoveEnded.Outcome.FAILED, "test"));
    assertThat(actor().placed().orElseThrow().servers()).isEmpty();
  }

  @Test
  void aMoveToWhereACopyIsWantedTooLeavesOneWish() {
    replay(
        new ServerJoined("c", new Address("c"), 1),
        new ActorPlaced(ACTOR, List.of("b", "c"), "test"),
        new MoveRequested(ACTOR, "b", "c", "test"));
    assertThat(actor().placed()).contains(new Placed(List.of("c"), "test"));
  }

  @Test
  void aPinThatAPolicyDidNotKnowOfVoidsWhatItWants() {
    replay(new ActorPlaced(ACTOR, List.of("b"), "test"), new ActorPinned(ACTOR, "b", true));
    assertThat(actor().placed()).isPresent();
    replay(new ActorPinned(ACTOR, "a", true));
    assertThat(actor().placed()).isEmpty();
  }

  @Test
  void pinsAndThePauseArePartOfASnapshot() {
    replay(
        new ActorPinned(ACTOR, "b", true),
        new ActorPinned(ACTOR, "a", true),
        new ActorPinned(ACTOR, "b", true),
        new PlacementPaused(true));
    assertThat(actor().pins()).containsExactly("a", "b");
    state = ClusterState.of(state.snapshot());
    assertThat(state.placementPaused()).isTrue();
    replay(new ActorPinned(ACTOR, "a", false), new PlacementPaused(false));
    assertThat(actor().pins()).containsExactly("b");
    assertThat(state.placementPaused()).isFalse();
  }

  @Test
  void whatIsPinnedIsWantedToo() {
    replay(new ActorPinned(ACTOR, "a", true));
    assertThat(actor().wanted()).isEmpty();
    replay(new ActorPlaced(ACTOR, List.of("b", "c"), "test"));
    assertThat(actor().wanted()).containsExactly("b", "c", "a");
  }

  private ActorState actor() {
    return state.actor(ACTOR).orElseThrow();
  }

  private static CopyState empty(String server) {
    return copy(server, Status.EMPTY, MADE);
  }

  private static CopyState copy(String server, Status status, long statusSince) {
    return new CopyState(server, status, MADE, statusSince);
  }

  private void replay(ControlRecord... records) {
    for (ControlRecord record : records) {
      state = Replay.apply(state, record);
    }
  }
}
