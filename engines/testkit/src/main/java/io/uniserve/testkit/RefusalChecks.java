package io.uniserve.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.api.Actor;
import io.uniserve.api.UniserveException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An update is applied whole or not at all. */
interface RefusalChecks<A extends Actor> extends EngineUnderTest<A> {

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
}
