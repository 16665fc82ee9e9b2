package io.uniserve.api.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class PartitionKeyTest {
  private static final long HASH_OF_NOTHING = -780787492076525413L;
  private static final long HASH_OF_MOVIES = -3001180578149705139L;
  private static final long HASH_OF_42 = -6410448379177874637L;

  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);

  @Test
  void numbersAreOrderedByValue() {
    List<Long> numbers = new ArrayList<>(List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE));
    for (int i = 0; i < 2000; i++) {
      numbers.add(random.nextLong() >> random.nextInt(64));
    }
    for (long a : numbers.subList(0, 50)) {
      for (long b : numbers) {
        assertThat(Integer.signum(PartitionKey.of(a).compareTo(PartitionKey.of(b))))
            .isEqualTo(Long.compare(a, b));
      }
    }
  }

  @Test
  void textsAreOrderedByCodePoint() {
    String[] texts = {"", "\u0000", "A", "Z", "a", "ab", "b", "é", "漢", "\uFFFD", "😀"};
    for (int i = 0; i < texts.length; i++) {
      for (int j = 0; j < texts.length; j++) {
        assertThat(Integer.signum(PartitionKey.of(texts[i]).compareTo(PartitionKey.of(texts[j]))))
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  @Test
  void bytesAreComparedUnsigned() {
    assertThat(PartitionKey.of(new byte[] {(byte) 0x80}))
        .isGreaterThan(PartitionKey.of(new byte[] {0x7f, 1}));
  }

  @Test
  void equalKeysAreEqualAndHashTheSame() {
    PartitionKey one = PartitionKey.of("straße");
    PartitionKey same = PartitionKey.of("straße".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(one.stableHash()).isEqualTo(same.stableHash());
    assertThat(one).isNotEqualTo(PartitionKey.of("Straße"));
  }

  /** Stored data is placed by these values: they must never change. */
  @Test
  void theStableHashIsStable() {
    assertThat(PartitionKey.of("").stableHash()).isEqualTo(HASH_OF_NOTHING);
    assertThat(PartitionKey.of("movies").stableHash()).isEqualTo(HASH_OF_MOVIES);
    assertThat(PartitionKey.of(42).stableHash()).isEqualTo(HASH_OF_42);
  }

  @Test
  void aKeyCannotBeChangedFromOutside() {
    byte[] bytes = {1, 2, 3};
    PartitionKey key = PartitionKey.of(bytes);
    bytes[0] = 9;
    key.bytes()[1] = 9;
    assertThat(key).isEqualTo(PartitionKey.of(new byte[] {1, 2, 3}));
    assertThat(key).hasToString("010203");
  }

  @Test
  void aKeyIsBounded() {
    byte[] longest = new byte[PartitionKey.SIZE_BYTES_MAX];
    assertThat(PartitionKey.of(longest).bytes()).hasSize(longest.length);
    assertThatThrownBy(() -> PartitionKey.of(Arrays.copyOf(longest, longest.length + 1)))
        .hasMessageContaining("32769")
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
  }
}
