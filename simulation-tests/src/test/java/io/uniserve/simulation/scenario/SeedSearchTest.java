package io.uniserve.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.MessageCodec;
import io.uniserve.simulation.RunSettings;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.run.Run;
import io.uniserve.simulation.run.Scenario;
import io.uniserve.simulation.scenario.cluster.ClusterScenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SeedSearchTest {
  private final List<Long> played = new ArrayList<>();

  /**
   * The number of steps after which a seed breaks an invariant. Seeds without such an entry break
   * none.
   */
  private record Breaks(int steps, Invariant invariant) {}

  private SeedSearch search(Map<Long, Breaks> breaks) {
    return new SeedSearch(EnumSet.of(Invariant.EXACT_ANSWER), () -> new Breaking(breaks, played));
  }

  private static Breaks after(int steps) {
    return new Breaks(steps, Invariant.EXACT_ANSWER);
  }

  @Test
  void theLikelySeedIsTriedFirstAndAlone() {
    SeedSearch search = search(Map.of(3L, after(10), 900L, after(10)));
    assertThat(search.first(OptionalLong.of(900))).hasValue(900);
    assertThat(played).containsExactly(900L);
  }

  @Test
  void whereTheLikelySeedDoesNotNoticeTheFirstThatDoesIsFound() {
    SeedSearch search = search(Map.of(1L, new Breaks(10, Invariant.PROGRESS), 3L, after(10)));
    assertThat(search.first(OptionalLong.of(900))).hasValue(3);
    assertThat(played).containsExactly(900L, 0L, 1L, 2L, 3L);
    assertThat(search.first(OptionalLong.empty())).hasValue(3);
  }

  @Test
  void theSoonestNoticesAfterTheFewestSteps() {
    Breaks other = new Breaks(10, Invariant.PROGRESS);
    assertThat(search(Map.of(0L, other, 1L, after(900), 4L, after(300), 7L, after(600))).soonest(9))
        .hasValue(4);
    // Many more steps than the search tries first.
    assertThat(search(Map.of(0L, other, 2L, after(190_000), 5L, after(110_000))).soonest(9))
        .hasValue(5);
    assertThat(search(Map.of(0L, other, 9L, after(10))).soonest(9)).isEmpty();
  }

  /** A scenario whose runs only count steps and break an invariant after the given number. */
  private record Breaking(Map<Long, Breaks> breaks, List<Long> played) implements Scenario {
    @Override
    public String name() {
      return "breaking";
    }

    @Override
    public MessageCodec codec() {
      return new ClusterScenario().codec();
    }

    @Override
    public Run plan(Seed seed) {
      return new Run(name(), seed.value(), RunSettings.NONE, List.of());
    }

    @Override
    public List<String> processes(Run run) {
      return List.of();
    }

    @Override
    public void play(SimulatedCluster cluster, Run run) {
      played.add(run.seed());
      Breaks breaking = breaks.get(run.seed());
      if (breaking != null) {
        for (int i = 0; i < breaking.steps(); i++) {
          cluster.scheduler().at(i, () -> {});
        }
        cluster.run(Duration.ofSeconds(1));
        breaking.invariant().require(false, () -> "as planned");
      }
    }
  }
}
