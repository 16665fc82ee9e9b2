package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.api.Actor;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.Batch;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The checks that ordered updates have the same effect on every copy, whatever happened to it in
 * between (RB §5).
 */
public interface OrderChecks<A extends Actor> extends EngineUnderTest<A> {

  @Test
  @DisplayName(
      "what ordered updates have done is seen at once, and is the same on copies that were opened again")
  default void orderedUpdatesAreTheSameOnCopies(@TempDir Path directory) throws IOException {
    assumeOrdered();
    try (Trial<A> trial = Trial.ordered(this, directory)) {
      LocalTable<A> primary = trial.emptyTable();
      LocalTable<A> copy = trial.emptyTable();
      for (Batch batch : batches()) {
        primary.order(batch);
        copy.order(batch);
        copy = trial.copy(copy);

        assertThat(trial.answers(copy)).as("answers").isEqualTo(trial.answers(primary));
      }
      trial.assertFilled(primary);
    }
  }

  @Test
  @DisplayName("what one copy refuses, every copy refuses, and none changes")
  default void orderedRefusalsAreTheSameOnCopies(@TempDir Path directory) throws IOException {
    assumeOrdered();
    assumeTrue(refused().isPresent(), "the engine refuses no update");
    try (Trial<A> trial = Trial.ordered(this, directory)) {
      LocalTable<A> primary = trial.emptyTable();
      batches().forEach(primary::order);
      LocalTable<A> copy = trial.copy(primary);

      assertThat(refusal(copy)).as("why a copy refuses").isEqualTo(refusal(primary));
      assertThat(trial.answers(copy)).as("answers").isEqualTo(trial.answers(primary));
      trial.assertFilled(primary);
    }
  }

  /** Returns the code of a refusal. A retryable refusal would keep every later update waiting. */
  private ErrorCode refusal(LocalTable<A> table) {
    UniserveException refusal =
        catchThrowableOfType(UniserveException.class, () -> table.order(refused().orElseThrow()));
    assertThat(refusal).as("a refusal").isNotNull();
    assertThat(refusal.retryable()).as("%s is safe to be tried again", refusal).isFalse();
    return refusal.code();
  }

  private void assumeOrdered() {
    assumeTrue(
        batches().stream()
            .allMatch(batch -> batch.update() instanceof UpdateFunction.Ordered<?, ?>),
        "the engine's updates cannot be ordered");
  }
}
