package io.uniserve.node.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {
  @Test
  void countsEdits() {
    assertThat(NearestName.distance("replicas", "replicas")).isZero();
    assertThat(NearestName.distance("replica", "replicas")).isEqualTo(1);
    assertThat(NearestName.distance("relpicas", "replicas")).isEqualTo(1);
    assertThat(NearestName.distance("", "abc")).isEqualTo(3);
    assertThat(NearestName.distance("kitten", "sitting")).isEqualTo(3);
  }

  @Test
  void namesTheNearestOrElseAll() {
    List<String> known = List.of("rows", "sort");
    assertThat(NearestName.hint("ROWS", known)).isEqualTo("; did you mean 'rows'?");
    assertThat(NearestName.hint("rwos", known)).isEqualTo("; did you mean 'rows'?");
    assertThat(NearestName.hint("highlighting", known)).isEqualTo("; known are rows, sort");
  }
}
