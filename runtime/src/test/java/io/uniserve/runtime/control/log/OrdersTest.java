package io.uniserve.runtime.control.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.runtime.control.log.OrderChange.Placed;
import io.uniserve.runtime.control.log.OrderChange.Portion;
import io.uniserve.runtime.control.log.OrderChange.Settled;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OrdersTest {
  private final ReplicatedState state = new ReplicatedState();

  private static Placed update(long table, String key, long millis, Integer... actors) {
    return new Placed(
        table,
        millis,
        UpdateKey.of(key),
        "engine",
        new byte[2],
        Stream.of(actors).map(actor -> new Portion(actor, new byte[3])).toList());
  }

  private OrderedUpdate place(Placed update) {
    apply(update);
    return order(update.table()).pending().stream().reduce((one, other) -> other).orElseThrow();
  }

  private void apply(OrderChange change) {
    state.apply(new Decision(List.of(), List.of(change), List.of(), Optional.empty()));
  }

  private TableOrder order(long table) {
    return state.orders().table(table).orElseThrow();
  }

  @Test
  void eachTableHasItsNumbersAndEachActorItsPredecessors() {
    place(update(1, "a", 5, 0, 2));
    place(update(2, "a", 5, 0));
    place(update(1, "b", 5, 1));
    OrderedUpdate last = place(update(1, "c", 5, 0, 1, 3));
    assertThat(last.number()).isEqualTo(3);
    assertThat(last.previous()).containsExactly(1L, 2L, 0L);
    assertThat(last.placeAt(1).previous()).isEqualTo(2);
    assertThat(last.placeAt(1).actors()).containsExactly(0, 1, 3);
  }

  @Test
  void aNumberIsNeverGivenAgainWhateverIsSettledOrStored() {
    place(update(1, "a", 9, 0));
    apply(new Settled(1, 1));
    assertThat(order(1).pending()).isEmpty();
    assertThat(order(1).pendingBytes()).isZero();
    ReplicatedState again = ReplicatedState.decode(state.encode());
    assertThat(again.encode()).isEqualTo(state.encode());
    again.apply(
        new Decision(List.of(), List.of(update(1, "b", 3, 0, 1)), List.of(), Optional.empty()));
    TableOrder stored = again.orders().table(1).orElseThrow();
    OrderedUpdate next = stored.pending().iterator().next();
    assertThat(next.number()).isEqualTo(2);
    assertThat(next.previous()).containsExactly(1L, 0L);
    assertThat(stored.lastMillis()).as("time never goes back").isEqualTo(9);
    assertThat(order(1).pending()).as("of the state that was copied").isEmpty();
  }

  @Test
  void aStateHoldsWhatIsUnderWayAndACopyIsOfItsOwn() {
    place(update(1, "a", 9, 0, 1));
    ReplicatedState copy = ReplicatedState.decode(state.encode()).copy();
    apply(new Settled(1, 1));
    assertThat(copy.orders().table(1).orElseThrow().pending()).hasSize(1);
    assertThat(copy.orders().table(1).orElseThrow().pendingBytes())
        .isEqualTo(update(1, "a", 9, 0, 1).sizeBytes());
  }

  @Test
  void whatASplitMakesHasGotWhatTheWholeHadGot() {
    Orders orders = new Orders();
    orders.apply(update(1, "a", 5, 0));
    orders.apply(update(1, "b", 5, 1));
    orders.apply(split(1, 0, 2));
    orders.apply(split(1, 2, 3));
    orders.apply(split(2, 1, 4));
    OrderedUpdate next = orders.apply(update(1, "c", 5, 0, 1, 2, 3, 4)).getFirst();
    assertThat(next.previous()).containsExactly(1L, 2L, 1L, 1L, 0L);
  }

  @Test
  void whatAMergeMakesHasGotWhatEitherHadGot() {
    Orders orders = new Orders();
    orders.apply(update(1, "a", 5, 0));
    orders.apply(update(1, "b", 5, 1));
    orders.apply(update(1, "c", 5, 2));
    orders.apply(merge(1, 0, 1, 4)); // the second had got more
    orders.apply(merge(1, 2, 4, 5)); // the first had
    orders.apply(merge(1, 3, 6, 7)); // neither had got anything
    orders.apply(merge(2, 5, 7, 8));
    OrderedUpdate next = orders.apply(update(1, "d", 5, 4, 5, 7, 8)).getFirst();
    assertThat(next.previous()).containsExactly(0L, 3L, 0L, 0L);
    orders.apply(merge(1, 5, 9, 10)); // one alone
    orders.apply(merge(1, 11, 10, 12)); // the other alone
    next = orders.apply(update(1, "e", 5, 12)).getFirst();
    assertThat(next.previous()).containsExactly(4L);
  }

  private static OrderChange.OfSession ofSession(long session, long first, long millis, int count) {
    return new OrderChange.OfSession(
        1,
        millis,
        new Hash(session, 7),
        first,
        "engine",
        Collections.nCopies(
            count, new OrderChange.Item(new byte[2], List.of(new Portion(0, new byte[3])))));
  }

  @Test
  void updatesOfASessionGetConsecutiveNumbersAndMoveItsMark() {
    place(update(1, "a", 5, 0));
    apply(ofSession(1, 1, 6, 3));
    apply(ofSession(2, 1, 6, 1));
    apply(ofSession(1, 4, 6, 2));
    assertThat(order(1).pending().stream().map(OrderedUpdate::number))
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(order(1).pending().stream().flatMap(update -> update.previous().stream()))
        .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(order(1).sessions().mark(new Hash(1, 7)).orElseThrow().placed()).isEqualTo(5);
    assertThat(order(1).sessions().mark(new Hash(2, 7)).orElseThrow().placed()).isEqualTo(1);
    assertThat(order(1).pending().stream().map(update -> update.update().key().name()).distinct())
        .hasSize(7);
    ReplicatedState again = ReplicatedState.decode(state.encode());
    assertThat(again.encode()).isEqualTo(state.encode());
    assertThat(again.copy().orders().table(1).orElseThrow().sessions().mark(new Hash(1, 7)))
        .isEqualTo(order(1).sessions().mark(new Hash(1, 7)));
  }

  @Test
  void aSessionIsForgottenAfterItsLifetimeByTheTimeOfTheOrder() {
    long lifetime = OrderSessions.LIFETIME.toMillis();
    apply(ofSession(1, 1, 10, 1));
    apply(ofSession(2, 1, 20, 1));
    apply(ofSession(1, 2, 30, 1));
    apply(ofSession(3, 1, 20 + lifetime, 1));
    assertThat(order(1).sessions().size()).isEqualTo(3);
    apply(ofSession(3, 2, 21 + lifetime, 1));
    assertThat(order(1).sessions().mark(new Hash(2, 7))).isEmpty();
    assertThat(order(1).sessions().mark(new Hash(1, 7)).orElseThrow().placed())
        .as("used later, though begun earlier")
        .isEqualTo(2);
  }

  @Test
  void whatIsUnderWayToAnActorIsCounted() {
    place(update(1, "a", 5, 0, 2));
    place(update(1, "b", 5, 0));
    assertThat(order(1).backlog(0)).isEqualTo(new TableOrder.Backlog(2, 10));
    assertThat(order(1).backlog(2)).isEqualTo(new TableOrder.Backlog(1, 5));
    apply(new Settled(1, 1));
    assertThat(order(1).backlog(0)).isEqualTo(new TableOrder.Backlog(1, 5));
    assertThat(order(1).isUnderWayTo(2)).isFalse();
    assertThat(order(1).isUnderWayTo(0)).isTrue();
  }

  private static ControlRecord.ActorsMerged merge(long table, int one, int other, int into) {
    PartitionChange.Merge merge = new PartitionChange.Merge(one, other, into, 1);
    return new ControlRecord.ActorsMerged(table, merge, 9, List.of("s1"), "the test");
  }

  private static ControlRecord.ActorSplit split(long table, int actor, int into) {
    PartitionChange.Cut cut =
        new PartitionChange.Cut(actor, into, new PartitionChange.Where.Bit(0), 1);
    return new ControlRecord.ActorSplit(new ActorId(table, actor), cut, 2, 9, List.of("s1"));
  }

  @Test
  void aDroppedTableHasNoOrder() {
    place(update(1, "a", 9, 0));
    state.apply(List.of(new ControlRecord.TableDropped(1)));
    assertThat(state.orders().table(1)).isEmpty();
  }
}
