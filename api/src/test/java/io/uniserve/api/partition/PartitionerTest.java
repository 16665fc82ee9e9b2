package io.uniserve.api.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartitionerTest {
  private static PartitionKey key(long number) {
    return PartitionKey.of(number);
  }

  private static final Partitioner TENS = new Partitioner.Range(List.of(key(10), key(20), key(30)));

  private static Keys range(Long from, Long to) {
    return new Keys.Range(
        Optional.ofNullable(from).map(PartitionKey::of),
        Optional.ofNullable(to).map(PartitionKey::of));
  }

  @Test
  void aRangePartitionerKeepsNeighboursTogether() {
    assertThat(TENS.actors()).isEqualTo(4);
    assertThat(
            IntStream.of(-5, 9, 10, 11, 19, 20, 29, 30, 1000)
                .map(number -> TENS.actorOf(key(number))))
        .containsExactly(0, 0, 1, 1, 1, 2, 2, 3, 3);
  }

  @Test
  void aRangeReadsExactlyTheActorsThatMayHoldIt() {
    assertThat(TENS.actorsOf(Keys.ALL)).containsExactly(0, 1, 2, 3);
    assertThat(TENS.actorsOf(range(null, null))).containsExactly(0, 1, 2, 3);
    assertThat(TENS.actorsOf(range(10L, 20L))).containsExactly(1);
    assertThat(TENS.actorsOf(range(10L, 21L))).containsExactly(1, 2);
    assertThat(TENS.actorsOf(range(9L, 10L))).containsExactly(0);
    assertThat(TENS.actorsOf(range(null, 10L))).containsExactly(0);
    assertThat(TENS.actorsOf(range(30L, null))).containsExactly(3);
    assertThat(TENS.actorsOf(range(25L, 26L))).containsExactly(2);
    assertThat(TENS.actorsOf(range(40L, 50L))).containsExactly(3);
  }

  /** Tests each selection against a lookup of each of its keys. */
  @Test
  void rangesAgreeWithTheActorsOfTheirKeys() {
    for (long from = -2; from < 40; from++) {
      for (long to = from + 1; to < 42; to++) {
        TreeSet<Integer> expected = new TreeSet<>();
        for (long number = from; number < to; number++) {
          expected.add(TENS.actorOf(key(number)));
        }
        assertThat(TENS.actorsOf(range(from, to))).isEqualTo(expected);
      }
    }
  }

  @Test
  void singleKeysReadTheirOwnActors() {
    assertThat(TENS.actorsOf(Keys.of(key(35), key(5), key(6)))).containsExactly(0, 3);
    assertThat(TENS.actorsOf(new Keys.Of(List.of()))).isEmpty();
    Partitioner hash = new Partitioner.Hash(16);
    assertThat(hash.actorsOf(Keys.of(key(1)))).containsExactly(hash.actorOf(key(1)));
  }

  @Test
  void aRangeOfOneActorHoldsEverything() {
    Partitioner one = new Partitioner.Range(List.of());
    assertThat(one.actors()).isEqualTo(1);
    assertThat(one.actorOf(key(5))).isZero();
    assertThat(one.actorsOf(range(5L, 6L))).containsExactly(0);
  }

  @Test
  void aHashPartitionerSpreadsEvenly() {
    Partitioner hash = new Partitioner.Hash(16);
    int[] counts = new int[16];
    for (int i = 0; i < 32_000; i++) {
      counts[hash.actorOf(key(i))]++;
    }
    assertThat(counts)
        .as("2000 each, within 5 standard deviations")
        .satisfies(
            all -> assertThat(IntStream.of(all)).allMatch(count -> Math.abs(count - 2000) < 220));
    assertThat(hash.actorsOf(range(1L, 2L))).hasSize(16);
    assertThat(hash.actorsOf(Keys.ALL)).hasSize(16);
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> new Partitioner.Hash(0)).hasMessageContaining("not 0");
    assertThatThrownBy(() -> new Partitioner.Hash(Partitioner.ACTORS_MAX + 1))
        .hasMessageContaining("100001");
    assertThatThrownBy(() -> new Partitioner.Range(List.of(key(2), key(2))))
        .hasMessageContaining("split 1");
    assertThatThrownBy(() -> new Partitioner.Range(List.of(PartitionKey.LEAST)))
        .hasMessageContaining("split 0");
    assertThatThrownBy(() -> range(5L, 5L)).hasMessageContaining("empty key range");
  }

  @Test
  void aCutOfAHashSharesTheActorsKeysAndNoOthers() {
    Partitioner hash = new Partitioner.Hash(3);
    Partitioner cut = hash.cut(1, new PartitionChange.Where.Bit(0), 0);
    Partitioner twice = cut.cut(3, new PartitionChange.Where.Bit(1), 0);

    int[] counts = new int[5];
    for (long i = 0; i < 12_000; i++) {
      PartitionKey key = PartitionKey.of(i);
      int before = hash.actorOf(key);
      assertThat(cut.actorOf(key)).isIn(before == 1 ? List.of(1, 3) : List.of(before));
      int once = cut.actorOf(key);
      assertThat(twice.actorOf(key)).isIn(once == 3 ? List.of(3, 4) : List.of(once));
      counts[twice.actorOf(key)]++;
    }
    assertThat(counts[1]).isBetween(1_800, 2_200);
    assertThat(counts[3]).isBetween(850, 1_150);
    assertThat(counts[4]).isBetween(850, 1_150);
    assertThat(twice.actorsOf(Keys.ALL)).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void aCutOfARangeIsFoundByRanges() {
    PartitionKey ten = PartitionKey.of(10);
    PartitionKey fifteen = PartitionKey.of(15);
    Partitioner cut =
        new Partitioner.Range(List.of(ten)).cut(1, new PartitionChange.Where.From(fifteen), 0);

    assertThat(cut.actorOf(PartitionKey.of(14))).isEqualTo(1);
    assertThat(cut.actorOf(fifteen)).isEqualTo(2);
    assertThat(cut.actorsOf(range(11L, 15L))).containsExactly(1);
    assertThat(cut.actorsOf(range(11L, 16L))).containsExactly(1, 2);
    assertThat(cut.actorsOf(range(15L, 20L))).containsExactly(2);
    assertThat(cut.actorsOf(range(0L, 20L))).containsExactly(0, 1, 2);
    assertThat(cut.actorsOf(range(15L, null))).containsExactly(2);
  }

  @Test
  void noCutLeavesAnActorWithoutKeys() {
    Partitioner cut =
        new Partitioner.Range(List.of(key(10))).cut(1, new PartitionChange.Where.From(key(15)), 0);

    assertThat(cut.canBeCut(0, key(9))).isTrue();
    assertThat(cut.canBeCut(1, key(11))).isTrue();
    assertThat(cut.canBeCut(2, key(16))).isTrue();
    for (PartitionKey key : List.of(key(9), key(10), key(15), key(16))) {
      assertRefused(cut, 1, key);
    }
    assertRefused(cut, 0, PartitionKey.LEAST);
    assertRefused(cut, 2, key(15));
  }

  private static void assertRefused(Partitioner partitioner, int actor, PartitionKey at) {
    assertThat(partitioner.canBeCut(actor, at)).isFalse();
    assertThatThrownBy(() -> partitioner.cut(actor, new PartitionChange.Where.From(at), 0))
        .hasMessageContaining("cannot be cut");
  }

  @Test
  void generationsTellWhoseKeysHaveChanged() {
    Partitioner.Refined cut =
        new Partitioner.Hash(2)
            .cut(0, new PartitionChange.Where.Bit(0), 5)
            .cut(0, new PartitionChange.Where.Bit(1), 7);

    assertThat(List.of(cut.generation(0), cut.generation(1), cut.generation(2), cut.generation(3)))
        .containsExactly(2, 0, 1, 1);
    assertThat(cut.changedMillis(2)).isEqualTo(5);
    assertThat(cut.asOf(4)).isEqualTo(new Partitioner.Hash(2));
    assertThat(cut.asOf(6).actors()).isEqualTo(3);
    assertThat(cut.asOf(7)).isEqualTo(cut);
  }

  @Test
  void whatIsMergedHasTheKeysOfBothAndIsCutAgainWhereTheyWere() {
    Partitioner cut = new Partitioner.Hash(3).cut(1, new PartitionChange.Where.Bit(0), 1);
    Partitioner thrice =
        cut.cut(3, new PartitionChange.Where.Bit(1), 2).cut(1, new PartitionChange.Where.Bit(1), 3);
    assertThat(cut.neighbours(0)).isEmpty();
    assertThat(cut.neighbours(1)).containsExactly(3);
    assertThat(thrice.neighbours(3)).containsExactly(4, 1);
    assertThat(thrice.nextBit(3)).isEqualTo(2);

    Partitioner.Refined merged = thrice.merge(3, 4, 4);
    Partitioner again = merged.merge(1, 5, 5);
    assertThat(merged.neighbours(6)).isEmpty();
    assertThat(merged.neighbours(1)).containsExactly(5);
    for (long i = 0; i < 2_000; i++) {
      PartitionKey key = PartitionKey.of(i);
      int before = thrice.actorOf(key);
      assertThat(merged.actorOf(key)).isEqualTo(before == 3 || before == 4 ? 6 : before);
      assertThat(merged.held(3, key)).isEqualTo(before == 3);
      assertThat(again.actorOf(key))
          .isEqualTo(before == 1 || before == 5 ? 7 : merged.actorOf(key));
    }
    assertThat(merged.actorsOf(Keys.ALL)).containsExactly(0, 1, 2, 5, 6);
    assertThat(merged.living()).isEqualTo(5);
    assertThat(merged.has(3)).isFalse();
    assertThat(List.of(merged.became(2), merged.became(3), merged.became(4), merged.became(6)))
        .containsExactly(2, 6, 6, 6);
    assertThat(again.merge(6, 7, 6).became(4)).isEqualTo(8);
    assertThat(merged.nextBit(6)).isEqualTo(1);
    assertThat(again.neighbours(6)).containsExactly(7);
    assertThat(again.merge(6, 7, 6).nextBit(8)).isZero();
    assertThat(List.of(merged.generation(3), merged.generation(4), merged.generation(6)))
        .containsExactly(3, 2, 1);
    assertThat(merged.asOf(3)).isEqualTo(thrice);
    assertThatThrownBy(() -> merged.merge(3, 4, 5)).hasMessageContaining("no actor 3");
    assertThatThrownBy(() -> merged.merge(0, 1, 5)).hasMessageContaining("not next to each other");
    assertThatThrownBy(() -> merged.cut(4, new PartitionChange.Where.Bit(5), 5))
        .hasMessageContaining("no actor 4");
  }

  @Test
  void neighboursOfARangeAreMergedWhereverTheyComeFrom() {
    Partitioner cut =
        new Partitioner.Range(List.of(key(10), key(20)))
            .cut(1, new PartitionChange.Where.From(key(15)), 0);
    assertThat(cut.neighbours(1)).containsExactly(3, 0);
    assertThat(cut.neighbours(2)).containsExactly(3);

    Partitioner merged = cut.merge(2, 3, 1);
    assertThat(merged.actorOf(key(14))).isEqualTo(1);
    assertThat(merged.actorOf(key(15))).isEqualTo(4);
    assertThat(merged.actorOf(key(25))).isEqualTo(4);
    assertThat(merged.actorsOf(range(11L, 15L))).containsExactly(1);
    assertThat(merged.actorsOf(range(0L, 16L))).containsExactly(0, 1, 4);
    assertThat(merged.actorsOf(range(21L, null))).containsExactly(4);
    assertThat(merged.neighbours(4)).containsExactly(1);
    Partitioner split = merged.cut(4, new PartitionChange.Where.From(key(22)), 2);
    assertThat(split.actorsOf(range(16L, 23L))).containsExactly(4, 5);
    assertThat(split.actorsOf(range(22L, 23L))).containsExactly(5);
  }

  @Test
  void eachActorOfARangeHasItsFirstKey() {
    Partitioner refined =
        TENS.cut(1, new PartitionChange.Where.From(key(15)), 1).merge(0, 1, 2).merge(2, 3, 3);
    assertThat(refined.keyOfEach())
        .containsExactly(
            Map.entry(4, key(15)), Map.entry(5, PartitionKey.LEAST), Map.entry(6, key(20)));
  }

  @Test
  void eachActorOfAHashHasAKeyThatItHolds() {
    Partitioner refined =
        new Partitioner.Hash(3)
            .cut(0, new PartitionChange.Where.Bit(0), 1)
            .cut(3, new PartitionChange.Where.Bit(1), 2)
            .merge(3, 4, 3);
    SortedMap<Integer, PartitionKey> keys = refined.keyOfEach();
    assertThat(keys).containsOnlyKeys(0, 1, 2, 5);
    keys.forEach((actor, key) -> assertThat(refined.actorOf(key)).isEqualTo(actor));
  }
}
