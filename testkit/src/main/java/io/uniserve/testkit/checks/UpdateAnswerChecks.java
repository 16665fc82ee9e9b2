package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.api.Actor;
import io.uniserve.api.UpdateFunction;
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
 * The checks of what updates answer ({@link io.uniserve.api.Answer}): the same on every copy,
 * whatever happened to it, at every level, and no more than the function says.
 */
public interface UpdateAnswerChecks<A extends Actor> extends EngineUnderTest<A> {

  @Test
  @DisplayName("copies answer updates alike, also after they were opened again")
  default void copiesAnswerUpdatesAlike(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> primary = trial.emptyTable();
      LocalTable<A> copy = trial.emptyTable();
      for (Batch batch : batches()) {
        assertThat(copy.update(batch))
            .as("what %s answers", batch.update())
            .isEqualTo(primary.update(batch));
        copy = trial.copy(copy);
      }
    }
  }

  @Test
  @DisplayName("an update that is prepared answers what it answers when it is applied at once")
  default void preparedUpdatesAnswerAlike(@TempDir Path directory) throws IOException {
    assumeTrue(
        batches().stream()
            .allMatch(batch -> batch.update() instanceof UpdateFunction.Serializable<?, ?>),
        "the engine's updates have no prepare");
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> applied = trial.emptyTable();
      LocalTable<A> prepared = trial.emptyTable();
      for (Batch batch : batches()) {
        prepared.prepare(batch).abort();
        var transaction = prepared.prepare(batch);
        transaction.commit();
        assertThat(transaction.answers())
            .as("what %s answers", batch.update())
            .isEqualTo(applied.update(batch));
      }
    }
  }
}
