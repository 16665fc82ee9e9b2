package io.uniserve.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.TableDefinition;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.node.text.Style;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class DemoTest {
  /** The pause that keeps queries from occupying all processors. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  @TempDir private Path directory;

  @Test
  void everythingShownIsRight() {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    EmbeddedSettings settings =
        new EmbeddedSettings(directory, 4, Plugins.load().engines(), Optional.empty());
    try (EmbeddedCluster cluster = EmbeddedCluster.start(settings);
        PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8)) {
      AtomicBoolean ended = new AtomicBoolean();
      CompletableFuture<Long> duringLoad =
          CompletableFuture.supplyAsync(() -> countWhileLoading(cluster.client(), ended));
      Demo demo = new Demo(cluster, 8080, out, new Style(false));
      List<String> problems = demo.run();
      demo.sayFarewell();
      ended.set(true);
      assertThat(problems).as(shown.toString(StandardCharsets.UTF_8)).isEmpty();
      assertThat(duringLoad.join())
          .as("counts of some of the films, before all are loaded")
          .isPositive();
    }
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("36,273 films")
        .contains("8 copies made on the other servers")
        .contains("none failed")
        .contains("pysolr.Solr('http://localhost:8080/solr/movies')")
        .doesNotContain("WRONG");
  }

  /**
   * Counts during a bulk load, which delays no query beyond its ordinary deadline; loaded films are
   * found before the load ends.
   */
  private static long countWhileLoading(UniserveClient client, AtomicBoolean ended) {
    long some = 0;
    long found = 0;
    while (found < Movies.COUNT && !ended.get()) {
      if (client.state().table(MoviesTable.NAME).isPresent()) {
        found = count(client);
        some += found > 0 && found < Movies.COUNT ? 1 : 0;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return some;
  }

  private static long count(UniserveClient client) {
    TableDefinition movies = client.table(MoviesTable.NAME).orElseThrow().definition();
    Map<?, ?> answer =
        (Map<?, ?>)
            client.query(
                client.planner(movies).plan(movies, "*:*", Map.of("rows", "0")),
                QueryOptions.DEFAULT);
    return (Long) answer.get("total");
  }
}
