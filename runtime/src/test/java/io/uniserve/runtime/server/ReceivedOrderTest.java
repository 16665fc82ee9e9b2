package io.uniserve.runtime.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ErrorCode;
import io.uniserve.kernel.InvariantViolation;
import io.uniserve.runtime.wire.OrderPlace;
import io.uniserve.runtime.wire.OrderedMessage.Refusal;
import java.util.List;
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
      order.refused("k" + i, new Refusal(ErrorCode.INVALID_ARGUMENT, "m" + i));
    }
    ReceivedOrder again = new ReceivedOrder(order.stored());
    assertThat(again.refusalOf("k0")).isEmpty();
    assertThat(again.refusalOf("k1")).map(Refusal::message).contains("m1");
  }

  @Test
  void aTableThatIsMadeOfAnotherBeginsItsOwnOrderAndKnowsWhatWasRefused() {
    order.received(place(3, 0, 0, 1));
    order.refused("k", new Refusal(ErrorCode.INVALID_ARGUMENT, "m"));
    ReceivedOrder made = new ReceivedOrder(order.stored().inNewTable());
    made.received(place(0, 0, 0, 1));
    assertThat(made.last()).isZero();
    assertThat(made.stored().shared()).isEmpty();
    assertThat(made.refusalOf("k")).isPresent();
    made.received(place(1, 0, 0));
  }
}
