package io.uniserve.runtime.server.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.kernel.InvariantViolation;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ReceivedOrderTest {
  private final ReceivedOrder order = new ReceivedOrder(ReceivedOrder.Stored.NONE);

  private static OrderPlace place(long number, long previous, Integer... actors) {
    return new OrderPlace(number, previous, List.of(actors));
  }

  @Test
  void anActorGetsWhatFollowsAndNeverWhatIsBefore() {
    order.received(place(3, 0, 0, 1));
    order.received(place(9, 7, 0)); // 7 was lost
    assertThat(order.last()).isEqualTo(9);
    assertThat(order.stored().shared()).containsEntry(1, 3L).containsEntry(0, 9L);
    for (OrderPlace wrong : List.of(place(9, 7), place(8, 7), place(10, 8), place(12, 12))) {
      assertThatThrownBy(() -> order.requireNext(wrong)).isInstanceOf(InvariantViolation.class);
    }
    order.requireNext(place(10, 9));
  }

  @Test
  void refusalsAreRememberedUpToABound() {
    for (int i = 0; i <= ReceivedOrder.REFUSALS_MAX; i++) {
      order.refused(UpdateKey.of("k" + i), new Refusal(ErrorCode.INVALID_ARGUMENT, "m" + i));
    }
    ReceivedOrder again = new ReceivedOrder(order.stored());
    assertThat(again.refusalOf(UpdateKey.of("k0"))).isEmpty();
    assertThat(again.refusalOf(UpdateKey.of("k1"))).map(Refusal::message).contains("m1");
  }

  private static ReceivedOrder.Part part(int actor, ReceivedOrder order, String... applied) {
    Set<Hash> names =
        Set.of(applied).stream().map(key -> UpdateKey.of(key).name()).collect(Collectors.toSet());
    return new ReceivedOrder.Part(actor, order.stored(), names::contains);
  }

  private static String identity(String key) {
    return UpdateKey.of(key).identity();
  }

  private static Refusal refusal(String message) {
    return new Refusal(ErrorCode.INVALID_ARGUMENT, message);
  }

  @Test
  void whatTwoBecameHasGotWhatEitherHad() {
    ReceivedOrder other = new ReceivedOrder(ReceivedOrder.Stored.NONE);
    order.received(place(3, 0, 0, 2));
    order.received(place(9, 3, 0, 3));
    other.received(place(4, 0, 1, 3));
    other.received(place(5, 4, 1, 2));
    for (ReceivedOrder.Stored both :
        List.of(
            ReceivedOrder.of(part(0, order), part(1, other)),
            ReceivedOrder.of(part(1, other), part(0, order)))) {
      assertThat(both.last()).isEqualTo(9);
      assertThat(both.shared()).isEqualTo(Map.of(0, 9L, 1, 5L, 2, 5L, 3, 9L));
    }
  }

  @Test
  void whatEitherOfTwoRefusedIsRefusedAndWhatTheOtherDidIsSaid() {
    ReceivedOrder other = new ReceivedOrder(ReceivedOrder.Stored.NONE);
    order.refused(UpdateKey.of("one"), refusal("m1"));
    order.refused(UpdateKey.of("half"), refusal("m2"));
    order.refused(UpdateKey.of("both"), refusal("m3"));
    other.refused(UpdateKey.of("other"), refusal("m4"));
    other.refused(UpdateKey.of("both"), refusal("m5"));
    ReceivedOrder both =
        new ReceivedOrder(ReceivedOrder.of(part(0, order), part(1, other, "half")));
    assertThat(both.refusalOf(UpdateKey.of("one"))).contains(refusal("m1"));
    assertThat(both.refusalOf(UpdateKey.of("other"))).contains(refusal("m4"));
    assertThat(both.refusalOf(UpdateKey.of("both")))
        .as("the first's, as clients are told")
        .contains(refusal("m3"));
    assertThat(both.refusalOf(UpdateKey.of("half")))
        .contains(refusal("m2 (refused by former actor 0; it was applied on former actor 1)"));
  }

  @Test
  void ofWhatTwoRefusedTheMostRecentIsRemembered() {
    ReceivedOrder other = new ReceivedOrder(ReceivedOrder.Stored.NONE);
    for (int i = 0; i < ReceivedOrder.REFUSALS_MAX; i++) {
      order.refused(UpdateKey.of("a" + i), refusal("m"));
      other.refused(UpdateKey.of("b" + i), refusal("m"));
    }
    ReceivedOrder.Stored both = ReceivedOrder.of(part(0, order), part(1, other));
    int half = ReceivedOrder.REFUSALS_MAX / 2;
    assertThat(both.refusals())
        .hasSize(ReceivedOrder.REFUSALS_MAX)
        .containsKeys(identity("a" + half), identity("b" + half))
        .doesNotContainKeys(identity("a" + (half - 1)), identity("b" + (half - 1)));
    assertThat(both.refusals().keySet().iterator().next()).isEqualTo(identity("b" + half));
  }

  @Test
  void aTableThatIsMadeOfAnotherBeginsItsOwnOrderAndKnowsWhatWasRefused() {
    order.received(place(3, 0, 0, 1));
    order.refused(UpdateKey.of("k"), new Refusal(ErrorCode.INVALID_ARGUMENT, "m"));
    ReceivedOrder made = new ReceivedOrder(order.stored().inNewTable());
    made.received(place(0, 0, 0, 1));
    assertThat(made.last()).isZero();
    assertThat(made.stored().shared()).isEmpty();
    assertThat(made.refusalOf(UpdateKey.of("k"))).isPresent();
    made.received(place(1, 0, 0));
  }
}
