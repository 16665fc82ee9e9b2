package io.uniserve.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.EmbeddedCluster;
import io.uniserve.node.EmbeddedSettings;
import io.uniserve.node.cluster.Plugins;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A bulk load delays no query beyond its ordinary deadline, and ends when all can be found. */
@Timeout(180)
class QueriesDuringLoadTest {
  @TempDir private Path directory;

  @Test
  void answersDuringALoadAndRightAfterIt() {
    EmbeddedSettings settings =
        new EmbeddedSettings(directory, 4, Plugins.load().engines(), Optional.empty());
    try (EmbeddedCluster cluster = EmbeddedCluster.start(settings)) {
      MoviesTable movies = MoviesTable.create(cluster.client());
      CompletableFuture<Void> loaded = CompletableFuture.runAsync(() -> movies.load(stored -> {}));
      long answers = 0;
      long before = 0;
      while (!loaded.isDone()) {
        before = found(movies);
        answers++;
      }
      loaded.join();
      assertThat(found(movies)).isEqualTo(Movies.COUNT);
      assertThat(answers).isPositive();
      assertThat(before).as("what was loaded is found before the load ends").isPositive();
    }
  }

  private static long found(MoviesTable movies) {
    return (Long) movies.query("*:*", Map.of("rows", "0")).get("total");
  }
}
