package io.uniserve.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {

  @Test
  void percentilesAreValuesThatOccurred() {
    long[] hundred = LongStream.rangeClosed(1, 100).toArray();

    assertThat(Statistics.percentile(hundred, 0.5)).isEqualTo(50);
    assertThat(Statistics.percentile(hundred, 0.99)).isEqualTo(99);
    assertThat(Statistics.percentile(hundred, 1)).isEqualTo(100);
    assertThat(Statistics.percentile(new long[] {7}, 0.01)).isEqualTo(7);
    assertThat(Statistics.percentile(new long[] {1, 2, 3}, 0.5)).isEqualTo(2);
  }

  @Test
  void refusesAPercentileOfNothing() {
    assertThatThrownBy(() -> Statistics.percentile(new long[0], 0.5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Statistics.percentile(new long[] {1}, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
    assertThat(Statistics.median(List.of(4.0, 1.0, 3.0, 100.0))).isEqualTo(3.5);
    assertThat(Statistics.median(List.of(5.0, 1.0, 3.0))).isEqualTo(3);
  }

  @Test
  void spreadNamesTheExtremes() {
    assertThat(Statistics.spread(List.of(2.0, 9.0, 4.0))).isEqualTo(new Spread(4, 2, 9, 3));
  }
}
