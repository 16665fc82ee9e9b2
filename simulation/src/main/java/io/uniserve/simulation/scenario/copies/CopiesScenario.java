package io.uniserve.simulation.scenario.copies;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.MessageCodec;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.fault.FaultPlanner;
import io.uniserve.simulation.fault.FaultSchedule;
import io.uniserve.simulation.fault.FaultSettings;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.run.Run;
import io.uniserve.simulation.run.Scenario;
import io.uniserve.simulation.scenario.cluster.ClusterPrograms;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.scenario.cluster.work.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A scenario of a cluster whose disks are copied and started elsewhere, with the same store. Each
 * has clients who append to one table of synchronous durability, while processes of both fail. At
 * the end one of both owns the store and has everything that either acknowledged, and the other
 * says that it is refused.
 */
public final class CopiesScenario implements Scenario {
  private static final String MOMENT = "moment";
  private static final List<FaultKind> KINDS =
      List.of(
          FaultKind.CRASH,
          FaultKind.POWER_FAILURE,
          FaultKind.PAUSE,
          FaultKind.SUSPENSION,
          FaultKind.ONE_WAY_CUT,
          FaultKind.PARTITION,
          FaultKind.MESSAGE_LOSS,
          FaultKind.SLOW_LINK);
  private static final int DOWN_MAX = 4;
  private static final Duration STARTING_MAX = Duration.ofSeconds(30);
  private static final int ALONE_MILLIS_MAX = 4_000;
  private static final Duration PROGRESS_MAX = Duration.ofSeconds(90);

  private final String name;
  private final SiteDefect defect;

  /** Creates the scenario with the system as it is. */
  public CopiesScenario() {
    this("copies", SiteDefect.NONE);
  }

  /**
   * @param name the name of the scenario
   * @param defect an intended defect
   */
  public CopiesScenario(String name, SiteDefect defect) {
    this.name = name;
    this.defect = defect;
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
    RandomGenerator random = seed.random("shape");
    Moment moment = Moment.values()[random.nextInt(Moment.values().length)];
    ClusterShape shape = shape(random);
    FaultSettings settings =
        new FaultSettings(
            shape.faults(),
            both(shape, true),
            List.of(),
            List.of(),
            DOWN_MAX,
            Duration.ofSeconds(2),
            Duration.ofSeconds(6));
    return new Run(
        name,
        seed.value(),
        shape.settings().with(MOMENT, moment),
        FaultPlanner.plan(
            settings, both(shape, false), seed.random("faults"), length(shape).toNanos()));
  }

  private static ClusterShape shape(RandomGenerator random) {
    int servers = random.nextInt(1, 4);
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(random.nextInt(1, 4)),
            random.nextInt(1, servers + 1),
            Durability.SYNCHRONOUS,
            Consistency.EVENTUAL,
            Map.of());
    List<FaultKind> kinds = new ArrayList<>(KINDS);
    kinds.removeIf(kind -> random.nextBoolean());
    return new ClusterShape(
        1 + 2 * random.nextInt(2),
        random.nextLong(500, 20_000),
        servers,
        1,
        table,
        kinds.isEmpty() ? List.of(FaultKind.PAUSE) : kinds,
        random.nextLong(200, 4_000),
        Work.USUAL);
  }

  private static List<String> both(ClusterShape shape, boolean keepers) {
    return Stream.of(Site.values())
        .flatMap(
            site ->
                (keepers ? CopiesRun.keepers(shape, site) : CopiesRun.processes(shape, site))
                    .stream())
        .toList();
  }

  private static Duration length(ClusterShape shape) {
    return Duration.ofMillis(shape.work().millis());
  }

  @Override
  public List<String> processes(Run run) {
    return both(ClusterShape.of(run.settings()), false);
  }

  @Override
  public void play(SimulatedCluster cluster, Run planned) {
    ClusterShape shape = ClusterShape.of(planned.settings());
    Moment moment = planned.settings().one(MOMENT, Moment.class);
    cluster.scheduler().note("copied " + moment + ", shape " + shape);
    CopiesRun run = new CopiesRun(cluster, shape, defect);
    RandomGenerator random = cluster.seed().random("moments");
    run.start(Site.ORIGINAL);
    cluster.runUntil(
        "the original acknowledges", () -> run.acknowledges(Site.ORIGINAL), STARTING_MAX);
    alone(cluster, random);
    copy(cluster, run, moment, random);
    FaultSchedule faults = new FaultSchedule(cluster, planned.faults());
    faults.begin();
    if (shape.work().storeFaults() > 0) {
      run.storeFaults().begin();
    }
    cluster.run(length(shape));
    faults.stop();
    run.storeFaults().stop();
    cluster.runUntil("one of both is refused", () -> run.winner().isPresent(), PROGRESS_MAX);
    Reign reign = new Reign(run);
    cluster.runUntil(
        "the owner acknowledges updates of all actors that began since then",
        () -> reign.look() >= 3,
        PROGRESS_MAX);
    Site winner = reign.winner();
    reign.requireAlone();
    run.stop();
    cluster.runUntil("every client's work is done", run::finished, PROGRESS_MAX);
    run.readAll(winner);
    cluster.runUntil("everything is read", () -> run.read(winner), PROGRESS_MAX);
    run.check(winner);
  }

  private static void copy(
      SimulatedCluster cluster, CopiesRun run, Moment moment, RandomGenerator random) {
    switch (moment) {
      case BESIDE -> {
        run.copyDisks();
        alone(cluster, random);
        run.start(Site.COPY);
      }
      case AFTER -> {
        run.end(Site.ORIGINAL);
        run.copyDisks();
        run.start(Site.COPY);
        cluster.runUntil("the copy acknowledges", () -> run.acknowledges(Site.COPY), STARTING_MAX);
        alone(cluster, random);
        run.start(Site.ORIGINAL);
      }
      case AT_ONCE -> {
        run.end(Site.ORIGINAL);
        run.copyDisks();
        run.start(Site.COPY);
        run.start(Site.ORIGINAL);
      }
    }
  }

  private static void alone(SimulatedCluster cluster, RandomGenerator random) {
    cluster.run(Duration.ofMillis(random.nextInt(ALONE_MILLIS_MAX)));
  }
}
