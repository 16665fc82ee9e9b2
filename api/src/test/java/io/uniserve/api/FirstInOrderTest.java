package io.uniserve.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class FirstInOrderTest {
  @Test
  void theFirstValuesOfAllActorsAreGivenInOrder() {
    Operator.Combiner<Integer, List<Integer>> merge =
        Operator.Combine.<Integer>firstInOrder(Comparator.naturalOrder(), 3).begin();
    List.of(4, 9, 11).forEach(value -> merge.add(1, value));
    List.of(2, 5, 8).forEach(value -> merge.add(0, value));
    assertThat(merge.result()).containsExactly(2, 4, 5);
  }

  @Test
  void equalValuesComeInTheOrderOfActorsAndOfEachActorWhicheverArrivesFirst() {
    Operator.Combine<String, List<String>> combine =
        Operator.Combine.firstInOrder(Comparator.comparing(text -> text.charAt(0)), 4);
    Operator.Combiner<String, List<String>> one = combine.begin();
    List.of("a0", "a1", "b0").forEach(value -> one.add(0, value));
    List.of("a2", "b1").forEach(value -> one.add(1, value));
    Operator.Combiner<String, List<String>> other = combine.begin();
    List.of("a2", "b1").forEach(value -> other.add(1, value));
    List.of("a0", "a1", "b0").forEach(value -> other.add(0, value));
    assertThat(one.result()).containsExactly("a0", "a1", "a2", "b0").isEqualTo(other.result());
  }

  @Test
  void noValuesAreNoAnswerAndALimitBelowNothingIsRefused() {
    assertThat(
            Operator.Combine.<Integer>firstInOrder(Comparator.naturalOrder(), 3).begin().result())
        .isEmpty();
    Operator.Combiner<Integer, List<Integer>> nothing =
        Operator.Combine.<Integer>firstInOrder(Comparator.naturalOrder(), 0).begin();
    nothing.add(0, 1);
    assertThat(nothing.result()).isEmpty();
    assertThatThrownBy(() -> Operator.Combine.<Integer>firstInOrder(Comparator.naturalOrder(), -1))
        .isInstanceOf(UniserveException.class)
        .hasMessage("the first -1 values");
  }
}
