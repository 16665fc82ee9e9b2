package io.uniserve.node.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ColumnsTest {
  @Test
  void alignsFiguresRightAndTextLeft() {
    assertThat(
            new Columns()
                .row("TABLE", "COPIES", "DISK")
                .row("a", 3, "12.5 MiB")
                .row("movies", 112, "-")
                .lines())
        .containsExactly(
            "TABLE   COPIES      DISK", "a            3  12.5 MiB", "movies     112         -");
  }

  @Test
  void writesFiguresAsPeopleReadThem() {
    assertThat(Figures.count(36_273)).isEqualTo("36,273");
    assertThat(Figures.bytes(512)).isEqualTo("512 B");
    assertThat(Figures.bytes(3_880_000)).isEqualTo("3.7 MiB");
    assertThat(Figures.duration(Duration.ofNanos(420_000))).isEqualTo("0.42 ms");
    assertThat(Figures.duration(Duration.ofMillis(420))).isEqualTo("420 ms");
    assertThat(Figures.duration(Duration.ofMillis(4_200))).isEqualTo("4.2 s");
    assertThat(Figures.duration(Duration.ofSeconds(125))).isEqualTo("2 min 05 s");
    assertThat(Figures.plural(1, "table")).isEqualTo("1 table");
  }
}
