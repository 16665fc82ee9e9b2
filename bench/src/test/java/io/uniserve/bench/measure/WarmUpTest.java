package io.uniserve.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpTest {

  @Test
  void steadyWhenTheLastWindowsAgree() {
    assertThat(WarmUp.steady(List.of(900L, 400L, 103L, 100L, 104L))).isTrue();
  }

  @Test
  void notSteadyWhileMediansFallOrWindowsAreFew() {
    assertThat(WarmUp.steady(List.of(120L, 110L, 100L))).isFalse();
    assertThat(WarmUp.steady(List.of(100L, 100L))).isFalse();
  }
}
