package io.uniserve.sql.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadingTest {
  private static final Partitioner TWO = new Partitioner.Hash(2);

  @Test
  void eachActorThatThereIsHasAKeyOfItsOwn() {
    Partitioner hash =
        TWO.cut(0, new PartitionChange.Where.Bit(0), 1)
            .cut(2, new PartitionChange.Where.Bit(1), 2)
            .merge(2, 3, 3);
    assertThat(Spreading.everyActor(hash)).containsOnlyKeys(0, 1, 4);
    Partitioner range =
        new Partitioner.Range(List.of(PartitionKey.of("k")))
            .cut(1, new PartitionChange.Where.From(PartitionKey.of("s")), 1)
            .merge(0, 1, 2);
    assertThat(Spreading.everyActor(range)).containsOnlyKeys(2, 3);
    for (Partitioner partitioner : List.of(hash, range)) {
      Spreading.everyActor(partitioner)
          .forEach((actor, key) -> assertThat(partitioner.actorOf(key)).isEqualTo(actor));
    }
  }
}
