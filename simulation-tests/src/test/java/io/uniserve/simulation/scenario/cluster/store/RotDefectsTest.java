package io.uniserve.simulation.scenario.cluster.store;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;

import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.SeedSearch;
import io.uniserve.simulation.scenario.cluster.ClusterScenario;
import io.uniserve.simulation.scenario.cluster.RotsUnnoticed;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** If damage of stored updates goes unnoticed, restores during a run show it. */
@Execution(ExecutionMode.CONCURRENT)
class RotDefectsTest {
  private static final String DEFECT = "stored updates are read with a flipped bit during a run";

  @Test
  void someSeedNotices() {
    SeedSearch.assertSomeSeedNotices(
        DEFECT,
        EnumSet.of(ACKNOWLEDGED_SURVIVES, SAME_ORDER_ON_COPIES),
        () ->
            new ClusterScenario(
                DEFECT,
                new Interception() {},
                (store, environment) -> new RotsUnnoticed(store),
                ClusterShape::ofRot));
  }
}
