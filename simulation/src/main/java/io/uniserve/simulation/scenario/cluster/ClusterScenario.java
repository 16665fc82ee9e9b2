package io.uniserve.simulation.scenario.cluster;

import io.uniserve.kernel.MessageCodec;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.simulation.Scenario;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.fault.FaultSchedule;
import io.uniserve.simulation.fault.FaultSettings;
import io.uniserve.simulation.network.Interception;
import java.time.Duration;
import java.util.function.Function;

/**
 * One to five routers, four servers, two clients, one table; updates and queries without a pause
 * while everything fails that can. Then the faults stop, and everything must come to its end and be
 * whole.
 */
public final class ClusterScenario implements Scenario {
  private static final Duration STARTING_MAX = Duration.ofSeconds(30);

  /** Long enough for a first backup. */
  private static final Duration CALM = Duration.ofSeconds(3);

  private static final Duration FAULTS = Duration.ofSeconds(12);
  private static final Duration PROGRESS_MAX = Duration.ofSeconds(90);

  private final String name;
  private final Interception defect;
  private final StoreDefect storeDefect;
  private final Function<Seed, ClusterShape> shapes;

  /** The scenario with the system as it is. */
  public ClusterScenario() {
    this("cluster", new Interception() {}, ClusterShape::of);
  }

  /** The same over a table of transactions. */
  public static ClusterScenario ofTransactions() {
    return new ClusterScenario("transactions", new Interception() {}, ClusterShape::ofTransactions);
  }

  /** The same while a policy decides all the time that everything should be elsewhere. */
  public static ClusterScenario ofPlacement() {
    return new ClusterScenario("placement", new Interception() {}, ClusterShape::ofPlacement);
  }

  /**
   * @param name of the scenario
   * @param defect as good as a defect of the system: it changes what processes tell each other
   * @param shapes what the run of a seed is made of
   */
  ClusterScenario(String name, Interception defect, Function<Seed, ClusterShape> shapes) {
    this(name, defect, StoreDefect.NONE, shapes);
  }

  /**
   * @param storeDefect a durable store that does not do what it says
   */
  ClusterScenario(
      String name,
      Interception defect,
      StoreDefect storeDefect,
      Function<Seed, ClusterShape> shapes) {
    this.name = name;
    this.defect = defect;
    this.storeDefect = storeDefect;
    this.shapes = shapes;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public MessageCodec codec() {
    return new WireCodec(ClusterPrograms.unobservedEngines());
  }

  @Override
  public void play(SimulatedCluster cluster) {
    ClusterShape shape = shapes.apply(cluster.seed());
    cluster.scheduler().note("shape " + shape);
    ClusterRun run = new ClusterRun(cluster, shape, defect, storeDefect);
    run.start();
    cluster.runUntil("the table is made", run::tableMade, STARTING_MAX);
    run.beginWorkload();
    cluster.run(CALM);
    FaultSchedule faults = new FaultSchedule(cluster, faults(shape, run));
    faults.begin();
    run.storeFaults().begin();
    cluster.run(FAULTS);
    faults.stop();
    run.storeFaults().stop();
    run.stopWorkload();
    cluster.runUntil("every client's work is done", run::workDone, PROGRESS_MAX);
    cluster.runUntil("every server is used again", run::allUsed, PROGRESS_MAX);
    cluster.runUntil("every actor has all its copies", run::whole, PROGRESS_MAX);
    cluster.runUntil("no other table is left", run::tidy, PROGRESS_MAX);
    cluster.runUntil(
        "every copy has the same and nothing else is left", run::settled, PROGRESS_MAX);
    run.checkFinally();
    run.beginRestores();
    cluster.runUntil(
        "the table is restored as of several moments", run::restoresDone, PROGRESS_MAX);
    run.checkRestores();
  }

  private static FaultSettings faults(ClusterShape shape, ClusterRun run) {
    return new FaultSettings(
        shape.faults(), run.victims(), 2, Duration.ofSeconds(2), Duration.ofSeconds(4));
  }
}
