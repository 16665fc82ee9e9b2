package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.api.Actor;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.Batch;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The checks that updates which an actor takes together ({@link Actor#updateAll}) do what they do
 * one after the other, refused ones included.
 */
public interface TogetherChecks<A extends Actor> extends EngineUnderTest<A> {

  @Test
  @DisplayName("updates that are applied together do and answer what they do one by one")
  default void togetherAsOneByOne(@TempDir Path directory) throws IOException {
    assumeTogether(UpdateFunction.Eventual.class);
    try (Trial<A> trial = Trial.of(this, directory)) {
      checkTogether(trial);
    }
  }

  @Test
  @DisplayName("ordered updates that are applied together do and answer what they do one by one")
  default void orderedTogetherAsOneByOne(@TempDir Path directory) throws IOException {
    assumeTogether(UpdateFunction.Ordered.class);
    try (Trial<A> trial = Trial.ordered(this, directory)) {
      checkTogether(trial);
    }
  }

  private void assumeTogether(Class<?> level) {
    assumeTrue(
        batches().stream().allMatch(batch -> level.isInstance(batch.update())),
        "the engine's updates are not of this level");
  }

  /** Checks all ways to cut the batches in two, with refused ones between. */
  private void checkTogether(Trial<A> trial) throws IOException {
    List<Batch> all = withRefused();
    LocalTable<A> one = trial.emptyTable();
    List<Object> expected = new ArrayList<>();
    all.forEach(batch -> expected.add(oneByOne(one, batch)));
    Map<String, Object> answers = trial.answers(one);
    for (int cut = 0; cut < all.size(); cut++) {
      LocalTable<A> table = trial.emptyTable();
      List<Object> told = new ArrayList<>();
      if (cut > 0) {
        told.addAll(table.updateTogether(all.subList(0, cut)));
      }
      told.addAll(table.updateTogether(all.subList(cut, all.size())));
      assertThat(told).as("the outcomes of updates cut at %d", cut).isEqualTo(expected);
      assertThat(trial.answers(table)).as("answers, cut at %d", cut).isEqualTo(answers);
      assertThat(trial.answers(trial.copy(table))).as("answers of a copy").isEqualTo(answers);
    }
  }

  private List<Batch> withRefused() {
    List<Batch> all = new ArrayList<>();
    for (Batch batch : batches()) {
      all.add(batch);
      refused().ifPresent(all::add);
    }
    return all;
  }

  private Object oneByOne(LocalTable<A> table, Batch batch) {
    try {
      return table.update(batch);
    } catch (UniserveException e) {
      return e.code();
    }
  }
}
