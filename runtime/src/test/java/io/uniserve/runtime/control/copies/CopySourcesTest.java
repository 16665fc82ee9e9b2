package io.uniserve.runtime.control.copies;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyAdded;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.RingBegun;
import io.uniserve.runtime.wire.cluster.ControlRecord.RingChangePlaced;
import io.uniserve.runtime.wire.cluster.ControlRecord.RingChangeSubmitted;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerFailed;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableCreated;
import io.uniserve.runtime.wire.cluster.Replay;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.ring.RingMember;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The choice of senders in a cluster, by the example of <i>Crescando/RB</i> §6.5: a, b, c and d
 * have the identifiers 20, 30, 40 and 50, and e gets 35. Here the range of a begins with the first
 * key, and its successors are all that there are.
 */
class CopySourcesTest {
  private static final long TABLE = 9;

  private ClusterState state = ClusterState.EMPTY;

  private void replay(ControlRecord... records) {
    for (ControlRecord record : records) {
      state = Replay.apply(state, record);
    }
  }

  private void create(List<List<String>> placement) {
    for (String server : List.of("a", "b", "c", "d", "e")) {
      replay(new ServerJoined(server, new Address(server), 1));
    }
    Partitioner ranges =
        new Partitioner.Range(LongStream.of(30, 35, 40, 50).mapToObj(PartitionKey::of).toList());
    replay(
        new TableCreated(
            TABLE,
            new TableDefinition("t", "notes", ranges, 3, Durability.NONE, Map.of()),
            placement));
    for (int actor = 0; actor < placement.size(); actor++) {
      for (String server : placement.get(actor)) {
        replay(new CopyReady(new ActorId(TABLE, actor), server));
      }
    }
  }

  private void createOnRing() {
    create(
        List.of(
            List.of("a", "b", "c"),
            List.of("b", "c", "d"),
            List.of("b", "c", "d"),
            List.of("c", "d", "a"),
            List.of("d", "a", "b")));
    replay(
        new RingBegun(
            TABLE,
            List.of(
                new RingMember(PartitionKey.LEAST, "a"),
                new RingMember(PartitionKey.of(30), "b"),
                new RingMember(PartitionKey.of(40), "c"),
                new RingMember(PartitionKey.of(50), "d"))));
  }

  private List<Optional<String>> chosen(int... actors) {
    List<ControlRecord> added =
        Arrays.stream(actors)
            .<ControlRecord>mapToObj(
                actor -> new CopyAdded(new ActorId(TABLE, actor), "e", "the test"))
            .toList();
    return CopySources.chosen(state, added).stream()
        .map(record -> ((CopyAdded) record).source())
        .toList();
  }

  @Test
  void whoseFailureWouldLoseARangeDoesNotSend() {
    createOnRing();
    replay(
        new ServerFailed("d", 1, "the test"),
        new RingChangeSubmitted(TABLE, new RingChange.Expand("e", PartitionKey.of(35))),
        new RingChangePlaced(TABLE, 1));
    // b sends all: it leads the last two, and nothing needs to be said of these.
    assertThat(chosen(0, 1, 2))
        .containsExactly(Optional.of("b"), Optional.empty(), Optional.empty());
  }

  @Test
  void whatIsBegunLaterCountsToo() {
    createOnRing();
    replay(
        new RingChangeSubmitted(TABLE, new RingChange.Expand("e", PartitionKey.of(35))),
        new RingChangePlaced(TABLE, 1));
    assertThat(chosen(0)).as("a alone would do, but b sends the others").hasSize(1);
    assertThat(chosen(0)).containsExactly(Optional.of("b"));
  }

  @Test
  void anActorOfAnyTableIsSentByItsPrimaryIfNothingIsGained() {
    create(
        List.of(
            List.of("a", "b", "c"),
            List.of("b", "c", "d"),
            List.of("b", "c", "d"),
            List.of("c", "d", "a"),
            List.of("d", "a", "b")));
    assertThat(chosen(0)).containsExactly(Optional.empty());
  }

  @Test
  void whoSendsAlreadyGoesOnSending() {
    create(
        List.of(
            List.of("a", "b", "c"),
            List.of("b", "c", "d"),
            List.of("b", "c", "d"),
            List.of("c", "d", "a"),
            List.of("d", "a", "b")));
    replay(new CopyAdded(new ActorId(TABLE, 1), "e", "the test"));
    assertThat(chosen(0)).as("b sends actor 1 to e").containsExactly(Optional.of("b"));
  }
}
