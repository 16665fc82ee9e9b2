package io.uniserve.engines.warehouse.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.testkit.fuzz.FuzzRun;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statements that nobody thought of give on several actors what one DuckDB gives. */
class SqlFuzzTest {
  /** The most statements of a hundred that the planner may refuse. */
  private static final int REFUSED_PERCENT_MAX = 10;

  /** The most statements of a hundred that DuckDB may refuse, which show nothing. */
  private static final int UNJUDGED_PERCENT_MAX = 5;

  /** Fewer say nothing about shares, as where one case is run again. */
  private static final int STATEMENTS_MIN = 500;

  /** The number of cases, of 40 statements each. */
  private static final int CASES = 48;

  @TempDir static Path directory;
  private static World world;

  @BeforeAll
  static void open() throws Exception {
    world = new World(directory, 1, 2, 5);
  }

  @AfterAll
  static void close() throws Exception {
    world.close();
  }

  @Test
  void statementsGiveWhatOneDatabaseGives() {
    Map<Verdict, Integer> counts = Trial.newCounts();
    FuzzRun.ofCases("sql", CASES)
        .run(
            random -> {
              Optional<Finding> finding =
                  new Trial(world, random, counts, (sql, right, given) -> {}).run();
              if (finding.isPresent()) {
                throw new AssertionError(finding.get().shrunk(world).told(world));
              }
            });
    int all = counts.values().stream().mapToInt(count -> count).sum();
    System.out.println("SQL statements: " + counts);
    if (all >= STATEMENTS_MIN) {
      assertThat(100 * counts.getOrDefault(Verdict.REFUSED, 0) / all)
          .as("percent of %s refused", counts)
          .isLessThanOrEqualTo(REFUSED_PERCENT_MAX);
      assertThat(100 * counts.getOrDefault(Verdict.UNJUDGED, 0) / all)
          .as("percent of %s unjudged", counts)
          .isLessThanOrEqualTo(UNJUDGED_PERCENT_MAX);
    }
  }
}
