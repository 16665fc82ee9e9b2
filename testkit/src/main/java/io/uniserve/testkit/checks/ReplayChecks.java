package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Actor;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks that copies of an actor stay equal if each applies the same updates (DPA §4.2). */
public interface ReplayChecks<A extends Actor> extends EngineUnderTest<A> {

  @Test
  @DisplayName("copies that apply the same updates answer equally after each")
  default void copiesStayEqual(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> primary = trial.emptyTable();
      LocalTable<A> copy = trial.emptyTable();
      for (int batch = 0; batch < trial.batchCount(); batch++) {
        trial.apply(primary, batch, batch + 1);
        trial.apply(copy, batch, batch + 1);

        assertThat(trial.answers(copy))
            .as("answers after batch %d", batch)
            .isEqualTo(trial.answers(primary));
      }
    }
  }

  @Test
  @DisplayName("a checkpoint and the updates after it give what all updates give")
  default void updatesAfterACheckpointAreAppliedAgain(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      Map<String, Object> expected = trial.answers(trial.filledTable());
      for (int batch = 0; batch <= trial.batchCount(); batch++) {
        LocalTable<A> opened = trial.deserialize(trial.serialize(trial.tableAfter(batch)));
        trial.apply(opened, batch, trial.batchCount());

        assertThat(trial.answers(opened))
            .as("answers with a checkpoint after %d batches", batch)
            .isEqualTo(expected);
      }
    }
  }
}
