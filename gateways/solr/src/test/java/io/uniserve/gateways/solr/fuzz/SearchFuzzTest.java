package io.uniserve.gateways.solr.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.testkit.fuzz.FuzzRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of random requests on random documents against the right answers. */
class SearchFuzzTest {
  private static final int REQUESTS = 30;
  private static final int ACTORS_MAX = 5;

  @Test
  void answersAreRight(@TempDir Path directory) {
    long cases =
        new FuzzRun("search", Duration.ofSeconds(20)).run(random -> check(random, directory));
    assertThat(cases).isPositive();
  }

  private static void check(Random random, Path directory) throws IOException {
    Schema schema = Schema.random(random);
    List<Change> changes = new Changes(schema, random).any();
    int actors = 2 + random.nextInt(ACTORS_MAX - 1);
    Requests requests = new Requests(schema, random, Changes.untouched(changes));
    try (Trial trial = new Trial(schema, actors, changes, directory)) {
      for (int i = 0; i < REQUESTS; i++) {
        Request request = requests.any();
        Optional<String> failure = trial.failure(request, i % 3 == 0);
        if (failure.isPresent()) {
          Example example = new Example(schema, actors, changes, request, failure.get());
          throw new AssertionError(example.smallest(directory));
        }
      }
    }
  }
}
