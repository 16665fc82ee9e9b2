package io.uniserve.node.http.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SampledRangesTest {
  @Test
  void eachRangeHasAnEqualShareOfTheSample() {
    List<PartitionKey> sample =
        new ArrayList<>(LongStream.range(0, 1_000).mapToObj(PartitionKey::of).toList());
    Collections.shuffle(sample, new Random(1));
    Partitioner.Range ranges = SampledRanges.of(sample, 8);
    int[] counts = new int[8];
    sample.forEach(key -> counts[ranges.actorOf(key)]++);
    assertThat(counts).containsOnly(125);
  }

  @Test
  void aKeyOfManyRecordsIsOneBound() {
    List<PartitionKey> sample = new ArrayList<>(Collections.nCopies(100, PartitionKey.of("m")));
    List.of("a", "b", "z").forEach(text -> sample.add(PartitionKey.of(text)));
    assertThat(SampledRanges.of(sample, 4).actors()).isEqualTo(4);
  }

  @Test
  void tooFewDifferentKeysAreRefused() {
    List<PartitionKey> sample = Collections.nCopies(100, PartitionKey.of("m"));
    assertThatThrownBy(() -> SampledRanges.of(sample, 4))
        .isInstanceOf(UniserveException.class)
        .hasMessage("table: a sample with 1 different keys cannot cut it into 4 ranges");
    assertThat(SampledRanges.of(sample, 1).actors()).isEqualTo(1);
  }
}
