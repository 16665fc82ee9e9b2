package io.uniserve.simulation.scenario.scale;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Invariant;
import io.uniserve.policy.placement.BalanceSettings;
import io.uniserve.policy.placement.FewestCopies;
import io.uniserve.policy.placement.Greedy;
import io.uniserve.policy.scaling.ScalingPolicies;
import io.uniserve.runtime.control.Controller;
import io.uniserve.runtime.control.raft.RaftSettings;
import io.uniserve.runtime.control.scaling.ScalingParts;
import io.uniserve.runtime.control.scaling.ServerProvider;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.control.settings.MergeSettings;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.control.settings.RepairSettings;
import io.uniserve.runtime.control.settings.SplitSettings;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.fault.Fault;
import io.uniserve.simulation.model.ModelEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One run: its processes, and what is known about them from outside. */
final class ScaleRun {
  private static final int SERVERS_OF_FOLLOWER = 100;
  private static final String OPERATOR = "operator";
  private static final Duration STARTING_MAX = Duration.ofMinutes(10);
  private static final Duration RESTING_MAX = Duration.ofHours(4);

  /** The planned load of servers at the peak, when all possible servers run. */
  private static final double PEAK_UTILIZATION = 0.6;

  private static final long ACTOR_BYTES_MIN = 1L << 30;
  private static final long ACTOR_BYTES_MAX = 8L << 30;

  /** The memory of a machine, as a multiple of what it holds on average with the fewest servers. */
  private static final double ROOM = 2.5;

  private final SimulatedCluster cluster;
  private final ScaleSize size;
  private final ControllerSettings settings;
  private final Watch watch;
  private final Machines machines;
  private final ServerProvider provider;
  private final DayOfLoad day;
  private final Audit audit;
  private final Failures failures;
  private final ScaleReport report;
  private final List<Follower> followers = new ArrayList<>();
  private final List<Controller> controllers = new ArrayList<>();
  private final long[] actorBytes;
  private Operator operator;
  private long dayBeganNanos = -1;
  private boolean dayPasses;
  private boolean rests;

  ScaleRun(
      SimulatedCluster cluster,
      ScaleSize size,
      BiFunction<ServerProvider, Supplier<ClusterState>, ServerProvider> providing,
      Consumer<String> progress) {
    this.cluster = cluster;
    this.size = size;
    settings = settings(size);
    watch = new Watch(settings.repairs(), this::gaveUp);
    RandomGenerator random = cluster.seed().random("scale");
    actorBytes = random.longs(size.actors(), ACTOR_BYTES_MIN, ACTOR_BYTES_MAX).toArray();
    day =
        new DayOfLoad(
            random,
            size.actors(),
            size.day().toNanos(),
            size.servers() * Surroundings.WORKERS * PEAK_UTILIZATION);
    machines = new Machines(cluster.scheduler(), cluster.seed().random("boot"), watch::newest);
    provider = providing.apply(machines, watch::newest);
    audit = new Audit(cluster.scheduler()::nanos, day);
    failures = new Failures(cluster, machines);
    report = new ScaleReport(size, watch, machines, audit, failures, day, progress);
  }

  private static ControllerSettings settings(ScaleSize size) {
    Duration interval = Duration.ofSeconds(Math.max(60, size.minutes() * 60 / 288));
    return new ControllerSettings(
        Surroundings.LEASE,
        Duration.ofSeconds(2),
        Duration.ofSeconds(2),
        Duration.ofSeconds(2),
        new RepairSettings(Math.max(4, size.servers() / 5), 2, Duration.ofSeconds(60)),
        new PlacementSettings(
            "greedy",
            Optional.of(interval),
            8,
            Math.max(64, size.servers() / 2),
            0.1,
            1.2,
            0.7,
            SplitSettings.DEFAULT,
            MergeSettings.DEFAULT),
        RaftSettings.DEFAULT.inMemory().withFailureTimeout(Duration.ofSeconds(2)));
  }

  static List<String> controllers(ScaleSize size) {
    return IntStream.range(0, size.controllers()).mapToObj(i -> "router-" + i).toList();
  }

  static List<String> processes(ScaleSize size) {
    return Stream.of(
            controllers(size).stream(),
            IntStream.range(0, size.servers()).mapToObj(Machines.NAMES::name),
            followerNames(size).stream(),
            Stream.of(OPERATOR))
        .flatMap(names -> names)
        .toList();
  }

  private static List<String> followerNames(ScaleSize size) {
    int count = Math.max(2, size.servers() / SERVERS_OF_FOLLOWER);
    return IntStream.range(0, count).mapToObj(i -> "follower-" + i).toList();
  }

  private List<Address> addresses() {
    return controllers(size).stream().map(Address::new).toList();
  }

  /** Plays the whole run; throws if any check does not hold. */
  void play(List<Fault> faults) {
    cluster.scheduler().measure("coordinator", report.deciding()::add);
    cluster.scheduler().measure("placement-0", report.placing()::add);
    cluster.describe(report::state);
    addProcesses();
    cluster.processes().stream()
        .filter(process -> !Machines.NAMES.matches(process.name()))
        .forEach(SimulatedProcess::start);
    for (int number = 0; number < size.serversMin(); number++) {
      machines.startNow(machines.named(Machines.NAMES.name(number)));
    }
    look();
    cluster.runUntil("all servers have joined", this::joined, STARTING_MAX);
    operator.createTable();
    cluster.runUntil("the table is there", () -> rests && hasTable(), STARTING_MAX);
    passDay(faults);
    comeToRest();
    report.conclude();
  }

  private void passDay(List<Fault> faults) {
    operator.followLoad();
    failures.begin(faults);
    operator.beginMaintenance(Duration.ofMinutes(5));
    dayBeganNanos = cluster.scheduler().nanos();
    report.begin(dayBeganNanos);
    dayPasses = true;
    cluster.run(size.day());
    dayPasses = false;
  }

  private void comeToRest() {
    failures.stop();
    operator.endMaintenance();
    operator.pausePolicies();
    cluster.runUntil("policies are paused", () -> watch.newest().placementPaused(), STARTING_MAX);
    rests = false;
    cluster.runUntil("the cluster is as it should be", () -> rests, RESTING_MAX);
  }

  private boolean joined() {
    return watch.newest().servers().size() == size.serversMin();
  }

  private boolean hasTable() {
    return watch.newest().table(Operator.TABLE).isPresent();
  }

  private void addProcesses() {
    List<Address> addresses = addresses();
    for (String name : controllers(size)) {
      cluster.add(name, environment -> controllers.add(controller(environment, name, addresses)));
    }
    for (String name : followerNames(size)) {
      cluster.add(name, environment -> followers.add(new Follower(environment, addresses, watch)));
    }
    cluster.add(
        OPERATOR,
        environment ->
            operator = new Operator(environment, addresses, watch::newest, machines, size));
    long room = room();
    for (int number = 0; number < size.servers(); number++) {
      addServer(new Machine(Machines.NAMES.name(number), room), number);
    }
  }

  private long room() {
    double bytes = 0;
    for (long of : actorBytes) {
      bytes += of;
    }
    return (long) (ROOM * Operator.REPLICAS * bytes / size.serversMin());
  }

  private void addServer(Machine machine, int number) {
    SimulatedProcess process =
        cluster.add(machine.name(), environment -> start(environment, machine, number));
    machine.runs(process);
    machines.add(machine);
    process.onEnd(
        () -> {
          machine.ended();
          follower(number).remove(machine.name());
        });
  }

  private Follower follower(int number) {
    return followers.get(number % followers.size());
  }

  private void start(Environment environment, Machine machine, int number)
      throws InterruptedException {
    while (followers.size() < followerNames(size).size()) {
      environment.clock().sleep(Duration.ofMillis(10));
    }
    Surroundings around =
        new Surroundings(
            addresses(), follower(number), day, actorBytes, cluster.scheduler()::nanos);
    ModelledServer server = new ModelledServer(environment, machine, around);
    machine.begun(server);
    follower(number).add(machine.name(), server);
    server.start();
  }

  private Controller controller(Environment environment, String name, List<Address> addresses)
      throws IOException {
    return new Controller(
        environment,
        new Address(name),
        addresses,
        new Engines(List.of(new ModelEngine())),
        new PlacementPolicies(
            new FewestCopies(), Map.of("greedy", new Greedy(new BalanceSettings(0.1, 1_000, 0)))),
        new ScalingParts(ScalingPolicies.STANDARD, Optional.of(provider)),
        settings);
  }

  /** Checks that a server is given up no sooner than its lease has ended. */
  private void gaveUp(String name, long incarnation) {
    machines
        .named(name)
        .server()
        .filter(server -> server.incarnation() == incarnation && !server.ending())
        .ifPresent(
            server ->
                Invariant.ONE_PRIMARY.require(
                    server.leaseEndsAtNanos() <= cluster.scheduler().nanos(),
                    () -> name + " was given up while it may act as a primary"));
  }

  private void look() {
    if (dayBeganNanos >= 0) {
      day.at(cluster.scheduler().nanos() - dayBeganNanos);
    } else {
      day.at(0);
    }
    audit.look(watch.newest());
    rests = !dayPasses && new Rest(watch.newest(), machines).reached();
    report.look(cluster.scheduler().nanos());
    cluster.scheduler().at(cluster.scheduler().nanos() + Audit.INTERVAL.toNanos(), this::look);
  }
}
