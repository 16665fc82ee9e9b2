package io.uniserve.sql.stages;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.planner.DistributedQuery;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoomTest {
  private static final String WHY = "line 1, column 8: what nobody can cut";

  private static StagePlan.Room room(Optional<String> whyWhole) {
    return StagePlan.room(
        new DistributedQuery(List.of(), List.of(), false, Optional.empty(), whyWhole));
  }

  @Test
  void whatIsTooMuchForAWholeQuerySaysWhyItIsWhole() {
    assertThatThrownBy(() -> room(Optional.of(WHY)).require(StagePlan.GATHERED_BYTES_MAX + 1))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("more than " + StagePlan.GATHERED_BYTES_MAX + " bytes")
        .hasMessageEndingWith("it is computed whole where it was asked: " + WHY)
        .matches(e -> ((UniserveException) e).code() == ErrorCode.TOO_LARGE);
  }

  @Test
  void asMuchAsThereIsRoomForIsTaken() {
    assertThatCode(() -> room(Optional.empty()).require(StagePlan.GATHERED_BYTES_MAX))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> room(Optional.empty()).require(StagePlan.GATHERED_BYTES_MAX + 1))
        .hasMessageEndingWith("for this query");
  }
}
