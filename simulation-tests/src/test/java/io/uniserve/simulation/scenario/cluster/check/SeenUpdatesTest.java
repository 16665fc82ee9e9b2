package io.uniserve.simulation.scenario.cluster.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.kernel.InvariantViolation;
import io.uniserve.simulation.model.Operation;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests of the check that what answers have shown is not lost. */
class SeenUpdatesTest {
  private static final Operation ONE = new Operation(1, 1);
  private static final Operation TWO = new Operation(2, 2);

  private final SeenUpdates seen = new SeenUpdates(operation -> operation.equals(TWO));

  private static SortedMap<Integer, List<Operation>> journals(Operation... operations) {
    return new TreeMap<>(Map.of(0, List.of(operations)));
  }

  @Test
  void whatWasSeenIsNotLost() {
    seen.answered(journals(ONE));
    assertThatCode(() -> seen.check(journals(TWO, ONE))).doesNotThrowAnyException();
    assertThatThrownBy(() -> seen.check(journals(TWO)))
        .isInstanceOf(InvariantViolation.class)
        .hasMessageContaining("was seen");
  }

  @Test
  void anExcusedLossIsNone() {
    seen.answered(journals(TWO));
    assertThatCode(() -> seen.check(journals())).doesNotThrowAnyException();
  }

  @Test
  void laterAnswersMustShowWhatAPrimaryHasDecidedAlone() {
    seen.alone(List.of(ONE));
    seen.prepared(List.of(TWO));
    assertThat(seen.lasting()).isEmpty();
    seen.answered(journals(ONE, TWO));
    assertThat(seen.lasting()).containsExactly(ONE);
    seen.prepared(List.of(ONE));
    assertThat(seen.lasting()).as("it was sent as a transaction, too").isEmpty();
  }
}
