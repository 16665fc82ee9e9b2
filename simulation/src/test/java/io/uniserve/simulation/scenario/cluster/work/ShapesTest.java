package io.uniserve.simulation.scenario.cluster.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.simulation.model.Operation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ShapesTest {
  /** Three actors: keys below 10, keys from 10 on, and keys from 20 on. */
  private static final Partitioner THREE =
      new Partitioner.Range(List.of(PartitionKey.of(10L), PartitionKey.of(20L)));

  private static List<Operation> operations(long... keys) {
    return LongStream.of(keys).mapToObj(key -> new Operation(key, key)).toList();
  }

  private static List<List<Operation>> sequences(
      Partitioner newest, int actor, List<Operation> journal) {
    return new Shapes(() -> newest).sequences(new TreeMap<>(Map.of(actor, journal)));
  }

  @Test
  void aJournalIsOneSequence() {
    List<Operation> journal = operations(3, 1, 2);
    assertThat(sequences(THREE, 2, journal)).containsExactly(journal);
    Partitioner cut = THREE.cut(0, new PartitionChange.Where.From(PartitionKey.of(2L)), 1);
    assertThat(sequences(cut, 3, operations(3, 2))).containsExactly(operations(3, 2));
  }

  @Test
  void whatTwoActorsHadIsOfNoOrderBeforeTheyBecameOne() {
    Partitioner merged = THREE.merge(0, 1, 1);
    assertThat(sequences(merged, 3, operations(1, 2, 11, 12, 3, 13)))
        .containsExactly(operations(1, 2, 3, 13), operations(11, 12, 3, 13));
    assertThat(sequences(merged, 3, operations(1, 2))).contains(operations(1, 2));
  }

  @Test
  void theSameGoesForMergesOfWhatWasMerged() {
    Partitioner merged = THREE.merge(0, 1, 1).merge(2, 3, 2);
    assertThat(sequences(merged, 4, operations(1, 11, 2, 12, 21, 22, 3, 23)))
        .containsExactly(
            operations(1, 2, 12, 3, 23), operations(11, 2, 12, 3, 23), operations(21, 22, 3, 23));
  }

  @Test
  void whatWasRestoredHasTheActorsOfItsMoment() {
    Partitioner merged = THREE.merge(0, 1, 1);
    assertThat(sequences(merged, 2, operations(21, 22))).containsExactly(operations(21, 22));
    List<Operation> before = operations(12, 11);
    assertThat(
            new Shapes(() -> merged).sequences(new TreeMap<>(Map.of(1, before, 2, operations(21)))))
        .containsExactly(before, operations(21));
  }
}
