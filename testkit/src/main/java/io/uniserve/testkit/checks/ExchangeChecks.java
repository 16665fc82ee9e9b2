package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.uniserve.api.Actor;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Question;
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

/**
 * The checks that the answers of maps, scatters and gathers do not depend on the number of actors,
 * the order of chunks, or repeated tasks.
 */
public interface ExchangeChecks<A extends Actor> extends EngineUnderTest<A> {

  @ParameterizedTest(name = "{0} actors")
  @ValueSource(ints = {1, 3, 7})
  @DisplayName("plans that exchange data know their answers on any number of actors")
  default void exchangesAnswerOnAnyNumberOfActors(int actors, @TempDir Path directory)
      throws IOException {
    assumeFalse(exchanges().isEmpty());
    try (Trial<A> trial = Trial.of(this, directory, actors)) {
      check(trial.emptyTable(), trial.filledTable(), false);
    }
  }

  @ParameterizedTest(name = "{0} actors")
  @ValueSource(ints = {1, 4})
  @DisplayName("plans that exchange data answer the same though every task is run twice")
  default void exchangesMayBeRepeated(int actors, @TempDir Path directory) throws IOException {
    assumeFalse(exchanges().isEmpty());
    try (Trial<A> trial = Trial.of(this, directory, actors)) {
      Map<String, Object> before = trial.answers(trial.filledTable());
      LocalTable<A> filled = trial.filledTable();
      check(trial.emptyTable(), filled, true);
      assertThat(trial.answers(filled)).as("answers after exchanges").isEqualTo(before);
    }
  }

  private void check(LocalTable<A> empty, LocalTable<A> filled, boolean repeated) {
    for (Question<?> question : exchanges()) {
      question.whenEmpty().ifPresent(known -> check(question, "empty", empty, known, repeated));
      question.whenFilled().ifPresent(known -> check(question, "filled", filled, known, repeated));
    }
  }

  private void check(
      Question<?> question, String state, LocalTable<A> table, Object known, boolean repeated) {
    LocalPlans plans = repeated ? LocalPlans.repeating(table) : LocalPlans.on(table);
    assertThat((Object) plans.run(question.plan()))
        .as("%s, of an %s table", question.name(), state)
        .isEqualTo(known);
  }
}
