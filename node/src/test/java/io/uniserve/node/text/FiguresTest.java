package io.uniserve.node.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FiguresTest {
  @Test
  void oneIsNotMany() {
    assertThat(Figures.plural(1, "record")).isEqualTo("1 record");
    assertThat(Figures.plural(0, "record")).isEqualTo("0 records");
    assertThat(Figures.plural(2_000, "bad record")).isEqualTo("2,000 bad records");
    assertThat(Figures.plural(2, "copy")).isEqualTo("2 copies");
    assertThat(Figures.plural(1, "copy")).isEqualTo("1 copy");
    assertThat(Figures.plural(3, "match")).isEqualTo("3 matches");
    assertThat(Figures.plural(3, "day")).isEqualTo("3 days");
  }

  @Test
  void durationsHaveTheUnitThatSuitsThem() {
    assertThat(Figures.duration(Duration.ofNanos(420_000))).isEqualTo("0.42 ms");
    assertThat(Figures.duration(Duration.ofMillis(999))).isEqualTo("999 ms");
    assertThat(Figures.duration(Duration.ofSeconds(3))).isEqualTo("3.0 s");
    assertThat(Figures.duration(Duration.ofSeconds(125))).isEqualTo("2 min 05 s");
    assertThat(Figures.duration(Duration.ofHours(24))).isEqualTo("24 h 00 min");
  }
}
