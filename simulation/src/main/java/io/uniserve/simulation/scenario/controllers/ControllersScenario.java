package io.uniserve.simulation.scenario.controllers;

import io.uniserve.kernel.Environment;
import io.uniserve.kernel.MessageCodec;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.simulation.RunSettings;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.fault.Fault;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.fault.FaultPlanner;
import io.uniserve.simulation.fault.FaultSchedule;
import io.uniserve.simulation.fault.FaultSettings;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.run.Run;
import io.uniserve.simulation.run.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Three or five controllers, and four processes that submit without a pause. Committed records are
 * never lost, never differ from controller to controller, and stand for each request once; a lease
 * that was granted ends before its server is given up, whoever leads. Then the faults stop, and all
 * controllers must be level.
 */
public final class ControllersScenario implements Scenario {
  private static final Duration STARTING_MAX = Duration.ofSeconds(30);
  private static final int FAULTS_MILLIS = 20_000;
  private static final int SHORTEST_MILLIS = 500;
  private static final Duration CALM_MAX = Duration.ofSeconds(2);

  /** The longest time from one flipped bit to the next. */
  private static final Duration SOUND_MAX = Duration.ofSeconds(8);

  private static final Duration PROGRESS_MAX = Duration.ofSeconds(60);

  private final String name;
  private final Interception defect;
  private final UnaryOperator<Environment> machine;
  private final List<FaultKind> kinds;

  /** Creates the scenario with the system as it is. */
  public ControllersScenario() {
    this("controllers", new Interception() {}, UnaryOperator.identity(), List.of());
  }

  /**
   * @param name the name of the scenario
   * @param defect an intended defect: it changes messages between processes
   * @param machine changes the environment of a controller, and may break its promises
   * @param kinds the kinds of faults; empty for those that the seed chooses
   */
  ControllersScenario(
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
  public Run plan(Seed seed) {
    RandomGenerator random = seed.random("shape");
    RunSettings settings =
        RunSettings.NONE
            .with("routers", random.nextBoolean() ? 3 : 5)
            .with("snapshotBytes", random.nextLong(300, 6_000))
            .with("snapshotEntries", random.nextInt(10, 300))
            .with("workMillis", FAULTS_MILLIS);
    List<FaultKind> all = kinds.isEmpty() ? some(seed.random("kinds")) : kinds;
    List<String> controllers = ControllersRun.controllers(settings);
    List<Fault> faults = new ArrayList<>();
    faults.addAll(
        plan(
            seed.random("faults"),
            settings,
            all.stream().filter(kind -> !kind.rots()).toList(),
            controllers,
            CALM_MAX));
    if (all.contains(FaultKind.ROT_AT_REST)) {
      RandomGenerator rot = seed.random("rot");
      // What a majority has is sound.
      String victim = controllers.get(rot.nextInt(controllers.size()));
      faults.addAll(
          plan(rot, settings, List.of(FaultKind.ROT_AT_REST), List.of(victim), SOUND_MAX));
    }
    return new Run(name, seed.value(), settings, faults);
  }

  private static List<Fault> plan(
      RandomGenerator random,
      RunSettings settings,
      List<FaultKind> kinds,
      List<String> badDisks,
      Duration calmMax) {
    return FaultPlanner.plan(
        new FaultSettings(
            kinds,
            ControllersRun.controllers(settings),
            List.of(),
            badDisks,
            2,
            calmMax,
            Duration.ofSeconds(4)),
        ControllersRun.processes(settings),
        random,
        length(settings).toNanos());
  }

  @Override
  public List<String> processes(Run run) {
    return ControllersRun.processes(run.settings());
  }

  private static Duration length(RunSettings settings) {
    return Duration.ofMillis(settings.number("workMillis"));
  }

  @Override
  public List<Run> smaller(Run run) {
    List<RunSettings> all = new ArrayList<>();
    int millis = run.settings().number("workMillis");
    if (millis > SHORTEST_MILLIS) {
      all.add(run.settings().with("workMillis", millis / 2));
      all.add(run.settings().with("workMillis", millis * 4 / 5));
    }
    if (run.settings().number("routers") > 3) {
      all.add(run.settings().with("routers", 3));
    }
    return all.stream()
        .map(
            settings ->
                run.withSettings(settings)
                    .withFaultsOf(ControllersRun.processes(settings), length(settings).toNanos()))
        .toList();
  }

  @Override
  public void play(SimulatedCluster cluster, Run planned) {
    cluster.network().intercept(defect);
    ControllersRun run = new ControllersRun(cluster, planned.settings(), machine);
    run.start();
    cluster.runUntil("a controller decides", run::decided, STARTING_MAX);
    FaultSchedule schedule = new FaultSchedule(cluster, planned.faults());
    schedule.begin();
    cluster.run(length(planned.settings()));
    schedule.stop();
    run.stop();
    run.restartDamaged();
    cluster.runUntil("every request has ended", run::finished, PROGRESS_MAX);
    cluster.runUntil("all controllers that start are level", run::level, PROGRESS_MAX);
    run.replaceRefused();
    cluster.runUntil("every damaged controller is replaced", run::replaced, PROGRESS_MAX);
    cluster.runUntil("all controllers are level", run::level, PROGRESS_MAX);
    run.checkFinally();
  }

  /** Returns some kinds; a few often show more than all at once. */
  private static List<FaultKind> some(RandomGenerator random) {
    List<FaultKind> some = new ArrayList<>(List.of(FaultKind.CRASH));
    for (FaultKind kind : FaultKind.values()) {
      // A controller without its disk is another controller, and takes no part until it is added.
      if (kind != FaultKind.DISK_LOSS
          && kind != FaultKind.FAILING_ENGINE
          && (!kind.rots() || kind == FaultKind.ROT_AT_REST)
          && random.nextBoolean()) {
        some.add(kind);
      }
    }
    return some;
  }
}
