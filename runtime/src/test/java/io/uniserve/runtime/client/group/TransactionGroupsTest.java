package io.uniserve.runtime.client.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.client.group.GroupMember.Told;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests of who leads a group, and who is in it. */
class TransactionGroupsTest {
  private static final Engines ENGINES = new Engines(List.of());

  private final SystemClock clock = new SystemClock();
  private final TransactionGroups groups = new TransactionGroups(clock);
  private final AtomicInteger decided = new AtomicInteger();

  private static TableState table(long id) {
    TableDefinition definition =
        new TableDefinition(
            "t" + id, "none", new Partitioner.Hash(4), 1, Durability.NONE, Map.of());
    return new TableState(id, definition, Optional.empty(), Commitment.NONE, List.of());
  }

  private GroupMember member(String key, Duration patience, int... actors) {
    Payload empty = Payload.ofBytes("none", ByteBuffer.allocate(0));
    SortedMap<ActorId, Payload> records = new TreeMap<>();
    for (int actor : actors) {
      records.put(new ActorId(1, actor), empty);
    }
    return new GroupMember(
        table(1),
        UpdateKey.of(key),
        empty,
        records,
        Deadline.after(clock, patience),
        decided::incrementAndGet,
        ENGINES,
        new ProductionThreads());
  }

  /** Adds an update that waits for a minute. */
  private GroupMember added(String key, int... actors) {
    GroupMember member = member(key, Duration.ofMinutes(1), actors);
    groups.add(member);
    return member;
  }

  private void assertLeads(GroupMember member) {
    assertThat(groups.await(member)).isInstanceOf(Told.Lead.class);
  }

  private static void assertWaits(GroupMember member) {
    assertThat(member.unheard().isDone()).as("it is told something").isFalse();
  }

  @Test
  void updatesWithoutACommonActorAllLead() {
    assertLeads(added("a", 0, 1));
    assertLeads(added("b", 2));
    assertLeads(added("c", 3));
  }

  @Test
  void thoseThatWaitForTheSameActorsAreOneGroup() {
    GroupMember first = added("a", 0, 1);
    assertLeads(first);
    assertThat(groups.form(first)).containsExactly(first);
    GroupMember second = added("b", 0, 1);
    GroupMember third = added("c", 1);
    GroupMember fourth = added("d", 1, 2);
    assertLeads(second);
    assertWaits(third);
    assertWaits(fourth);
    assertThat(groups.form(second)).containsExactly(second, third);
    assertLeads(fourth);
  }

  @Test
  void nobodyTakesTheTurnBeforeAnEarlierOneWithACommonActor() {
    GroupMember first = added("a", 0);
    assertLeads(first);
    GroupMember second = added("b", 0, 1);
    GroupMember third = added("c", 1);
    assertWaits(second);
    assertWaits(third);
    groups.form(first);
    assertLeads(second);
    assertThat(groups.form(second)).containsExactly(second, third);
  }

  @Test
  void anUpdateThatGoesAloneIsInNoGroup() {
    GroupMember first = added("a", 0);
    assertLeads(first);
    GroupMember alone = member("b", Duration.ofMinutes(1), 0);
    alone.goAlone();
    groups.add(alone);
    GroupMember third = added("c", 0);
    assertThat(groups.form(first)).containsExactly(first, third);
    assertLeads(alone);
    GroupMember fourth = added("d", 0);
    assertThat(groups.form(alone)).containsExactly(alone);
    assertLeads(fourth);
  }

  @Test
  void aKeyIsInAGroupOnce() {
    GroupMember first = added("same", 0);
    assertLeads(first);
    GroupMember again = added("same", 0);
    assertThat(groups.form(first)).containsExactly(first);
    assertLeads(again);
  }

  @Test
  void theRestIsMadeAgainWithoutARefusedMember() {
    GroupMember first = added("a", 0);
    GroupMember refused = added("b", 0);
    GroupMember third = added("c", 0);
    assertLeads(first);
    groups.makeAgain(groups.form(first), Set.of(refused));
    assertThat(groups.await(first)).isInstanceOf(Told.Wait.class);
    assertThat(groups.await(refused)).isInstanceOf(Told.Wait.class);
    assertThat(groups.await(third)).isInstanceOf(Told.Wait.class);
    assertLeads(first);
    assertThat(groups.form(first)).containsExactly(first, third);
    assertLeads(refused);
    assertThat(groups.form(refused)).containsExactly(refused);
  }

  @Test
  void aFailureThatNobodyMendsIsToldToASingleUpdateOnly() {
    GroupMember first = added("a", 0);
    GroupMember second = added("b", 0);
    assertLeads(first);
    UniserveException failure = UniserveException.invalid("wrong");
    groups.fail(groups.form(first), failure);
    assertThat(groups.await(first)).isInstanceOf(Told.Wait.class);
    assertLeads(first);
    List<GroupMember> alone = groups.form(first);
    assertThat(alone).containsExactly(first);
    groups.fail(alone, failure);
    assertThatThrownBy(() -> groups.await(first)).isSameAs(failure);
    assertThat(groups.await(second)).isInstanceOf(Told.Wait.class);
    assertLeads(second);
  }

  @Test
  void aFailureThatMayBeMendedIsToldToAll() {
    GroupMember first = added("a", 0);
    GroupMember second = added("b", 0);
    assertLeads(first);
    UniserveException failure = new UniserveException(ErrorCode.UNAVAILABLE, "away");
    groups.fail(groups.form(first), failure);
    assertThatThrownBy(() -> groups.await(first)).isSameAs(failure);
    assertThatThrownBy(() -> groups.await(second)).isSameAs(failure);
  }

  @Test
  void theOthersGoOnWhenTheLeaderHasNoTimeLeft() {
    GroupMember first = added("a", 0);
    GroupMember second = added("b", 0);
    assertLeads(first);
    groups.fail(
        groups.form(first), new UniserveException(ErrorCode.DEADLINE_EXCEEDED, "no time left"));
    assertThatThrownBy(() -> groups.await(first)).hasMessageContaining("no time left");
    assertThat(groups.await(second)).isInstanceOf(Told.Wait.class);
    assertLeads(second);
  }

  @Test
  void whoGivesUpWhileWaitingHasChangedNothing() {
    GroupMember first = added("a", 0);
    GroupMember impatient = member("b", Duration.ZERO, 0);
    groups.add(impatient);
    assertThatThrownBy(() -> groups.await(impatient)).hasMessageContaining("turn of an update");
    assertThat(decided).hasValue(0);
    assertThat(groups.form(first)).containsExactly(first);
  }

  @Test
  void whoGivesUpWhileItsGroupIsUnderWayDoesNotKnowTheOutcome() {
    GroupMember first = added("a", 0);
    GroupMember impatient = member("b", Duration.ZERO, 0);
    groups.add(impatient);
    assertThat(groups.form(first)).containsExactly(first, impatient);
    assertThatThrownBy(() -> groups.await(impatient)).hasMessageContaining("turn of an update");
    assertThat(decided).hasValue(1);
  }

  @Test
  void whoHasGivenUpDoesNotLeadWhenItsGroupIsMadeAgain() {
    GroupMember first = added("a", 0);
    GroupMember impatient = member("b", Duration.ZERO, 0);
    groups.add(impatient);
    GroupMember third = added("c", 0);
    assertLeads(first);
    List<GroupMember> group = groups.form(first);
    assertThatThrownBy(() -> groups.await(impatient)).hasMessageContaining("turn of an update");
    groups.fail(group, new UniserveException(ErrorCode.DEADLINE_EXCEEDED, "no time left"));
    assertThat(groups.await(third)).isInstanceOf(Told.Wait.class);
    assertLeads(third);
  }
}
