package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.api.Actor;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks that the two parts of a split actor answer and continue as the one would have. */
public interface SplitChecks<A extends Actor> extends EngineUnderTest<A> {

  @Test
  @DisplayName("the parts of an actor together answer as the whole, after each batch")
  default void partsAnswerAsTheWhole(@TempDir Path directory) throws IOException {
    assumeTrue(engine().splits(), "the engine's actors cannot be split");
    try (Trial<A> trial = Trial.of(this, directory)) {
      for (int batch = 0; batch <= trial.batchCount(); batch++) {
        LocalTable<A> whole = trial.tableAfter(batch);
        LocalTable<A> parts = trial.split(whole);
        assertThat(trial.answers(parts)).as("answers of parts").isEqualTo(trial.answers(whole));
        assertThat(trial.answers(trial.reopen(parts)))
            .as("answers of deserialised parts")
            .isEqualTo(trial.answers(whole));
        trial.apply(parts, batch, trial.batchCount());
        trial.assertFilled(parts);
      }
    }
  }

  @Test
  @DisplayName("the parts of an actor that are merged answer as the whole, after each batch")
  default void whatIsMergedAnswersAsTheWhole(@TempDir Path directory) throws IOException {
    assumeTrue(engine().splits() && engine().merges(), "the engine's actors cannot be merged");
    try (Trial<A> trial = Trial.of(this, directory)) {
      for (int batch = 0; batch <= trial.batchCount(); batch++) {
        LocalTable<A> whole = trial.tableAfter(batch);
        LocalTable<A> parts = trial.split(whole);
        LocalTable<A> merged = trial.merge(parts);
        assertThat(trial.answers(merged)).as("answers once merged").isEqualTo(trial.answers(whole));
        assertThat(trial.answers(parts)).as("answers of parts").isEqualTo(trial.answers(whole));
        assertThat(trial.answers(trial.copy(merged)))
            .as("answers of what was merged and serialised")
            .isEqualTo(trial.answers(whole));
        trial.apply(merged, batch, trial.batchCount());
        trial.assertFilled(merged);
      }
    }
  }

  @Test
  @DisplayName("what an actor retains it has already once it has retained it")
  default void retainingTwiceChangesNothing(@TempDir Path directory) throws IOException {
    assumeTrue(engine().splits(), "the engine's actors cannot be split");
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> parts = trial.split(trial.filledTable());
      parts.retain();
      trial.assertFilled(parts);
    }
  }

  @Test
  @DisplayName("the middle of an actor's keys leaves some records on either side")
  default void theMiddleHasTwoSides(@TempDir Path directory) throws IOException {
    assumeTrue(engine().splits(), "the engine's actors cannot be split");
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> table = trial.filledTable();
      table
          .actor(0)
          .middle()
          .ifPresent(
              middle -> {
                LocalTable<A> below = trial.copy(table);
                below.actor(0).retain(key -> key.compareTo(middle) < 0);
                assertThat(below.actor(0).middle()).isNotEqualTo(table.actor(0).middle());
              });
    }
  }
}
