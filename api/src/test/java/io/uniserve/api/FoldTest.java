package io.uniserve.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FoldTest {
  private final Operator.Combine<Long, Long> sum = Operator.Combine.fold(0L, Long::sum);

  @Test
  void takesTheValuesOfAllActors() {
    Operator.Combiner<Long, Long> combiner = sum.begin();
    combiner.add(1, 20L);
    combiner.add(0, 3L);
    combiner.add(1, 100L);

    assertThat(combiner.result()).isEqualTo(123L);
  }

  @Test
  void beginsEachAggregationAnew() {
    sum.begin().add(0, 5L);

    assertThat(sum.begin().result()).isZero();
  }
}
