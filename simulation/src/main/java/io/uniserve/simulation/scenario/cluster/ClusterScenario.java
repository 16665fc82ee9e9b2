package io.uniserve.simulation.scenario.cluster;

import io.uniserve.kernel.Environment;
import io.uniserve.kernel.MessageCodec;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.fault.Fault;
import io.uniserve.simulation.fault.FaultPlanner;
import io.uniserve.simulation.fault.FaultSchedule;
import io.uniserve.simulation.fault.FaultSettings;
import io.uniserve.simulation.fault.FaultsInTurn;
import io.uniserve.simulation.model.BatchDefect;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.run.Run;
import io.uniserve.simulation.run.Scenario;
import io.uniserve.simulation.scenario.cluster.store.StoreDefect;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.scenario.cluster.work.ErrorDefect;
import io.uniserve.simulation.scenario.cluster.work.Workload.SessionDefect;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * A scenario of one to five controllers, up to nineteen servers, up to five clients, and one table.
 * Updates and queries run without a pause while everything fails that can. Then the faults stop,
 * and everything must end and be whole.
 */
public final class ClusterScenario implements Scenario {
  private static final Duration STARTING_MAX = Duration.ofSeconds(30);

  /**
   * The time before the first fault. A run without faults notices few defects, and costs as much.
   */
  private static final Duration CALM = Duration.ofMillis(300);

  private static final int DOWN_MAX = 2;
  private static final Duration RESTORES_UNDER_FAULTS = Duration.ofSeconds(5);
  private static final Duration PROGRESS_MAX = Duration.ofSeconds(90);

  /** The time for all changes of a ring that wait when the faults stop, some of which may fail. */
  private static final Duration RING_PROGRESS_MAX = Duration.ofMinutes(5);

  private final String name;
  private final ClusterDefects defects;
  private final Function<Seed, ClusterShape> shapes;

  /** Creates the scenario with the system as it is. */
  public ClusterScenario() {
    this("cluster", new Interception() {}, ClusterShape::of);
  }

  /** Returns the same scenario over a table of transactions. */
  public static ClusterScenario ofTransactions() {
    return new ClusterScenario("transactions", new Interception() {}, ClusterShape::ofTransactions);
  }

  /** Returns the same scenario over a table of ordered updates. */
  public static ClusterScenario ofOrdered() {
    return new ClusterScenario("ordered", new Interception() {}, ClusterShape::ofOrdered);
  }

  /**
   * Returns the same scenario while a policy decides all the time that everything should be
   * elsewhere.
   */
  public static ClusterScenario ofPlacement() {
    return new ClusterScenario("placement", new Interception() {}, ClusterShape::ofPlacement);
  }

  /** Returns the same scenario while actors are split. */
  public static ClusterScenario ofSplits() {
    return new ClusterScenario("splits", new Interception() {}, ClusterShape::ofSplits);
  }

  /** Returns the same scenario over a table on a ring, which is changed all the time. */
  public static ClusterScenario ofRing() {
    return new ClusterScenario("ring", new Interception() {}, ClusterShape::ofRing);
  }

  /**
   * Returns the same scenario while processes fail one by one, which must not make any request
   * fail.
   */
  public static ClusterScenario ofFailover() {
    return new ClusterScenario("failover", new Interception() {}, ClusterShape::ofFailover);
  }

  /** Returns the same scenario while clients scan the table. */
  public static ClusterScenario ofScans() {
    return new ClusterScenario("scans", new Interception() {}, ClusterShape::ofScans);
  }

  /** Returns the same scenario while a topic is read into the table. */
  public static ClusterScenario ofStreams() {
    return new ClusterScenario("streams", new Interception() {}, ClusterShape::ofStreams);
  }

  /**
   * Returns the same scenario over a table of transactions or ordered updates whose disks are lost.
   */
  public static ClusterScenario ofLosses() {
    return new ClusterScenario("losses", new Interception() {}, ClusterShape::ofLosses);
  }

  /** Returns the same scenario while objects of the durable store are damaged. */
  public static ClusterScenario ofRot() {
    return new ClusterScenario("rot", new Interception() {}, ClusterShape::ofRot);
  }

  /**
   * @param name the name of the scenario
   * @param defect an intended defect: it changes messages between processes
   * @param shapes choose the shape of the run of a seed
   */
  public ClusterScenario(String name, Interception defect, Function<Seed, ClusterShape> shapes) {
    this(name, ClusterDefects.NONE.withMessages(defect), shapes);
  }

  /**
   * @param storeDefect an intended defect of the durable store
   */
  public ClusterScenario(
      String name,
      Interception defect,
      StoreDefect storeDefect,
      Function<Seed, ClusterShape> shapes) {
    this(name, ClusterDefects.NONE.withMessages(defect).withStore(storeDefect), shapes);
  }

  /**
   * @param batchDefect an intended defect of the engine
   */
  public ClusterScenario(
      String name, BatchDefect batchDefect, Function<Seed, ClusterShape> shapes) {
    this(name, ClusterDefects.NONE.withEngine(batchDefect), shapes);
  }

  /**
   * @param sessionDefect an intended defect of the sessions of clients
   */
  public ClusterScenario(
      String name, SessionDefect sessionDefect, Function<Seed, ClusterShape> shapes) {
    this(name, ClusterDefects.NONE.withSessions(sessionDefect), shapes);
  }

  /**
   * @param errorDefect an intended defect of the errors that callers are told
   */
  public ClusterScenario(
      String name, ErrorDefect errorDefect, Function<Seed, ClusterShape> shapes) {
    this(name, ClusterDefects.NONE.withErrors(errorDefect), shapes);
  }

  /**
   * Makes the scenario of servers whose machines have an intended defect.
   *
   * @param serverDefect changes the machine of a server
   * @param shapes choose the shape of the run of a seed
   */
  public static ClusterScenario onMachines(
      String name, UnaryOperator<Environment> serverDefect, Function<Seed, ClusterShape> shapes) {
    return new ClusterScenario(name, ClusterDefects.NONE.withMachines(serverDefect), shapes);
  }

  private ClusterScenario(
      String name, ClusterDefects defects, Function<Seed, ClusterShape> shapes) {
    this.name = name;
    this.defects = defects;
    this.shapes = shapes;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public MessageCodec codec() {
    return new WireCodec(ClusterPrograms.UNOBSERVED);
  }

  @Override
  public Run plan(Seed seed) {
    ClusterShape shape = shapes.apply(seed);
    return new Run(name, seed.value(), shape.settings(), faults(seed, shape));
  }

  private static List<Fault> faults(Seed seed, ClusterShape shape) {
    FaultSettings settings =
        new FaultSettings(
            shape.faults(),
            shape.victims(),
            shape.serverNames(),
            shape.badDisks(),
            DOWN_MAX,
            Duration.ofSeconds(2),
            Duration.ofSeconds(4));
    RandomGenerator random = seed.random("faults");
    long nanos = length(shape).toNanos();
    return switch (shape.work().pace()) {
      case AT_ONCE -> FaultPlanner.plan(settings, shape.processes(), random, nanos);
      case ONE_BY_ONE, APART -> FaultPlanner.planInTurn(settings, shape.processes(), random, nanos);
    };
  }

  @Override
  public List<String> processes(Run run) {
    return ClusterShape.of(run.settings()).processes();
  }

  private static Duration length(ClusterShape shape) {
    return Duration.ofMillis(shape.work().millis());
  }

  @Override
  public List<Run> smaller(Run run) {
    return ClusterShape.smaller(run.settings()).stream()
        .map(
            settings -> {
              ClusterShape shape = ClusterShape.of(settings);
              return run.withSettings(settings)
                  .withFaultsOf(shape.processes(), length(shape).toNanos());
            })
        .toList();
  }

  private static void playAtOnce(
      SimulatedCluster cluster, ClusterRun run, ClusterShape shape, List<Fault> planned) {
    FaultSchedule faults = new FaultSchedule(cluster, planned);
    faults.begin();
    if (shape.work().storeFaults() > 0) {
      run.storeFaults().begin();
    }
    if (shape.work().rot() > 0) {
      run.beginRot();
    }
    cluster.run(length(shape));
    faults.stop();
    run.storeFaults().stop();
  }

  @Override
  public void play(SimulatedCluster cluster, Run planned) {
    ClusterShape shape = ClusterShape.of(planned.settings());
    cluster.scheduler().note("shape " + shape);
    ClusterRun run = new ClusterRun(cluster, shape, defects);
    run.start();
    cluster.runUntil("the table is made", run::tableMade, STARTING_MAX);
    run.beginWorkload();
    cluster.run(CALM);
    switch (shape.work().pace()) {
      case AT_ONCE -> playAtOnce(cluster, run, shape, planned.faults());
      case ONE_BY_ONE, APART ->
          new FaultsInTurn(cluster, planned.faults()).play(run.mending()::redundant);
    }
    run.stopWorkload();
    cluster.runUntil("every client's work is done", run::workDone, PROGRESS_MAX);
    cluster.runUntil("every server is used again", run::allUsed, PROGRESS_MAX);
    cluster.runUntil("every actor has all its copies", run.mending()::whole, PROGRESS_MAX);
    cluster.runUntil("no other schema is under way", run::redefined, PROGRESS_MAX);
    cluster.runUntil("the ring is at rest", run::ringRests, RING_PROGRESS_MAX);
    cluster.runUntil("every record of the topic is stored", run::streamRead, PROGRESS_MAX);
    cluster.runUntil("no other table is left", run::tidy, PROGRESS_MAX);
    cluster.runUntil(
        "every copy has the same and nothing else is left", run::settled, PROGRESS_MAX);
    run.checkFinally();
    run.storeFaults().begin(RESTORES_UNDER_FAULTS);
    run.beginRestores();
    cluster.runUntil(
        "the table is restored as of several moments", run::restoresDone, PROGRESS_MAX);
    run.checkRestores();
    run.storeFaults().stop();
    if (shape.work().rot() > 0) {
      return; // the store has been damaged enough
    }
    run.beginDamagedRestores();
    cluster.runUntil("restores from damaged objects end", run::damagedRestoresDone, PROGRESS_MAX);
    cluster.scheduler().note(run.damagedRestores());
  }
}
