package io.uniserve.simulation.scenario.cluster.store;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.ATOMIC_UPDATES;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;

import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.SeedSearch;
import io.uniserve.simulation.scenario.cluster.ClusterScenario;
import io.uniserve.simulation.scenario.cluster.RotsUnnoticed;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.search.Simulation;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that restores during a run show that damage of the durable store goes unnoticed. */
@Execution(ExecutionMode.CONCURRENT)
class RotDefectsTest {
  private static final int CONTROLS = 3;

  record Defect(String name, StoreDefect store) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "stored updates are read with a flipped bit during a run",
            (store, environment) -> new RotsUnnoticed(store)),
        new Defect(
            "nobody notices that the record of where a primary continued from is lost",
            (store, environment) -> new LostEpochs.Unnoticed(store)));
  }

  private static ClusterScenario scenario(String name, StoreDefect store) {
    return new ClusterScenario(name, new Interception() {}, store, ClusterShape::ofRot);
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    SeedSearch.assertSomeSeedNotices(
        defect.name(),
        EnumSet.of(ACKNOWLEDGED_SURVIVES, SAME_ORDER_ON_COPIES, ATOMIC_UPDATES),
        () -> scenario(defect.name(), defect.store()));
  }

  @Test
  void aLostRecordThatIsNoticedHarmsNothing() {
    for (int seed = 0; seed < CONTROLS; seed++) {
      Simulation.play(scenario("lost record", (store, environment) -> new LostEpochs(store)), seed);
    }
  }
}
