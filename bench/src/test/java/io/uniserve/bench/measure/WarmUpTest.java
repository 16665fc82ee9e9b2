package io.uniserve.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.bench.measure.WarmUp.Sample;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WarmUpTest {

  @Test
  void steadyWhenTheLastWindowsAgree() {
    assertThat(WarmUp.steady(ofLatencies(900, 400, 103, 100, 104))).isTrue();
  }

  @Test
  void notSteadyWhileMediansFallOrWindowsAreFew() {
    assertThat(WarmUp.steady(ofLatencies(120, 110, 100))).isFalse();
    assertThat(WarmUp.steady(ofLatencies(100, 100))).isFalse();
  }

  @Test
  void notSteadyWhileCpuFalls() {
    assertThat(
            WarmUp.steady(List.of(new Sample(100, 90), new Sample(100, 70), new Sample(100, 60))))
        .isFalse();
  }

  private static List<Sample> ofLatencies(long... medians) {
    return LongStream.of(medians).mapToObj(median -> new Sample(median, 50)).toList();
  }
}
