package io.uniserve.simulation.scenario.routers;

import io.uniserve.kernel.Environment;
import io.uniserve.kernel.MessageCodec;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.simulation.Scenario;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.fault.FaultSchedule;
import io.uniserve.simulation.fault.FaultSettings;
import io.uniserve.simulation.network.Interception;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Three or five routers, and four processes that submit without a pause. Committed records are
 * never lost, never differ from router to router, and stand for each request once; a lease that was
 * granted ends before its server is given up, whoever leads. Then the faults stop, and all routers
 * must be level.
 */
public final class RoutersScenario implements Scenario {
  private static final Duration STARTING_MAX = Duration.ofSeconds(30);
  private static final Duration FAULTS = Duration.ofSeconds(20);
  private static final Duration PROGRESS_MAX = Duration.ofSeconds(60);

  private final String name;
  private final Interception defect;
  private final UnaryOperator<Environment> machine;
  private final List<FaultKind> kinds;

  /** The scenario with the system as it is. */
  public RoutersScenario() {
    this("routers", new Interception() {}, UnaryOperator.identity(), List.of());
  }

  /**
   * @param name of the scenario
   * @param defect as good as a defect of the system: it changes what processes tell each other
   * @param machine what a router runs on; may break what it promises
   * @param kinds what goes wrong; none for what the seed chooses
   */
  RoutersScenario(
      String name, Interception defect, UnaryOperator<Environment> machine, List<FaultKind> kinds) {
    this.name = name;
    this.defect = defect;
    this.machine = machine;
    this.kinds = kinds;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public MessageCodec codec() {
    return new WireCodec(new Engines(List.of()));
  }

  @Override
  public void play(SimulatedCluster cluster) {
    RandomGenerator random = cluster.seed().random("shape");
    cluster.network().intercept(defect);
    RoutersRun run =
        new RoutersRun(
            cluster,
            random.nextBoolean() ? 3 : 5,
            random.nextLong(300, 6_000),
            random.nextInt(10, 300),
            machine);
    run.start();
    cluster.runUntil("a router decides", run::decided, STARTING_MAX);
    FaultSchedule schedule = new FaultSchedule(cluster, faults(cluster.seed(), run));
    schedule.begin();
    cluster.run(FAULTS);
    schedule.stop();
    run.stop();
    cluster.runUntil("every request has ended", run::finished, PROGRESS_MAX);
    cluster.runUntil("all routers are level", run::level, PROGRESS_MAX);
    run.checkFinally();
  }

  private FaultSettings faults(Seed seed, RoutersRun run) {
    return new FaultSettings(
        kinds.isEmpty() ? some(seed.random("kinds")) : kinds,
        run.routers(),
        2,
        Duration.ofSeconds(2),
        Duration.ofSeconds(4));
  }

  /** A few kinds often show more than all at once. */
  private static List<FaultKind> some(RandomGenerator random) {
    List<FaultKind> some = new ArrayList<>(List.of(FaultKind.CRASH));
    for (FaultKind kind : FaultKind.values()) {
      // A router without its disk is another router, and takes no part until it is added.
      if (kind != FaultKind.DISK_LOSS && random.nextBoolean()) {
        some.add(kind);
      }
    }
    return some;
  }
}
