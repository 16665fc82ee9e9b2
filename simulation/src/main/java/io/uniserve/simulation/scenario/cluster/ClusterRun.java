package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.control.Controller;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingPlacement;
import io.uniserve.runtime.wire.ring.RingState;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.disk.SimulatedDisk;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.check.AcceptedLosses;
import io.uniserve.simulation.scenario.cluster.check.Answers;
import io.uniserve.simulation.scenario.cluster.check.Checks;
import io.uniserve.simulation.scenario.cluster.check.FinalState;
import io.uniserve.simulation.scenario.cluster.check.History;
import io.uniserve.simulation.scenario.cluster.check.Holdings;
import io.uniserve.simulation.scenario.cluster.check.KeylessRetries;
import io.uniserve.simulation.scenario.cluster.check.Leaders;
import io.uniserve.simulation.scenario.cluster.check.LostDecisions;
import io.uniserve.simulation.scenario.cluster.check.Outdated;
import io.uniserve.simulation.scenario.cluster.check.Promises;
import io.uniserve.simulation.scenario.cluster.check.SeenUpdates;
import io.uniserve.simulation.scenario.cluster.check.StateOracle;
import io.uniserve.simulation.scenario.cluster.check.StreamRecords;
import io.uniserve.simulation.scenario.cluster.store.StoreFaults;
import io.uniserve.simulation.scenario.cluster.store.StoreRot;
import io.uniserve.simulation.scenario.cluster.work.AcceptingOperator;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.scenario.cluster.work.CrashingClient;
import io.uniserve.simulation.scenario.cluster.work.DamagedRestores;
import io.uniserve.simulation.scenario.cluster.work.MarkChecks;
import io.uniserve.simulation.scenario.cluster.work.Mending;
import io.uniserve.simulation.scenario.cluster.work.Placing;
import io.uniserve.simulation.scenario.cluster.work.Redefiner;
import io.uniserve.simulation.scenario.cluster.work.Restores;
import io.uniserve.simulation.scenario.cluster.work.RestoresUnderRot;
import io.uniserve.simulation.scenario.cluster.work.Shapes;
import io.uniserve.simulation.scenario.cluster.work.StreamWork;
import io.uniserve.simulation.scenario.cluster.work.Witness;
import io.uniserve.simulation.scenario.cluster.work.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** One run: its processes, and everything that is known about it from outside. */
final class ClusterRun {
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(100);
  private static final int RESTORES = 2;

  /**
   * The time after which a table that took the place of another is in the store itself. Its name
   * means the other at moments before.
   */
  private static final Duration STORED_AFTER = Duration.ofSeconds(5);

  private static final Duration ROT_INTERVAL_MAX = Duration.ofSeconds(2);
  private static final Duration SLOW_CLOCK_MAX = Duration.ofSeconds(1);
  private static final Duration CREATE_TIMEOUT = Duration.ofSeconds(10);

  private final SimulatedCluster cluster;
  private final ClusterShape shape;
  private final ClusterPrograms programs;
  private final ClusterDefects defects;
  private final SimulatedDisk store;
  private final StoreFaults storeFaults;
  private final Holdings holdings = new Holdings();
  private final StateOracle truth;
  private final Mending mending;
  private final Leaders leaders;
  private final Shapes shapes;
  private final Promises promises;
  private final LostDecisions lostDecisions;
  private final AcceptedLosses losses = new AcceptedLosses();
  private final History history;
  private final SeenUpdates seen;
  private final CrashingClient mortal;
  private final StreamWork stream;
  private final KeylessRetries retries;
  private final Answers answers;
  private final Witness witness;
  private final SortedMap<String, Client> clients = new TreeMap<>();
  private final List<Workload> workloads = new ArrayList<>();
  private final List<Redefiner> redefiners = new ArrayList<>();
  private final MarkChecks marks;
  private final Workload.Numbers numbers = new Workload.Numbers();
  private final SortedMap<String, Controller> controllers = new TreeMap<>();

  private long nextLookNanos;
  private boolean tidying;
  private Instant workBegan;
  private Restores restores;
  private DamagedRestores damagedRestores;
  private Optional<RestoresUnderRot> underRot = Optional.empty();
  private boolean deletedOne;
  private boolean undraining;
  private boolean settling;

  /** The identity of the one table. */
  private long newest;

  /** The last time at which another table took its place after a loss. */
  private Optional<Instant> replaced = Optional.empty();

  ClusterRun(SimulatedCluster cluster, ClusterShape shape, ClusterDefects defects) {
    this.cluster = cluster;
    this.defects = defects;
    this.shape = shape;
    store = cluster.sharedDisk();
    storeFaults = new StoreFaults(cluster, store);
    programs = new ClusterPrograms(store, storeFaults, defects.store(), defects.engine(), shape);
    shapes = new Shapes(this::partitioner);
    truth = new StateOracle(this::lost, this::changed, cluster.scheduler()::note);
    mending = new Mending(shape, truth::state);
    leaders = new Leaders(cluster, shape, holdings, truth::state);
    promises = new Promises(holdings, truth, shapes, excuse(), cluster.scheduler()::now, losses);
    lostDecisions = new LostDecisions(holdings, truth::state, promises, this::actorOf);
    history =
        new History(
            promises,
            operation ->
                shape.table().consistency() == Consistency.ORDERED
                    && holdings.mayBeRefused(operation),
            shapes);
    seen = new SeenUpdates(promises::mayBeGone);
    ReplyMonitor wiretap =
        new ReplyMonitor(truth, this::look, lostDecisions, seen, defects.messages());
    answers = new Answers(shapes, promises, Outdated.of(shape.table().consistency(), wiretap));
    retries = new KeylessRetries(holdings::wasHeld);
    witness =
        new Checks(
            shape.table().consistency(),
            promises,
            history,
            retries,
            answers,
            seen,
            lostDecisions.commitments());
    marks =
        new MarkChecks(
            () -> truth.state().requireTable(ClusterShape.TABLE).definition(),
            shape.table().durability() == Durability.SYNCHRONOUS,
            cluster.scheduler()::now);
    mortal = new CrashingClient(ClusterShape.TABLE, numbers, witness);
    stream = new StreamWork(numbers, witness);
    cluster.network().intercept(wiretap);
  }

  private int actorOf(Operation operation) {
    return shapes.actorOf(operation);
  }

  private Partitioner partitioner() {
    return truth
        .state()
        .table(ClusterShape.TABLE)
        .map(table -> table.definition().partitioner())
        .orElse(shape.table().partitioner());
  }

  private Promises.Excuse excuse() {
    boolean disksForget = shape.faults().contains(FaultKind.POWER_FAILURE);
    if (shape.table().durability() == Durability.SYNCHRONOUS || shape.whole()) {
      return Promises.Excuse.NEVER;
    }
    return disksForget ? Promises.Excuse.NOWHERE : Promises.Excuse.PRIMARY_ALONE;
  }

  void start() {
    shape.controllerNames().forEach(this::addController);
    shape.serverNames().forEach(this::addServer);
    for (String name : shape.clientNames()) {
      boolean first = name.equals(shape.clientNames().getFirst());
      cluster.add(name, environment -> client(name, environment, first));
    }
    if (shape.whole()) {
      cluster.add(
          ClusterShape.MORTAL,
          environment -> mortal.live(environment, programs.client(environment)));
    }
    for (String name : shape.streamReaders()) {
      cluster.add(
          name, environment -> stream.read(environment, programs.client(environment), name));
    }
    cluster.processes().forEach(SimulatedProcess::start);
    cluster.always(this::look);
    cluster.describe(this::description);
  }

  private void addController(String name) {
    cluster
        .add(name, environment -> controllers.put(name, programs.controller(environment, name)))
        .onEnd(() -> controllers.remove(name));
  }

  private void addServer(String name) {
    cluster
        .add(
            name,
            environment ->
                programs.server(
                    defects.machines().apply(environment),
                    environment,
                    name,
                    holdings.observer(name, this::forgotten),
                    () -> cluster.process(name).engineFails()))
        .onEnd(() -> ended(name));
  }

  private void ended(String server) {
    mending.ended(server);
    promises.lost(server);
    holdings.ended(server);
  }

  /** Notes what a copy lacks that was opened again. A disk forgets only what it fails to force. */
  private void forgotten(Set<Long> operations) {
    if (shape.faults().contains(FaultKind.FAILED_FORCES)) {
      promises.forgotten(operations);
    }
  }

  private void lost(String server) {
    promises.lost(server);
  }

  private void changed(TableState table, int number, ActorState before) {
    lostDecisions.changed(table, number, before);
    if (table.definition().name().equals(ClusterShape.TABLE)) {
      losses.changed(number, before, table.actors().get(number));
    }
  }

  private void look() {
    controllers.values().forEach(truth::look);
    truth.state().table(ClusterShape.TABLE).ifPresent(this::lookWhetherReplaced);
    leaders.look();
  }

  private void lookWhetherReplaced(TableState table) {
    if (table.recovery().isPresent() && table.id() != newest) {
      cluster.scheduler().note("table " + table.id() + " is new: " + table.recovery());
      replaced = Optional.of(cluster.scheduler().now());
      losses.replaced(table);
      lostDecisions.replaced();
    }
    newest = table.id();
  }

  private record Client(Environment environment, ClusterClient client) {}

  private void client(String name, Environment environment, boolean first) {
    ClusterClient client = programs.client(environment);
    client.view().onChange(truth::told);
    if (first) {
      createTable(client);
    }
    clients.put(name, new Client(environment, client));
  }

  private void createTable(ClusterClient client) {
    boolean made = false;
    while (!made) {
      try {
        if (shape.work().rings() > 0) {
          client
              .tables()
              .createTable(shape.table(), new RingPlacement(shape.ringServers()), CREATE_TIMEOUT);
        } else {
          client.createTable(shape.table(), CREATE_TIMEOUT);
        }
        made = true;
      } catch (UniserveException e) {
        made = e.code() == ErrorCode.ALREADY_EXISTS;
      }
    }
  }

  boolean tableMade() {
    return clients.size() == shape.clients()
        && clients.values().stream()
            .allMatch(client -> client.client().state().table(ClusterShape.TABLE).isPresent())
        && mending.whole();
  }

  void beginWorkload() {
    workBegan = cluster.scheduler().now();
    clients.forEach(
        (name, client) ->
            workloads.add(
                new Workload(
                        name,
                        client.environment(),
                        client.client(),
                        shape.table(),
                        numbers,
                        witness,
                        truth.ringWitness(),
                        shape.work())
                    .withSessions(defects.sessions())
                    .withErrors(defects.errors())));
    workloads.forEach(Workload::start);
    if (shape.work().streams() > 0) {
      Client first = clients.values().iterator().next();
      stream.start(first.environment(), first.client());
    }
    if (shape.work().operators() > 0) {
      Client first = clients.values().iterator().next();
      new AcceptingOperator(first.environment(), first.client()).start();
    }
    if (shape.work().definers() > 0) {
      clients.values().forEach(this::addRedefiner);
    }
    redefiners.forEach(Redefiner::start);
  }

  private void addRedefiner(Client client) {
    redefiners.add(new Redefiner(client.environment(), client.client(), numbers, marks));
  }

  StoreFaults storeFaults() {
    return storeFaults;
  }

  /** Begins to restore the table as of some moments, if the durable store has it. */
  void beginRestores() {
    Client client = clients.values().iterator().next();
    Restores begun = new Restores(client.environment(), client.client(), restorable());
    List<Instant> moments = new ArrayList<>();
    RandomGenerator random = cluster.seed().random("restores");
    // The clock of a server may still be slow, and it restores nothing from its future.
    Instant until = cluster.scheduler().now().minus(SLOW_CLOCK_MAX);
    Instant from = replaced.map(at -> at.plus(STORED_AFTER)).orElse(workBegan);
    boolean found = replaced.isEmpty() || clocksAreRight() && from.isBefore(until);
    if (shape.table().durability() != Durability.NONE && found) {
      long pastMillis = Math.max(1, Duration.between(from, until).toMillis());
      for (int i = 0; i < RESTORES; i++) {
        moments.add(from.plusMillis(random.nextLong(pastMillis)));
      }
    }
    begun.start(moments);
    restores = begun;
  }

  private Restores.Store restorable() {
    if (underRot.isPresent()) {
      return Restores.Store.DAMAGED;
    }
    // A clock that was ahead gives its times to what follows on its actor, but not on others.
    boolean oneTime = clocksAreRight() || shape.table().consistency() != Consistency.ORDERED;
    return shape.table().durability() == Durability.SYNCHRONOUS && oneTime
        ? Restores.Store.GAPLESS
        : Restores.Store.WITH_GAPS;
  }

  /** Begins to damage the store, and to restore the table meanwhile, as long as clients work. */
  void beginRot() {
    Client client = clients.values().iterator().next();
    RestoresUnderRot begun =
        new RestoresUnderRot(client.environment(), client.client(), cluster.scheduler()::now);
    begun.start();
    underRot = Optional.of(begun);
    rotLater(
        begun,
        cluster.seed().random("rot of the store"),
        truth.state().requireTable(ClusterShape.TABLE).id());
  }

  private void rotLater(RestoresUnderRot restoring, RandomGenerator random, long table) {
    long delay = random.nextLong(ROT_INTERVAL_MAX.toNanos());
    cluster
        .scheduler()
        .at(
            cluster.scheduler().nanos() + delay,
            () -> {
              if (!restoring.finished()) {
                StoreRot.Damage damage =
                    new StoreRot(store.root(), random).damageOne(table, !deletedOne);
                deletedOne |= damage.deleted();
                cluster.scheduler().note("in the store: " + damage.what());
                rotLater(restoring, random, table);
              }
            });
  }

  boolean restoresDone() {
    return restores.done();
  }

  void checkRestores() {
    restores.check(finalState().journals(), shapes, promises::mayBeGone);
    restores
        .restored()
        .forEach(
            (moment, journals) -> {
              checkRestored(moment, journals);
              if (clocksAreRight()) {
                marks.checkRestored(restores.marks(moment), moment);
              }
            });
    underRot.ifPresent(this::checkUnderRot);
  }

  private void checkUnderRot(RestoresUnderRot done) {
    Restores.check(done.restored(), finalState().journals(), shapes, promises::mayBeGone);
    done.restored().forEach(this::checkRestored);
    cluster.scheduler().note(done.toString());
  }

  private void checkRestored(Instant moment, SortedMap<Integer, List<Operation>> journals) {
    if (shape.whole()) {
      history.check(
          journals, clocksAreRight() && shape.table().durability() == Durability.SYNCHRONOUS);
    }
    if (clocksAreRight()) {
      promises.checkRestored(journals, moment);
    }
  }

  private boolean clocksAreRight() {
    return !shape.faults().contains(FaultKind.CLOCK_SKEW)
        && !shape.faults().contains(FaultKind.CLOCK_DRIFT);
  }

  /** Damages the store, and begins to restore the table as of the same moments. */
  void beginDamagedRestores() {
    Client client = clients.values().iterator().next();
    new StoreRot(store.root(), cluster.seed().random("rot of the store"))
        .damage(truth.state().requireTable(ClusterShape.TABLE).id())
        .forEach(what -> cluster.scheduler().note("in the store: " + what));
    damagedRestores = new DamagedRestores(client.environment(), client.client());
    damagedRestores.start(restores.restored());
  }

  /** Returns a summary of the restores, for people. */
  String damagedRestores() {
    return damagedRestores.toString();
  }

  boolean damagedRestoresDone() {
    return damagedRestores.done();
  }

  void stopWorkload() {
    workloads.forEach(Workload::stop);
    redefiners.forEach(Redefiner::stop);
    underRot.ifPresent(RestoresUnderRot::stop);
    mortal.stop();
    stream.stop();
  }

  /** Returns whether every record of the topic is stored; true if none is read. */
  boolean streamRead() {
    return shape.work().streams() == 0 || stream.done(truth.state());
  }

  /** Returns whether the one table is the only one left; other tables are dropped. */
  boolean tidy() {
    if (!tidying) {
      tidying = true;
      workloads.getFirst().tidyUp();
    }
    return truth.state().tables().size() == 1;
  }

  boolean workDone() {
    return mortal.finished()
        && underRot.stream().allMatch(RestoresUnderRot::finished)
        && workloads.stream().allMatch(Workload::finished)
        && redefiners.stream().allMatch(Redefiner::finished);
  }

  /** Returns whether no change of the table's schema is left half done. */
  boolean redefined() {
    if (!settling) {
      settling = true;
      if (redefiners.isEmpty() && shape.whole()) {
        // The mortal client may have left some.
        addRedefiner(clients.values().iterator().next());
      }
      redefiners.forEach(Redefiner::settle);
    }
    return redefiners.stream().allMatch(Redefiner::settled);
  }

  /** Returns whether no server is drained any more, and policies decide only on request. */
  boolean allUsed() {
    if (!undraining) {
      undraining = true;
      workloads.getFirst().useAllServers();
    }
    return truth.state().servers().values().stream().noneMatch(ServerState::draining)
        && truth.state().placementPaused() == (shape.work().placing() == Placing.ON_INTERVAL);
  }

  /** Returns whether a table on a ring has come to rest; true if there is no ring. */
  boolean ringRests() {
    TableState table = truth.state().requireTable(ClusterShape.TABLE);
    return table.ring().isEmpty() || Mending.ringRests(table);
  }

  /** Returns the state of mending after failures. */
  Mending mending() {
    return mending;
  }

  /**
   * Returns whether every copy of an actor has the same data, and nothing else is left on any
   * server.
   */
  boolean settled() {
    return now() && idle() && finalState().level() && finalState().leftBehind().isEmpty();
  }

  /**
   * Returns whether no server runs an operator any more, or has data of a query or scan that has
   * ended.
   */
  private boolean idle() {
    List<ServerStatus> statuses = workloads.getFirst().statuses();
    return statuses.size() == shape.servers()
        && statuses.stream()
            .allMatch(
                status ->
                    status.operatorsRunning() + status.operatorsWaiting() == 0
                        && status.queryData().equals(ServerStatus.QueryData.NONE)
                        && status.scans().idle());
  }

  /** Returns true now and then, for checks that take long. */
  private boolean now() {
    long nanos = cluster.scheduler().nanos();
    boolean now = nanos >= nextLookNanos;
    if (now) {
      nextLookNanos = nanos + LOOK_INTERVAL.toNanos();
    }
    return now;
  }

  private FinalState finalState() {
    return new FinalState(cluster, shape, truth.state(), holdings, shape.serverNames());
  }

  private String description() {
    return truth.state().table(ClusterShape.TABLE).isPresent()
        ? finalState().assignments() + finalState() + work() + ring()
        : "there is no table yet";
  }

  private String ring() {
    return truth
        .state()
        .requireTable(ClusterShape.TABLE)
        .ring()
        .map(ring -> "\nring: " + ring.ring() + ", waiting: " + ring.queue())
        .orElse("");
  }

  private String work() {
    StringBuilder text = new StringBuilder();
    List<ServerStatus> statuses = workloads.isEmpty() ? List.of() : workloads.getFirst().statuses();
    for (ServerStatus status : statuses) {
      text.append('\n').append(status.server());
      text.append(" runs ").append(status.operatorsRunning());
      text.append(", has waiting ").append(status.operatorsWaiting());
      text.append(", keeps ").append(status.queryData());
      text.append(", has ").append(status.scans());
    }
    return text.toString();
  }

  private long changes(Class<? extends PartitionChange> kind) {
    return partitioner().history().stream().filter(kind::isInstance).count();
  }

  void checkFinally() {
    FinalState last = finalState();
    promises.check(last.journals());
    seen.check(last.journals());
    List<Promises.Promise> accepted = promises.acceptedLosses(last.journals());
    if (clocksAreRight()) {
      accepted.forEach(lost -> losses.requireSaid(lost, truth.records()));
    }
    history.checkFinally(last.journals());
    retries.check();
    StreamRecords.check(stream.records(), last.journals(), promises::mayBeGone);
    if (shape.table().consistency() != Consistency.SERIALIZABLE) {
      history.checkCut();
    }
    marks.check();
    TableState table = truth.state().requireTable(ClusterShape.TABLE);
    if (table.ring().isPresent()) {
      boolean known = truth.checkRing(table);
      List<RingState.Ended> ended = table.ring().get().ended();
      cluster
          .scheduler()
          .note(
              ended.stream().filter(RingState.Ended::done).count()
                  + " changes of the ring made, "
                  + ended.stream().filter(change -> !change.done()).count()
                  + " not made"
                  + (known ? "" : "; its records are not all known"));
    }
    cluster
        .scheduler()
        .note(
            promises.count()
                + " operations acknowledged, "
                + promises.excusedCount()
                + " excused, "
                + accepted.size()
                + " lost by decision; "
                + retries.count()
                + " failures of updates without a key retryable; "
                + answers.count()
                + " queries answered, "
                + history.reads()
                + " of one place in the order, "
                + answers.partialCount()
                + " in part; "
                + truth.movesDone()
                + " copies moved; "
                + changes(PartitionChange.Cut.class)
                + " actors split, "
                + changes(PartitionChange.Merge.class)
                + " merged; "
                + marks
                + "; "
                + stream.records().stream().mapToInt(List::size).sum()
                + " records of a topic stored");
  }
}
