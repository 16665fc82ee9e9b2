package io.uniserve.runtime.wire.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.kernel.Invariant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Configurations of rings and their changes, by the example of <i>Crescando/RB</i> §6.4. */
class RingTest {
  private static final Ring RING =
      new Ring(List.of(member(20, "a"), member(30, "b"), member(40, "c"), member(50, "d")));

  @Test
  void anOwnerIsFollowedByItsSuccessors() {
    assertThat(RING.order(key(20))).containsExactly("a", "b", "c", "d");
    assertThat(RING.order(key(39))).containsExactly("b", "c", "d", "a");
    assertThat(RING.order(key(60))).containsExactly("d", "a", "b", "c");
  }

  @Test
  void theLastServerOwnsWhatIsBeforeTheFirstIdentifier() {
    assertThat(RING.order(key(10))).containsExactly("d", "a", "b", "c");
    assertThat(RING.order(PartitionKey.LEAST)).containsExactly("d", "a", "b", "c");
  }

  @Test
  void expansionPartsTheRangeOfAnIdentifier() {
    Ring after = RING.after(new RingChange.Expand("e", key(35)), 3);
    assertThat(after.order(key(20)).subList(0, 3)).containsExactly("a", "b", "e");
    assertThat(after.order(key(30)).subList(0, 3)).containsExactly("b", "e", "c");
    assertThat(after.order(key(35)).subList(0, 3)).containsExactly("e", "c", "d");
  }

  @Test
  void contractionLeavesKeysToTheServerBefore() {
    Ring after = RING.after(new RingChange.Contract("b"), 3);
    assertThat(after.order(key(30)).subList(0, 3)).containsExactly("a", "c", "d");
  }

  @Test
  void replacementKeepsTheIdentifier() {
    Ring after = RING.after(new RingChange.Replace("b", "e"), 3);
    assertThat(after.order(key(30))).containsExactly("e", "c", "d", "a");
  }

  @Test
  void rebalancingMovesTheIdentifier() {
    Ring after = RING.after(new RingChange.Rebalance("b", key(55)), 3);
    assertThat(after.order(key(30))).containsExactly("a", "c", "d", "b");
    assertThat(after.order(key(55)).getFirst()).isEqualTo("b");
  }

  @Test
  void whatTheConfigurationDoesNotAllowIsRefused() {
    refused(new RingChange.Expand("a", key(35)), "server a is on the ring already");
    refused(new RingChange.Expand("e", key(30)), "server b has that identifier already");
    refused(new RingChange.Contract("e"), "server e is not on the ring: [a, b, c, d]");
    refused(new RingChange.Replace("a", "b"), "server b is on the ring already");
    refused(new RingChange.Rebalance("a", key(30)), "server b has that identifier already");
    assertThatThrownBy(() -> RING.after(new RingChange.Contract("a"), 4))
        .isInstanceOf(UniserveException.class)
        .hasMessage("server a cannot leave the ring: 4 copies need as many servers");
  }

  private static void refused(RingChange change, String why) {
    assertThatThrownBy(() -> RING.after(change, 3))
        .isInstanceOf(UniserveException.class)
        .hasMessage(why);
  }

  @Test
  void eachChangeMeetsTheConfigurationThatTheLastOneLeaves() {
    RingState state =
        RingState.of(RING)
            .with(new RingChange.Expand("e", key(35)))
            .with(new RingChange.Contract("b"));
    Ring last = state.last(3);
    assertThat(last.members())
        .containsExactly(member(20, "a"), member(35, "e"), member(40, "c"), member(50, "d"));
    assertThat(state.ring()).as("nothing is made yet").isEqualTo(RING);
    assertThat(state.submitted()).isEqualTo(2);
  }

  @Test
  void aChangeThatIsNotMadeLeavesTheRing() {
    RingState state =
        RingState.of(RING)
            .with(new RingChange.Expand("e", key(35)))
            .with(new RingChange.Rebalance("e", key(36)))
            .ended(false, "server e takes no copies");
    assertThat(state.ring()).isEqualTo(RING);
    assertThat(state.last(3)).as("e has no identifier to be changed").isEqualTo(RING);
    assertThat(state.ended())
        .containsExactly(
            new RingState.Ended(
                1, new RingChange.Expand("e", key(35)), false, "server e takes no copies"));
  }

  @Test
  void changesAreMadeInOrderAndOnce() {
    RingState state = RingState.of(RING).with(new RingChange.Contract("b")).placed(3);
    assertThat(state.ring().members()).hasSize(3);
    assertThatThrownBy(() -> state.placed(3))
        .hasMessageContaining(Invariant.RING_CHANGES_IN_ORDER.name());
    assertThatThrownBy(() -> state.first(2))
        .hasMessageContaining(Invariant.RING_CHANGES_IN_ORDER.name());
    RingState ended = state.ended(true, "");
    assertThat(ended.queue()).isEmpty();
    assertThat(ended.ended()).extracting(RingState.Ended::done).containsExactly(true);
  }

  private static RingMember member(long at, String server) {
    return new RingMember(key(at), server);
  }

  private static PartitionKey key(long number) {
    return PartitionKey.of(number);
  }
}
