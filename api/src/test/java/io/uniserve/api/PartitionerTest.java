package io.uniserve.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
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

  /** Every selection is compared with asking for each key by itself. */
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
    assertThatThrownBy(() -> range(5L, 5L)).hasMessageContaining("empty key range");
  }
}
