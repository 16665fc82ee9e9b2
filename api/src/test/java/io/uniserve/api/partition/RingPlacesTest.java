package io.uniserve.api.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange.Where;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Places of keys on a ring: each actor is a range of them, whatever was split and merged. */
class RingPlacesTest {
  private static final Partitioner HASH = new Partitioner.Hash(4);

  @Test
  void aPlaceOfARangeIsItsKey() {
    Partitioner range = new Partitioner.Range(List.of(PartitionKey.of("m")));
    PartitionKey key = PartitionKey.of("film");
    assertThat(RingPlaces.of(range, key)).isEqualTo(key);
    assertThat(RingPlaces.text(range, key)).isEqualTo("film");
    assertThat(RingPlaces.parse(range, "film")).isEqualTo(key);
    PartitionKey number = PartitionKey.of(7);
    assertThat(RingPlaces.text(range, number)).isEqualTo("0x8000000000000007");
    assertThat(RingPlaces.parse(range, "0x8000000000000007")).isEqualTo(number);
    assertThat(range.ring()).isEqualTo(Map.of(PartitionKey.LEAST, 0, PartitionKey.of("m"), 1));
  }

  @Test
  void placesOfAHashAreReadAsTheyAreWritten() {
    for (String text : List.of("0", "0.5", "3.25", "3.875", "2.00000000023283064365386962890625")) {
      assertThat(RingPlaces.text(HASH, RingPlaces.parse(HASH, text))).isEqualTo(text);
    }
    assertThat(RingPlaces.middle(RingPlaces.parse(HASH, "1.5"), RingPlaces.parse(HASH, "3")))
        .isEqualTo(RingPlaces.parse(HASH, "2.25"));
  }

  @Test
  void whatIsNoPlaceOfAHashIsRefused() {
    refused("film", "'film' is no place of a hash: one is a number such as 3.25");
    refused("-1", "'-1' is no place of a hash: one is a number such as 3.25");
    refused("4", "place 4 is not below 4");
    refused(
        "3.3",
        "no actor can be cut at 3.3: the places are halves of actors, halves of these, and so on,"
            + " such as 3.25");
  }

  private static void refused(String text, String why) {
    assertThatThrownBy(() -> RingPlaces.parse(HASH, text))
        .isInstanceOf(UniserveException.class)
        .hasMessage(why);
  }

  @Test
  void splitsCutAHashInHalves() {
    Partitioner cut =
        HASH.cut(3, new Where.Bit(0), 0).cut(3, new Where.Bit(1), 0).cut(4, new Where.Bit(1), 0);
    assertThat(texts(cut)).containsExactly("0=0", "1=1", "2=2", "3=3", "3.25=5", "3.5=4", "3.75=6");
    assertThat(texts(cut.merge(4, 6, 0)))
        .containsExactly("0=0", "1=1", "2=2", "3=3", "3.25=5", "3.5=7");
  }

  private static List<String> texts(Partitioner partitioner) {
    return partitioner.ring().entrySet().stream()
        .map(actor -> RingPlaces.text(partitioner, actor.getKey()) + "=" + actor.getValue())
        .toList();
  }

  @Test
  void keysAreOfTheActorWhoseRangeHasTheirPlace() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    Partitioner partitioner = new Partitioner.Hash(3);
    for (int i = 0; i < 12; i++) {
      List<Integer> actors = List.copyOf(partitioner.actorsOf(Keys.ALL));
      int actor = actors.get(random.nextInt(actors.size()));
      partitioner = partitioner.cut(actor, new Where.Bit(partitioner.nextBit(actor)), 0);
    }
    SortedMap<PartitionKey, Integer> ring = partitioner.ring();
    for (long number = 0; number < 2_000; number++) {
      PartitionKey key = PartitionKey.of(number);
      PartitionKey place = RingPlaces.of(partitioner, key);
      PartitionKey first = ring.containsKey(place) ? place : ring.headMap(place).lastKey();
      assertThat(ring.get(first)).as("of key %d", number).isEqualTo(partitioner.actorOf(key));
    }
  }
}
