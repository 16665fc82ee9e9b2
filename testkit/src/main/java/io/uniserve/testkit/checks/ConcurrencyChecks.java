package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Actor;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Readers;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The checks of operators that run at any time, on several threads, also during updates and
 * serialise.
 */
public interface ConcurrencyChecks<A extends Actor> extends EngineUnderTest<A> {
  /** The number of times that the batches are applied to a new table while readers run. */
  int ROUNDS = 5;

  @Test
  @DisplayName("queries during updates and serialize do not fail, nor see half a batch")
  default void queriesRunDuringUpdates(@TempDir Path directory) throws Exception {
    try (Trial<A> trial = Trial.of(this, directory)) {
      Map<String, Set<Object>> allowed = allowedAnswers(trial);
      for (int round = 0; round < ROUNDS; round++) {
        LocalTable<A> table = trial.emptyTable();
        Readers readers = Readers.start(table, questions());
        try {
          updateAndSerialize(trial, table, readers);
        } finally {
          readers.stop();
        }
        assertThat(readers.failures()).as("failures of queries during updates").isEmpty();
        if (batchesAppearAtOnce()) {
          allowed.forEach(
              (question, answers) ->
                  assertThat(answers).as(question).containsAll(readers.answersTo(question)));
        }
        trial.assertFilled(table);
      }
    }
  }

  private void updateAndSerialize(Trial<A> trial, LocalTable<A> table, Readers readers)
      throws IOException, InterruptedException {
    for (int batch = 0; batch < trial.batchCount(); batch++) {
      readers.awaitAnswer();
      trial.apply(table, batch, batch + 1);
      trial.serialize(table);
    }
    readers.awaitAnswer();
  }

  /** Returns the answers of each question after no batch, after one, and so on. */
  private Map<String, Set<Object>> allowedAnswers(Trial<A> trial) throws IOException {
    Map<String, Set<Object>> allowed = new LinkedHashMap<>();
    LocalTable<A> table = trial.emptyTable();
    List<Map<String, Object>> states = new ArrayList<>(List.of(trial.answers(table)));
    for (int batch = 0; batch < trial.batchCount(); batch++) {
      trial.apply(table, batch, batch + 1);
      states.add(trial.answers(table));
    }
    for (Map<String, Object> state : states) {
      state.forEach(
          (question, answer) ->
              allowed.computeIfAbsent(question, name -> new LinkedHashSet<>()).add(answer));
    }
    return allowed;
  }
}
