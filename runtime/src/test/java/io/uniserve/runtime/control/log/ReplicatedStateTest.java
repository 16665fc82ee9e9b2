package io.uniserve.runtime.control.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Address;
import io.uniserve.runtime.control.log.Decision.Receipt;
import io.uniserve.runtime.control.log.LogOperation.Batch;
import io.uniserve.runtime.control.log.LogOperation.BatchHeader;
import io.uniserve.runtime.control.log.Sessions.Standing;
import io.uniserve.runtime.wire.ControlMessage.Ordered;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplicatedStateTest {
  private final ReplicatedState state = new ReplicatedState();

  private static Batch batch(long term, long number) {
    return new Batch(new BatchHeader(term, number), List.of());
  }

  private static Decision receipt(String sender, long sequence, long answeredBelow) {
    return new Decision(
        List.of(),
        List.of(),
        List.of(),
        Optional.of(new Receipt(sender, sequence, answeredBelow, new Ordered(sequence))));
  }

  @Test
  void onlyThePresentTermCountsAndOnlyWithoutAGap() {
    state.begin(10);
    assertThat(state.accepts(batch(9, 1))).isFalse();
    assertThat(state.accepts(batch(10, 2))).isFalse();
    assertThat(state.accepts(batch(10, 1))).isTrue();
    state.countBatch();
    assertThat(state.accepts(batch(10, 1))).isFalse();
    assertThat(state.accepts(batch(10, 2))).isTrue();
    state.begin(20);
    assertThat(state.accepts(batch(10, 2))).isFalse();
    assertThat(state.accepts(batch(20, 1))).isTrue();
  }

  @Test
  void aRequestIsRememberedUntilItsSenderHasTheAnswer() {
    state.apply(receipt("a", 1, 1));
    state.apply(receipt("a", 2, 1));
    assertThat(state.sessions().standing("a", 1)).isEqualTo(new Standing.Done(new Ordered(1)));
    assertThat(state.sessions().standing("a", 3)).isEqualTo(new Standing.Fresh());
    assertThat(state.sessions().standing("b", 1)).isEqualTo(new Standing.Fresh());
    state.apply(receipt("a", 3, 3));
    assertThat(state.sessions().standing("a", 2)).isEqualTo(new Standing.Outdated());
  }

  @Test
  void memoryOfSendersIsBounded() {
    for (int i = 0; i <= Sessions.SENDERS_MAX; i++) {
      state.apply(receipt("sender-" + i, 1, 1));
    }
    assertThat(state.sessions().standing("sender-0", 1)).isEqualTo(new Standing.Fresh());
    assertThat(state.sessions().standing("sender-1", 1)).isInstanceOf(Standing.Done.class);
    for (int i = 1; i <= Sessions.OPEN_MAX; i++) {
      state.apply(receipt("busy", i, 1));
    }
    assertThat(state.sessions().standing("busy", Sessions.OPEN_MAX + 1))
        .isEqualTo(new Standing.Outdated());
  }

  @Test
  void aSnapshotIsTheWholeState() {
    state.begin(5);
    state.countBatch();
    state.apply(
        new Decision(
            List.of(
                new ControlRecord.ClusterFounded("c"),
                new ControlRecord.ServerJoined("s", new Address("s"), 1)),
            List.of(),
            List.of(new byte[3]),
            Optional.of(new Receipt("a", 4, 3, new Ordered(1)))));
    ReplicatedState again = ReplicatedState.decode(state.encode());
    assertThat(again.cluster()).isEqualTo(state.cluster());
    assertThat(again.messages()).isEqualTo(1);
    assertThat(again.accepts(batch(5, 2))).isTrue();
    assertThat(again.sessions().standing("a", 4)).isEqualTo(new Standing.Done(new Ordered(1)));
    assertThat(again.sessions().standing("a", 2)).isEqualTo(new Standing.Outdated());
    assertThat(again.encode()).isEqualTo(state.encode());
  }
}
