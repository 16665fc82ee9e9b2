package io.uniserve.simulation.search;

import io.uniserve.simulation.run.Scenario;
import io.uniserve.simulation.scenario.cluster.ClusterScenario;
import io.uniserve.simulation.scenario.controllers.ControllersScenario;
import io.uniserve.simulation.scenario.copies.CopiesScenario;
import io.uniserve.simulation.scenario.ledger.LedgerSafety;
import io.uniserve.simulation.scenario.ledger.LedgerScenario;
import io.uniserve.simulation.scenario.scale.ScaleScenario;
import java.util.List;

/** All scenarios. */
public final class Scenarios {
  private Scenarios() {}

  /** Returns every scenario, also those with a defect on purpose; the first is the default. */
  public static List<Scenario> all() {
    return List.of(
        new ClusterScenario(),
        new ControllersScenario(),
        ClusterScenario.ofTransactions(),
        ClusterScenario.ofOrdered(),
        ClusterScenario.ofPlacement(),
        ClusterScenario.ofSplits(),
        ClusterScenario.ofRing(),
        ClusterScenario.ofFailover(),
        ClusterScenario.ofLosses(),
        ClusterScenario.ofRot(),
        ClusterScenario.ofScans(),
        ClusterScenario.ofStreams(),
        new CopiesScenario(),
        new ScaleScenario(),
        new LedgerScenario(LedgerSafety.FORCED),
        new LedgerScenario(LedgerSafety.UNFORCED));
  }

  /** Returns the present name of a scenario, which is the given one unless it is a former name. */
  public static String present(String name) {
    return name.equals("routers") ? "controllers" : name;
  }

  /**
   * Returns the scenario of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Scenario named(String name) {
    return all().stream()
        .filter(scenario -> scenario.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no scenario '" + name + "'"));
  }
}
