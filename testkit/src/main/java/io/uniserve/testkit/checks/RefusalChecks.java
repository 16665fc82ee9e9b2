package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.api.Actor;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.Batch;
import io.uniserve.testkit.local.LocalTable;
import io.uniserve.testkit.local.LocalTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks that an update is applied whole or not at all. */
public interface RefusalChecks<A extends Actor> extends EngineUnderTest<A> {

  @Test
  @DisplayName("a refused update leaves the actor as it was")
  default void aRefusedUpdateChangesNothing(@TempDir Path directory) throws IOException {
    assumeTrue(refused().isPresent(), "the engine refuses no update");
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> table = trial.filledTable();
      Map<String, Object> before = trial.answers(table);

      assertThatThrownBy(() -> table.update(refused().orElseThrow()))
          .isInstanceOf(UniserveException.class);

      assertThat(trial.answers(table)).as("answers").isEqualTo(before);
      assertThat(trial.answers(trial.deserialize(trial.serialize(table))))
          .as("answers of what is serialised afterwards")
          .isEqualTo(before);
    }
  }

  /**
   * Checks updates after a refused one. A change that an engine does not undo would be stored with
   * the next.
   */
  @Test
  @DisplayName("updates after a refused one are as if that had never come")
  default void updatesAfterARefusedOne(@TempDir Path directory) throws IOException {
    assumeTrue(refused().isPresent(), "the engine refuses no update");
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> table = trial.emptyTable();
      for (int batch = 0; batch < trial.batchCount(); batch++) {
        assertThatThrownBy(() -> table.update(refused().orElseThrow()))
            .isInstanceOf(UniserveException.class);
        trial.apply(table, batch, batch + 1);
      }
      trial.assertFilled(table);
      assertThat(trial.answers(trial.deserialize(trial.serialize(table))))
          .as("answers of what is serialised afterwards")
          .isEqualTo(trial.answers(table));
    }
  }

  /** Checks the same for prepared updates. */
  @Test
  @DisplayName("what is prepared after a refused update is as if that had never come")
  default void preparedAfterARefusedOne(@TempDir Path directory) throws IOException {
    assumeTrue(
        refused().isPresent()
            && refused().get().update() instanceof UpdateFunction.Serializable<?, ?>
            && batches().stream()
                .allMatch(batch -> batch.update() instanceof UpdateFunction.Serializable<?, ?>),
        "the engine refuses nothing that is prepared");
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> table = trial.emptyTable();
      for (Batch batch : batches()) {
        assertThatThrownBy(() -> table.prepare(refused().orElseThrow()))
            .isInstanceOf(UniserveException.class);
        table.prepare(batch).commit();
      }
      trial.assertFilled(table);
    }
  }

  /** Checks the same for updates that are prepared on top of others. */
  @Test
  @DisplayName("a refusal among updates that are prepared together leaves nothing behind")
  default void refusedOnTopOfOthers(@TempDir Path directory) throws IOException {
    assumeTrue(
        refused().isPresent()
            && Stream.concat(batches().stream(), refused().stream())
                .allMatch(
                    batch ->
                        batch.update() instanceof UpdateFunction.Serializable<?, ?> function
                            && engine().preparesTogether(function)),
        "the engine refuses nothing that is prepared together");
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> table = trial.emptyTable();
      Map<String, Object> before = trial.answers(table);
      for (Batch batch : batches()) {
        LocalTransaction transaction = table.prepare(batch);
        assertThatThrownBy(() -> table.prepare(refused().orElseThrow(), transaction))
            .isInstanceOf(UniserveException.class);
        transaction.abort();
        assertThat(trial.answers(table)).as("answers after abort").isEqualTo(before);
      }
      trial.apply(table, 0, trial.batchCount());
      trial.assertFilled(table);
    }
  }
}
