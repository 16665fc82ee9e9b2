package io.uniserve.runtime.control.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.runtime.control.log.OrderChange.Placed;
import io.uniserve.runtime.control.log.OrderChange.Portion;
import io.uniserve.runtime.control.log.OrderChange.Settled;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.entry.UpdateKey;
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
    OrderedUpdate next = orders.apply(update(1, "c", 5, 0, 1, 2, 3, 4)).orElseThrow();
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
    OrderedUpdate next = orders.apply(update(1, "d", 5, 4, 5, 7, 8)).orElseThrow();
    assertThat(next.previous()).containsExactly(0L, 3L, 0L, 0L);
    orders.apply(merge(1, 5, 9, 10)); // one alone
    orders.apply(merge(1, 11, 10, 12)); // the other alone
    next = orders.apply(update(1, "e", 5, 12)).orElseThrow();
    assertThat(next.previous()).containsExactly(4L);
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
