package io.uniserve.engines.sharedscan.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComparisonTest {
  private static final int INTERVALS = 40;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void vectorsFindWhatOneByOneFinds(int width) {
    SplittableRandom random = new SplittableRandom(width);
    int unused = Long.SIZE - Byte.SIZE * width;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate((long) Chunk.SLOTS * width, Long.BYTES);
      for (long at = 0; at < data.byteSize(); at += Long.BYTES) {
        data.set(ValueLayout.JAVA_LONG, at, random.nextInt(4) == 0 ? 0 : random.nextLong());
      }
      for (int i = 0; i < INTERVALS; i++) {
        long one = random.nextLong() >> unused;
        long other = i % 4 == 0 ? one : random.nextLong() >> unused;
        long[] found = new long[Chunk.WORDS];
        Arrays.setAll(found, word -> word % 3 == 0 ? 0 : word % 3 == 1 ? -1 : random.nextLong());
        long[] expected = found.clone();

        Lanes.narrow(data, 0, width, Math.min(one, other), Math.max(one, other), found);
        Comparison.oneByOne(data, 0, width, Math.min(one, other), Math.max(one, other), expected);

        assertThat(found).isEqualTo(expected);
      }
    }
  }
}
