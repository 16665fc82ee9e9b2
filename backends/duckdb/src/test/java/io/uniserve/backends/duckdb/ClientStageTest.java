package io.uniserve.backends.duckdb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.arrow.ArrowSink;
import io.uniserve.sql.backend.LastStage;
import io.uniserve.sql.planner.DistributedQuery.Column;
import java.time.Duration;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements that would take for ever, and are not wanted any more. */
@Timeout(60)
class ClientStageTest {
  private static final LastStage LONG =
      new LastStage(
          "SELECT count(*) AS c0 FROM range(1000000) a, range(1000000) b, range(1000) c"
              + " WHERE a.range * b.range % 7 = c.range",
          List.of(), List.of(new Column("n", 0)), false);

  @Test
  void oneThatIsCancelledBeforeItBeginsEnds() {
    ArrowSink nobody =
        new ArrowSink() {
          @Override
          public void rows(VectorSchemaRoot rows) {
            throw new AssertionError("there are no rows yet");
          }

          @Override
          public void whenCancelled(Runnable task) {
            task.run();
          }
        };
    assertThatThrownBy(() -> ClientStage.stream(LONG, nobody))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("nterrupt");
  }

  @Test
  void oneWhoseThreadIsInterruptedEnds() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> ClientStage.answer(LONG, Duration.ofMinutes(10)))
          .isInstanceOf(UniserveException.class)
          .hasMessageContaining("nterrupt");
    } finally {
      Thread.interrupted();
    }
  }
}
