package io.uniserve.runtime.wire.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorEmptied;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyAdded;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyLost;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyRemoved;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyUnready;
import io.uniserve.runtime.wire.cluster.ControlRecord.LossAccepted;
import io.uniserve.runtime.wire.cluster.ControlRecord.PrimaryChanged;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableCreated;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableRecovered;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The complete copies of an actor after each record. Of three copies, {@code a} leads. */
class CompleteCopiesTest {
  private static final ActorId ACTOR = new ActorId(7, 0);

  private ClusterState state = ClusterState.EMPTY;

  @BeforeEach
  void threeServersAndATable() {
    replay(joined("a", 1), joined("b", 1), joined("c", 1), joined("d", 1));
    replay(new TableCreated(7, definition(), List.of(List.of("a", "b", "c"))));
  }

  private static TableDefinition definition() {
    return new TableDefinition(
        "t",
        "any",
        new Partitioner.Hash(1),
        3,
        Durability.ASYNCHRONOUS,
        Consistency.ORDERED,
        Map.of());
  }

  private void allReady() {
    replay(new CopyReady(ACTOR, "a"), new CopyReady(ACTOR, "b"), new CopyReady(ACTOR, "c"));
  }

  @Test
  void beforeAnyCopyIsReadableAnyMayLead() {
    assertThat(actor().anyMayLead()).isTrue();
    replay(failed("a", 1));
    assertThat(state.waits(ACTOR)).isFalse();
    replay(joined("a", 2), new CopyReady(ACTOR, "b"));
    assertThat(actor().anyMayLead()).isFalse();
    assertThat(actor().complete()).containsExactly("a", "b");
  }

  @Test
  void aPrimaryThatLivesGoesOnWithoutWhoFailsOrBeginsAnew() {
    allReady();
    replay(failed("b", 1));
    assertThat(actor().complete()).containsExactly("a", "c");
    replay(joined("b", 2));
    assertThat(actor().complete()).as("a new life has nothing").containsExactly("a", "c");
    replay(joined("c", 2));
    assertThat(actor().complete()).as("its end was not even noticed").containsExactly("a");
    replay(new CopyReady(ACTOR, "c"));
    assertThat(actor().complete()).containsExactly("a", "c");
  }

  @Test
  void withoutAPrimaryThatLivesNobodyIsLeftOut() {
    allReady();
    replay(failed("a", 1), failed("b", 1), failed("c", 1));
    assertThat(actor().complete()).containsExactly("a", "b", "c");
    assertThat(state.waits(ACTOR)).isTrue();
    replay(joined("b", 2));
    assertThat(actor().complete()).containsExactly("a", "b", "c");
    assertThat(state.waits(ACTOR)).isFalse();
    replay(new PrimaryChanged(ACTOR, 2, "b", "test"));
    assertThat(actor().complete()).as("it waits for nobody else").containsExactly("b");
  }

  @Test
  void whoGoesOnAloneIsTheOnlyOne() {
    allReady();
    replay(failed("b", 1), failed("c", 1), failed("a", 1), joined("b", 2), joined("c", 2));
    assertThat(actor().complete()).containsExactly("a");
    assertThat(state.waits(ACTOR)).isTrue();
  }

  @Test
  void aNewPrimaryWaitsForTheReadableCopiesThatLive() {
    allReady();
    replay(failed("a", 1), new PrimaryChanged(ACTOR, 2, "c", "test"));
    assertThat(actor().complete()).containsExactly("b", "c");
    replay(joined("a", 2));
    assertThat(actor().complete()).containsExactly("b", "c");
  }

  @Test
  void aCopyThatMustBeBroughtUpToDateIsSparedIfAnotherLives() {
    allReady();
    replay(new CopyUnready(ACTOR, "b", "test"));
    assertThat(actor().complete()).containsExactly("a", "c");
    replay(new CopyUnready(ACTOR, "a", "the primary has what nobody else may have"));
    assertThat(actor().complete()).containsExactly("a", "c");
    replay(failed("a", 1), new CopyUnready(ACTOR, "c", "the last one"));
    assertThat(actor().complete()).containsExactly("a", "c");
  }

  @Test
  void aCopyThatIsLoadingAlreadyBeginsToBeThatAnew() {
    allReady();
    replay(new CopyUnready(ACTOR, "b", "test"));
    long since = actor().copyOn("b").orElseThrow().statusSince();
    replay(new CopyUnready(ACTOR, "b", "what it says of the time before comes late"));
    assertThat(actor().copyOn("b").orElseThrow().statusSince()).isGreaterThan(since);
  }

  @Test
  void whatIsLostOrRemovedIsNone() {
    allReady();
    replay(new CopyRemoved(ACTOR, "c", "test"), new CopyLost(ACTOR, "b", "test"));
    assertThat(actor().complete()).containsExactly("a");
    assertThat(actor().copyOn("b").orElseThrow().status()).isEqualTo(Status.LOADING);
    replay(new CopyLost(ACTOR, "a", "the last one"));
    assertThat(actor().complete()).isEmpty();
    assertThat(state.waits(ACTOR)).isTrue();
    replay(new CopyAdded(ACTOR, "d", "test"));
    assertThat(actor().complete()).isEmpty();
  }

  @Test
  void aLossIsAcceptedUntilSomebodyLeads() {
    allReady();
    replay(failed("b", 1), failed("c", 1), failed("a", 1), joined("b", 2));
    replay(new LossAccepted(ACTOR, "test"));
    assertThat(state.waits(ACTOR)).isFalse();
    replay(new PrimaryChanged(ACTOR, 2, "b", "test"));
    assertThat(actor().anyMayLead()).isFalse();
    assertThat(actor().complete()).containsExactly("b");
  }

  @Test
  void anEmptiedActorHasOtherCopies() {
    allReady();
    CopyId former = actor().copyOn("b").orElseThrow().id();
    replay(new ActorEmptied(ACTOR, 9, List.of("b", "d"), "test"));
    assertThat(actor().epoch()).isEqualTo(9);
    assertThat(actor().primary()).isEqualTo("b");
    assertThat(actor().copyOn("b").orElseThrow().id()).isNotEqualTo(former);
    assertThat(actor().anyMayLead()).isTrue();
  }

  /** Nobody acknowledged anything between the end of the primary's life and its next election. */
  @Test
  void whileTheRestartedPrimaryDoesNotLeadOthersStayComplete() {
    allReady();
    replay(joined("a", 2), joined("b", 2));
    assertThat(actor().complete()).contains("a", "b");
    replay(new CopyLost(ACTOR, "a", "its log is damaged"), failed("b", 2));
    assertThat(actor().complete()).contains("b").doesNotContain("a");
  }

  @Test
  void aRecoveredTableHasTheNameOfTheFormer() {
    allReady();
    TableCreated made = new TableCreated(8, definition(), List.of(List.of("d")));
    replay(new TableRecovered(7, made, 99, "test"));
    assertThat(state.tables().keySet()).containsExactly(8L);
    assertThat(state.requireTable("t").recovery()).contains(new Recovery(7, 99, "test", List.of()));
    assertThat(ClusterState.of(state.snapshot())).isEqualTo(state);
    replay(new TableRecovered(7, made, 99, "of one that is gone"));
    assertThat(state.tables().keySet()).containsExactly(8L);
  }

  @Test
  void aRequestForATableThatWasRecoveredTwiceMayBeRepeated() {
    TableState first = state.requireTable("t");
    for (long id = 8; id <= 9; id++) {
      TableCreated made = new TableCreated(id, definition(), List.of(List.of("d")));
      replay(new TableRecovered(id - 1, made, 99, "test"));
    }
    assertThat(state.requireTable("t").recovery())
        .contains(new Recovery(8, 99, "test", List.of(7L)));
    assertThat(ClusterState.of(state.snapshot())).isEqualTo(state);
    assertThat(state.gone(first).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(state.gone(6).code()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  private ActorState actor() {
    return state.actor(ACTOR).orElseThrow();
  }

  private static ServerJoined joined(String server, long life) {
    return new ServerJoined(server, new Address(server), life);
  }

  private static ServerFailed failed(String server, long life) {
    return new ServerFailed(server, life, "test");
  }

  private void replay(ControlRecord... records) {
    for (ControlRecord record : records) {
      state = Replay.apply(state, record);
    }
  }
}
