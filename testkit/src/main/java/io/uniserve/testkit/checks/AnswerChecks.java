package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Actor;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Question;
import io.uniserve.testkit.engine.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks that an actor's answers contain the applied updates and nothing else. */
public interface AnswerChecks<A extends Actor> extends EngineUnderTest<A> {

  @Test
  @DisplayName("create gives an empty actor")
  default void createGivesAnEmptyActor(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      Map<String, Object> answers = trial.answers(trial.emptyTable());

      for (Question<?> question : questions()) {
        question
            .whenEmpty()
            .ifPresent(
                known ->
                    assertThat(answers.get(question.name()))
                        .as("%s, of a new actor", question.name())
                        .isEqualTo(known));
      }
    }
  }

  @Test
  @DisplayName("queries see what updates applied")
  default void queriesSeeWhatUpdatesApplied(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      trial.assertFilled(trial.filledTable());
    }
  }

  @Test
  @DisplayName("the questions tell a filled table from a new one, and know the answers")
  default void theQuestionsTellTablesApart(@TempDir Path directory) throws IOException {
    assertThat(batches()).as("batches").isNotEmpty();
    assertThat(questions()).extracting(Question::name).as("names").doesNotHaveDuplicates();
    assertThat(questions())
        .as("questions that know what a filled table answers")
        .anyMatch(question -> question.whenFilled().isPresent());
    try (Trial<A> trial = Trial.of(this, directory)) {
      assertThat(trial.answers(trial.filledTable()))
          .as("answers of a filled table")
          .isNotEqualTo(trial.answers(trial.emptyTable()));
    }
  }
}
