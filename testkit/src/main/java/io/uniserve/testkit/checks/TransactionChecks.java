package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.api.Actor;
import io.uniserve.api.UpdateFunction;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.LocalTable;
import io.uniserve.testkit.local.LocalTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The checks of updates with prepare, commit and abort, and of point-in-time readers (DPA §4.2).
 */
public interface TransactionChecks<A extends Actor> extends EngineUnderTest<A> {

  @Test
  @DisplayName("what is prepared is seen after commit, and not before")
  default void preparedIsSeenAfterCommit(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> expected = trial.emptyTable();
      LocalTable<A> table = trial.emptyTable();
      for (int batch = 0; batch < trial.batchCount(); batch++) {
        assumeTransactional(batch);
        Map<String, Object> before = trial.answers(table);
        LocalTransaction transaction = table.prepare(batches().get(batch));
        assertThat(trial.answers(table)).as("answers while prepared").isEqualTo(before);
        transaction.commit();
        trial.apply(expected, batch, batch + 1);
        assertThat(trial.answers(table))
            .as("answers after commit")
            .isEqualTo(trial.answers(expected));
      }
    }
  }

  @Test
  @DisplayName("what is aborted leaves nothing behind")
  default void abortLeavesNothingBehind(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      for (int batch = 0; batch < trial.batchCount(); batch++) {
        assumeTransactional(batch);
        LocalTable<A> table = trial.tableAfter(batch);
        Map<String, Object> before = trial.answers(table);
        table.prepare(batches().get(batch)).abort();
        assertThat(trial.answers(table)).as("answers after abort").isEqualTo(before);
        assertThat(trial.answers(trial.deserialize(trial.serialize(table)))).isEqualTo(before);
        table.prepare(batches().get(batch)).commit();
        trial.apply(table, batch + 1, trial.batchCount());
        trial.assertFilled(table);
      }
    }
  }

  @Test
  @DisplayName("updates that are prepared together come to the same as one after the other")
  default void preparedTogetherIsAsOneAfterTheOther(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> expected = trial.emptyTable();
      LocalTable<A> table = trial.emptyTable();
      Map<String, Object> before = trial.answers(table);
      List<List<Object>> answers = new ArrayList<>();
      LocalTransaction transaction = new LocalTransaction();
      for (int batch = 0; batch < trial.batchCount(); batch++) {
        assumePreparesTogether(batch);
        answers.add(table.prepare(batches().get(batch), transaction).answers());
        assertThat(trial.answers(table)).as("answers while prepared").isEqualTo(before);
      }
      transaction.commit();
      for (int batch = 0; batch < trial.batchCount(); batch++) {
        LocalTransaction alone = expected.prepare(batches().get(batch));
        alone.commit();
        assertThat(answers.get(batch)).as("answer of update " + batch).isEqualTo(alone.answers());
      }
      assertThat(trial.answers(table)).isEqualTo(trial.answers(expected));
    }
  }

  @Test
  @DisplayName("updates that were prepared together leave nothing behind if they are aborted")
  default void abortOfSeveralLeavesNothingBehind(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> table = trial.emptyTable();
      Map<String, Object> before = trial.answers(table);
      LocalTransaction transaction = new LocalTransaction();
      for (int batch = 0; batch < trial.batchCount(); batch++) {
        assumePreparesTogether(batch);
        table.prepare(batches().get(batch), transaction);
      }
      transaction.abort();
      assertThat(trial.answers(table)).as("answers after abort").isEqualTo(before);
      trial.apply(table, 0, trial.batchCount());
      trial.assertFilled(table);
    }
  }

  @Test
  @DisplayName("a snapshot stays as it was, whatever happens to the actor")
  default void snapshotsStayAsTheyWere(@TempDir Path directory) throws IOException {
    assumeTrue(engine().takesSnapshots(), "the engine takes no snapshots");
    try (Trial<A> trial = Trial.of(this, directory)) {
      for (int batch = 0; batch < trial.batchCount(); batch++) {
        assumeTransactional(batch);
        LocalTable<A> table = trial.emptyTable();
        for (int earlier = 0; earlier < batch; earlier++) {
          table.prepare(batches().get(earlier)).commit();
        }
        Map<String, Object> before = trial.answers(table);
        try (LocalTable<A> snapshot = table.snapshot()) {
          assertThat(trial.answers(snapshot)).as("answers of the snapshot").isEqualTo(before);
          table.prepare(batches().get(batch)).commit();
          assertThat(trial.answers(snapshot)).as("answers after a commit").isEqualTo(before);
        }
      }
    }
  }

  private void assumePreparesTogether(int batch) {
    assumeTrue(
        batches().get(batch).update() instanceof UpdateFunction.Serializable<?, ?> function
            && engine().preparesTogether(function),
        "the engine prepares one update at a time");
  }

  private void assumeTransactional(int batch) {
    assumeTrue(
        batches().get(batch).update() instanceof UpdateFunction.Serializable<?, ?>,
        "the engine's updates have no prepare");
  }
}
