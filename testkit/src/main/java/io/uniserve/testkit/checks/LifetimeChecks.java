package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Actor;
import io.uniserve.api.Usage;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.FileTree;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks that an actor reports the space that it occupies, and frees it. */
public interface LifetimeChecks<A extends Actor> extends EngineUnderTest<A> {
  /** The number of calls of usage. */
  int USAGE_CALLS = 1_000;

  /**
   * The time limit of these calls: a millisecond each, of which a sound engine uses a small part.
   */
  Duration USAGE_TIMEOUT = Duration.ofSeconds(1);

  @Test
  @DisplayName("usage is never negative, and something once there is data")
  default void usageIsSane(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> table = trial.emptyTable();
      requireNotNegative(table.usage());
      for (int batch = 0; batch < trial.batchCount(); batch++) {
        trial.apply(table, batch, batch + 1);
        requireNotNegative(table.usage());
      }
      Usage filled = table.usage();
      assertThat(filled.memoryBytes() + filled.diskBytes()).as("%s", filled).isPositive();
    }
  }

  private static void requireNotNegative(Usage usage) {
    assertThat(usage.memoryBytes()).as("memoryBytes").isNotNegative();
    assertThat(usage.diskBytes()).as("diskBytes").isNotNegative();
  }

  @Test
  @DisplayName("usage is cheap: it is asked for often")
  default void usageIsCheap(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> table = trial.filledTable();

      long before = System.nanoTime();
      askUsage(table);
      assertThat(Duration.ofNanos(System.nanoTime() - before))
          .as("time of %d calls of usage()", USAGE_CALLS)
          .isLessThan(USAGE_TIMEOUT);
    }
  }

  private static void askUsage(LocalTable<?> table) {
    for (int call = 0; call < USAGE_CALLS; call++) {
      table.usage();
    }
  }

  @Test
  @DisplayName("close releases every file, and the directory can be deleted")
  default void closeReleasesFiles(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> original = trial.filledTable();
      trial.answers(original);
      LocalTable<A> opened = trial.deserialize(trial.serialize(original));
      trial.answers(opened);

      original.close();
      opened.close();

      assertThat(OpenFiles.below(directory)).as("files still open after close").isEmpty();
      Path files = trial.newDirectory();
      LocalTable<A> last = trial.emptyTable(files);
      trial.apply(last, 0, trial.batchCount());
      last.close();
      new FileTree(files).delete();
      assertThat(files).doesNotExist();
    }
  }
}
