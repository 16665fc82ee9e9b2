package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.api.Actor;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.LocalPlans;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checks that a table can begin with an actor that an operator made. */
public interface KeepChecks<A extends Actor> extends EngineUnderTest<A> {

  @ParameterizedTest(name = "{0} actors")
  @ValueSource(ints = {1, 3})
  @DisplayName("a table that is kept of a copy answers as the original, and is one of its own")
  default void whatIsKeptAnswersAsTheOriginal(int actors, @TempDir Path directory)
      throws IOException {
    assumeTrue(copying().isPresent());
    try (Trial<A> trial = Trial.of(this, directory, actors)) {
      LocalTable<A> original = trial.tableAfter(trial.batchCount() - 1);
      Map<String, Object> answers = trial.answers(original);
      Path kept;
      TableDefinition definition = original.definition().withName("kept");
      LocalPlans plans = LocalPlans.on(original);
      plans.run(
          new Plan.Keep(
              new Source.Mapped(Source.table(original.definition().name()), copying().get()),
              definition));
      try (LocalTable<?> table = plans.table("kept")) {
        kept = trial.serialize(table);
      }
      LocalTable<A> copy = trial.deserialize(kept);
      assertThat(trial.answers(copy)).as("answers of what was kept").isEqualTo(answers);
      trial.apply(copy, trial.batchCount() - 1, trial.batchCount());
      trial.assertFilled(copy);
      assertThat(trial.answers(original)).as("answers of the original").isEqualTo(answers);
    }
  }
}
