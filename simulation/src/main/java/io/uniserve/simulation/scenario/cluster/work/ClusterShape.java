package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.OnLoss;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.simulation.RunSettings;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The shape of one run. The seed chooses some kinds of faults and leaves out others, since a few
 * kinds often show more than all at once.
 *
 * @param controllers the number of controllers
 * @param snapshotBytes the bytes of control log after which a controller makes a snapshot
 * @param servers the number of servers
 * @param clients the number of clients
 * @param table that everybody uses
 * @param faults the possible kinds
 * @param checkpointBytes the bytes of log after which a server renews a checkpoint
 * @param work the work of the clients
 */
public record ClusterShape(
    int controllers,
    long snapshotBytes,
    int servers,
    int clients,
    TableDefinition table,
    List<FaultKind> faults,
    long checkpointBytes,
    Work work) {
  public static final String TABLE = "journals";
  public static final String MORTAL = "mortal";
  private static final int LARGE_ONE_IN = 10;
  private static final int RESTORE_AFTER_MAX = 4;
  private static final int OPERATOR_ONE_IN = 4;
  private static final int BAD_ENGINE_ONE_IN = 4;
  private static final int WITHOUT_STORE_ONE_IN = 6;
  private static final int BAD_DISKS_ONE_IN = 3;
  private static final int SPLIT_ONE_IN = 3;
  private static final int APART_ONE_IN = 3;
  private static final int SERVERS_MAX = 19;
  private static final int CLIENTS_MAX = 5;
  private static final int RING_SERVERS_MIN = 4;
  private static final int RING_ACTORS_MIN = 3;
  private static final int STREAM_READERS = 2;

  /**
   * The faults that take one process away from all others, and leave it its disk. Several
   * controllers do without one of them.
   */
  private static final List<FaultKind> AWAY_AND_BACK =
      List.of(FaultKind.CRASH, FaultKind.POWER_FAILURE, FaultKind.PAUSE, FaultKind.PARTITION);

  /** The faults that take one process away from all others. */
  private static final List<FaultKind> AWAY =
      Stream.concat(AWAY_AND_BACK.stream(), Stream.of(FaultKind.DISK_LOSS)).toList();

  /** Creates a shape with the usual work. */
  public ClusterShape(
      int controllers,
      long snapshotBytes,
      int servers,
      int clients,
      TableDefinition table,
      List<FaultKind> faults,
      long checkpointBytes) {
    this(controllers, snapshotBytes, servers, clients, table, faults, checkpointBytes, Work.USUAL);
  }

  /** Returns the shape of a table of eventual updates. */
  public static ClusterShape of(Seed seed) {
    return basic(seed).recoverable(seed.random("loss")).withOperator(seed.random("operator"));
  }

  /** Returns the shape of a table of transactions. */
  public static ClusterShape ofTransactions(Seed seed) {
    return transactions(seed).recoverable(seed.random("loss"));
  }

  /** Returns the shape of a table of ordered updates, most of which go to several actors. */
  public static ClusterShape ofOrdered(Seed seed) {
    return ordered(seed).recoverable(seed.random("loss"));
  }

  /** Returns the shape of a cluster whose placement is decided anew all the time. */
  public static ClusterShape ofPlacement(Seed seed) {
    return placement(seed).recoverable(seed.random("loss"));
  }

  /** Returns the shape of a cluster whose actors are split and merged all the time. */
  public static ClusterShape ofSplits(Seed seed) {
    return splits(seed).recoverable(seed.random("loss"));
  }

  /**
   * Returns the shape of a cluster whose clients scan while actors are split and merged, or while
   * processes fail one by one.
   */
  public static ClusterShape ofScans(Seed seed) {
    RandomGenerator random = seed.random("scans");
    ClusterShape shape = random.nextBoolean() ? splits(seed) : failover(seed);
    return shape
        .with(shape.work.withScanners(random.nextInt(1, 3)))
        .recoverable(seed.random("loss"));
  }

  /**
   * Returns the shape of a cluster that reads a topic into its table, most often while actors are
   * split and merged.
   */
  public static ClusterShape ofStreams(Seed seed) {
    RandomGenerator random = seed.random("streams");
    ClusterShape shape =
        switch (random.nextInt(5)) {
          case 0 -> failover(seed);
          case 1 -> basic(seed);
          default -> splits(seed);
        };
    return shape.with(shape.work.withStream()).recoverable(seed.random("loss"));
  }

  /** Returns the shape of a cluster of two or three copies, where processes fail one by one. */
  public static ClusterShape ofFailover(Seed seed) {
    return failover(seed).recoverable(seed.random("loss"));
  }

  /**
   * Returns the shape of a cluster that loses disks, and all complete copies of actors with them.
   * Updates of its table may concern several actors, which are split and merged in some seeds. The
   * table goes on by itself, or when an operator decides so.
   */
  public static ClusterShape ofLosses(Seed seed) {
    RandomGenerator random = seed.random("losses");
    ClusterShape shape = random.nextInt(3) == 0 ? ordered(seed) : transactions(seed);
    boolean stored = random.nextInt(WITHOUT_STORE_ONE_IN) > 0;
    TableDefinition table =
        table(
            shape.table.actors(),
            Math.min(random.nextInt(1, 3), shape.servers),
            stored ? Durability.ASYNCHRONOUS : Durability.NONE,
            shape.table.consistency());
    boolean alone = stored && random.nextBoolean();
    OnLoss onLoss =
        alone
            ? OnLoss.restoreAfter(Duration.ofSeconds(random.nextInt(RESTORE_AFTER_MAX)))
            : OnLoss.WAIT;
    Work whole = shape.work.withoutDefiners();
    RandomGenerator splits = seed.random("splits of losses");
    Work work =
        splits.nextInt(SPLIT_ONE_IN) == 0 ? whole.withSplitters(splits.nextInt(1, 3)) : whole;
    ClusterShape losing =
        shape.withDiskLoss(table.withOnLoss(onLoss), alone ? work : work.withOperator());
    return random.nextInt(BAD_DISKS_ONE_IN) == 0 ? losing.withDamagedLogs() : losing;
  }

  /**
   * Returns the same shape with logs that are damaged before sound entries. No machine loses its
   * power, since it might lose these entries: damage at the end looks like an unfinished append.
   */
  private ClusterShape withDamagedLogs() {
    List<FaultKind> kinds =
        new ArrayList<>(faults.stream().filter(kind -> kind != FaultKind.POWER_FAILURE).toList());
    kinds.add(FaultKind.ROT_WHILE_DOWN);
    return new ClusterShape(
        controllers, snapshotBytes, servers, clients, table, kinds, checkpointBytes, work);
  }

  /**
   * Returns the shape of a cluster whose durable store is damaged all the time. Nobody needs the
   * store but restores.
   */
  public static ClusterShape ofRot(Seed seed) {
    RandomGenerator random = seed.random("rot");
    ClusterShape shape = basic(seed);
    Consistency level = Consistency.values()[random.nextInt(Consistency.values().length)];
    Durability durability = random.nextBoolean() ? Durability.SYNCHRONOUS : Durability.ASYNCHRONOUS;
    TableDefinition table =
        table(
            random.nextInt(1, 5), Math.min(random.nextInt(1, 4), shape.servers), durability, level);
    List<FaultKind> kinds = shape.faults.stream().filter(kind -> !losesData(kind)).toList();
    return new ClusterShape(
        shape.controllers,
        shape.snapshotBytes,
        shape.servers,
        shape.clients,
        table.withOnLoss(OnLoss.WAIT),
        kinds.isEmpty() ? List.of(FaultKind.CRASH) : kinds,
        shape.checkpointBytes,
        shape.work.withoutDefiners().withoutMovers().withRot());
  }

  /** Returns whether a fault may take something from a disk, or from an update. */
  private static boolean losesData(FaultKind kind) {
    return spoils(kind)
        || kind.failsDisk()
        || kind == FaultKind.POWER_FAILURE
        || kind == FaultKind.FAILING_ENGINE;
  }

  private static ClusterShape basic(Seed seed) {
    RandomGenerator random = seed.random("shape");
    TableDefinition table =
        table(
            random.nextInt(1, 7),
            random.nextInt(1, 4),
            Durability.values()[random.nextInt(Durability.values().length)],
            Consistency.EVENTUAL);
    ClusterShape shape =
        new ClusterShape(
            1 + 2 * random.nextInt(3),
            random.nextLong(500, 20_000),
            4,
            2,
            table,
            someFaults(table, random),
            random.nextLong(200, 4_000));
    return shape
        .sized(seed.random("topology"))
        .withBadDisks(seed.random("bad disks"))
        .withBadEngine(seed.random("bad engine"));
  }

  /**
   * Returns the same shape, in some clusters with disks that fail, and now and then damage their
   * contents.
   */
  private ClusterShape withBadDisks(RandomGenerator random) {
    List<FaultKind> all = new ArrayList<>(faults);
    boolean fail = random.nextInt(BAD_DISKS_ONE_IN) == 0;
    for (FaultKind kind : FaultKind.values()) {
      boolean usual =
          kind.failsDisk() && kind != FaultKind.ROT_WHILE_DOWN && kind != FaultKind.ROT_AT_REST;
      if (usual && random.nextBoolean() && fail) {
        all.add(kind);
      }
    }
    return new ClusterShape(
        controllers, snapshotBytes, servers, clients, table, all, checkpointBytes, work);
  }

  /** Returns the same shape, in some clusters with engine code that fails. */
  private ClusterShape withBadEngine(RandomGenerator random) {
    List<FaultKind> all = new ArrayList<>(faults);
    if (random.nextInt(BAD_ENGINE_ONE_IN) == 0) {
      all.add(FaultKind.FAILING_ENGINE);
    }
    return new ClusterShape(
        controllers, snapshotBytes, servers, clients, table, all, checkpointBytes, work);
  }

  private static ClusterShape transactions(Seed seed) {
    ClusterShape shape = basic(seed);
    RandomGenerator random = seed.random("transactions");
    return shape.with(
        table(
            random.nextInt(1, 5),
            Math.min(random.nextInt(1, 4), shape.servers),
            shape.table.durability(),
            random.nextBoolean() ? Consistency.SERIALIZABLE : Consistency.SNAPSHOT));
  }

  private static ClusterShape ordered(Seed seed) {
    ClusterShape shape = basic(seed);
    RandomGenerator random = seed.random("ordered");
    return shape.with(
        table(
            random.nextInt(1, 7),
            Math.min(random.nextInt(1, 4), shape.servers),
            shape.table.durability(),
            Consistency.ORDERED));
  }

  private static ClusterShape placement(Seed seed) {
    RandomGenerator random = seed.random("placement");
    ClusterShape shape = random.nextInt(4) == 0 ? transactions(seed) : basic(seed);
    return shape.with(
        shape.work.with(random.nextBoolean() ? Placing.ON_REQUEST : Placing.ON_INTERVAL));
  }

  private static ClusterShape splits(Seed seed) {
    ClusterShape shape = basic(seed);
    RandomGenerator random = seed.random("splits");
    int actors = random.nextInt(1, 4);
    Partitioner partitioner = random.nextBoolean() ? new Partitioner.Hash(actors) : ranges(actors);
    Work all = shape.work.withSplitters(random.nextInt(1, 3));
    Work work = random.nextInt(3) == 0 ? all : all.withoutMovers();
    ClusterShape split =
        shape
            .with(shape.table.withPartitioner(partitioner))
            .with(random.nextBoolean() ? work.withoutDefiners() : work);
    return switch (random.nextInt(4)) {
      case 0 -> split.ofLevel(Consistency.SERIALIZABLE);
      case 1 -> split.ofLevel(Consistency.SNAPSHOT);
      case 2 -> split.ofLevel(Consistency.ORDERED);
      default -> split;
    };
  }

  /** Returns the shape of a cluster whose table is on a ring that is changed all the time. */
  public static ClusterShape ofRing(Seed seed) {
    return ring(seed).recoverable(seed.random("loss"));
  }

  /** Returns the shape of a small cluster with a table on a ring. */
  public static ClusterShape onRing(TableDefinition table, List<FaultKind> faults) {
    Work work = Work.USUAL.withRings(1).withoutDefiners().withoutMovers();
    return new ClusterShape(3, 4_000, 5, 2, table, faults, 1_000, work);
  }

  private static ClusterShape ring(Seed seed) {
    ClusterShape shape = basic(seed);
    RandomGenerator random = seed.random("ring");
    int servers = Math.max(RING_SERVERS_MIN, shape.servers);
    int actors = random.nextInt(RING_ACTORS_MIN, 2 * RING_ACTORS_MIN);
    Partitioner partitioner = random.nextBoolean() ? new Partitioner.Hash(actors) : ranges(actors);
    Consistency[] levels = Consistency.values();
    TableDefinition table =
        table(
                actors,
                random.nextInt(1, RING_ACTORS_MIN + 1),
                shape.table.durability(),
                levels[random.nextInt(levels.length)])
            .withPartitioner(partitioner);
    Work work = shape.work.withoutDefiners().withRings(1);
    return new ClusterShape(
        shape.controllers,
        shape.snapshotBytes,
        servers,
        shape.clients,
        table,
        shape.faults,
        shape.checkpointBytes,
        random.nextInt(3) == 0 ? work : work.withoutMovers());
  }

  /** Returns the servers that the table's ring begins with; the others come later. */
  public List<String> ringServers() {
    int most = Math.min(servers, table.actors());
    return serverNames().subList(0, Math.max(table.replicas(), (most + 1) / 2));
  }

  private static ClusterShape failover(Seed seed) {
    ClusterShape shape = basic(seed);
    RandomGenerator random = seed.random("failover");
    int servers = Math.max(2, shape.servers);
    Consistency level = Consistency.values()[random.nextInt(Consistency.values().length)];
    boolean apart = random.nextInt(APART_ONE_IN) == 0;
    Work work = shape.work.withoutDefiners().oneByOne(apart ? Pace.APART : Pace.ONE_BY_ONE);
    List<FaultKind> away = shape.controllers > 1 && random.nextBoolean() ? AWAY_AND_BACK : AWAY;
    TableDefinition table =
        table(
            random.nextInt(1, 5),
            Math.min(random.nextInt(2, 4), servers),
            shape.table.durability(),
            level);
    return new ClusterShape(
        shape.controllers,
        shape.snapshotBytes,
        servers,
        shape.clients,
        table,
        apart ? List.of(FaultKind.SERVERS_APART) : away,
        shape.checkpointBytes,
        switch (random.nextInt(4)) {
          case 0 -> work;
          case 1 -> work.with(random.nextBoolean() ? Placing.ON_REQUEST : Placing.ON_INTERVAL);
          default -> work.withoutMovers();
        });
  }

  private ClusterShape ofLevel(Consistency level) {
    return with(
        table(table.actors(), table.replicas(), table.durability(), level)
            .withPartitioner(table.partitioner()));
  }

  /** Returns a partitioner by range. */
  private static Partitioner ranges(int actors) {
    return new Partitioner.Range(
        IntStream.range(1, actors)
            .mapToObj(i -> PartitionKey.of(i * Workload.KEYS / actors))
            .toList());
  }

  /** Returns the definition of a table whose history was recorded, as far as the checks need it. */
  public static TableDefinition recorded(int actors, Consistency level) {
    return table(actors, 1, Durability.NONE, level);
  }

  private static TableDefinition table(
      int actors, int replicas, Durability durability, Consistency level) {
    return new TableDefinition(
        TABLE,
        ModelEngine.NAME,
        new Partitioner.Hash(actors),
        replicas,
        durability,
        level,
        Map.of());
  }

  /**
   * Returns the same shape with another size. Most clusters have four servers; some are as small as
   * possible, some large.
   */
  private ClusterShape sized(RandomGenerator random) {
    return switch (random.nextInt(LARGE_ONE_IN)) {
      case 0 -> sized(random.nextInt(5, SERVERS_MAX + 1), random.nextInt(1, CLIENTS_MAX + 1));
      case 1, 2 -> sized(random.nextInt(1, 4), 1);
      default -> this;
    };
  }

  private ClusterShape sized(int newServers, int newClients) {
    TableDefinition fitting = table.withReplicas(Math.min(table.replicas(), newServers));
    return new ClusterShape(
        controllers, snapshotBytes, newServers, newClients, fitting, faults, checkpointBytes, work);
  }

  private ClusterShape with(TableDefinition other) {
    return new ClusterShape(
        controllers, snapshotBytes, servers, clients, other, faults, checkpointBytes, work);
  }

  /**
   * Returns the same shape, in which no table waits for ever: data on lost disks only is not
   * brought back by anybody. A table that may go on without it does so soon.
   */
  private ClusterShape recoverable(RandomGenerator random) {
    boolean goesOn =
        table.consistency() == Consistency.EVENTUAL
            && table.durability() == Durability.ASYNCHRONOUS;
    boolean keptAnyway = table.durability() == Durability.SYNCHRONOUS;
    List<FaultKind> kinds =
        goesOn || keptAnyway || work.pace() != Pace.AT_ONCE
            ? faults
            : faults.stream().filter(kind -> !spoils(kind)).toList();
    boolean must = kinds.stream().anyMatch(ClusterShape::spoils) || random.nextBoolean();
    OnLoss onLoss =
        goesOn && must
            ? OnLoss.restoreAfter(Duration.ofSeconds(random.nextInt(RESTORE_AFTER_MAX)))
            : OnLoss.WAIT;
    return new ClusterShape(
        controllers,
        snapshotBytes,
        servers,
        clients,
        table.withOnLoss(onLoss),
        kinds.isEmpty() ? List.of(FaultKind.CRASH) : kinds,
        checkpointBytes,
        work);
  }

  /**
   * Returns the same shape, in some clusters with a table that waits for lost data until an
   * operator decides otherwise. Then disks are lost, too, and all complete copies with them.
   */
  private ClusterShape withOperator(RandomGenerator random) {
    if (random.nextInt(OPERATOR_ONE_IN) > 0 || table.durability() == Durability.SYNCHRONOUS) {
      return this;
    }
    return withDiskLoss(table.withOnLoss(OnLoss.WAIT), work.withOperator());
  }

  private ClusterShape withDiskLoss(TableDefinition other, Work newWork) {
    List<FaultKind> kinds =
        new ArrayList<>(faults.stream().filter(kind -> !kind.damages()).toList());
    if (!kinds.contains(FaultKind.DISK_LOSS)) {
      kinds.add(FaultKind.DISK_LOSS);
    }
    return new ClusterShape(
        controllers, snapshotBytes, servers, clients, other, kinds, checkpointBytes, newWork);
  }

  /** Returns whether a fault may spoil the only complete copy, while the others are away. */
  private static boolean spoils(FaultKind kind) {
    return kind == FaultKind.DISK_LOSS || kind.damages();
  }

  private ClusterShape with(Work other) {
    return new ClusterShape(
        controllers, snapshotBytes, servers, clients, table, faults, checkpointBytes, other);
  }

  /** Returns the shape as data. */
  public RunSettings settings() {
    return RunSettings.NONE
        .with("routers", controllers)
        .with("snapshotBytes", snapshotBytes)
        .with("servers", servers)
        .with("clients", clients)
        .with("actors", table.actors())
        .with("replicas", table.replicas())
        .with("durability", table.durability())
        .with("consistency", table.consistency())
        .with("kinds", faults)
        .with("checkpointBytes", checkpointBytes)
        .with("updaters", work.updaters())
        .with("readers", work.readers())
        .with("definers", work.definers())
        .with("movers", work.movers())
        .with("storeFaults", work.storeFaults())
        .with("workMillis", work.millis())
        .with("placing", work.placing())
        .with("splitters", work.splitters())
        .with("pace", work.pace())
        .with("operators", work.operators())
        .with("rot", work.rot())
        .with("rings", work.rings())
        .with("scanners", work.scanners())
        .with("streams", work.streams())
        .with("sessions", work.sessions())
        .with("waits", table.onLoss().restoreAfter().isEmpty() ? 1 : 0)
        .with("restoreAfter", table.onLoss().restoreAfter().orElse(Duration.ZERO).toSeconds())
        .with("ranged", table.partitioner() instanceof Partitioner.Range ? 1 : 0);
  }

  /** Returns the shape of data. */
  public static ClusterShape of(RunSettings settings) {
    return new ClusterShape(
        settings.number("routers"),
        settings.number("snapshotBytes"),
        settings.number("servers"),
        settings.number("clients"),
        table(
                settings.number("actors"),
                settings.number("replicas"),
                settings.one("durability", Durability.class),
                settings.one("consistency", Consistency.class))
            .withPartitioner(
                settings.number("ranged") == 1
                    ? ranges(settings.number("actors"))
                    : new Partitioner.Hash(settings.number("actors")))
            .withOnLoss(
                settings.number("waits") == 1
                    ? OnLoss.WAIT
                    : OnLoss.restoreAfter(Duration.ofSeconds(settings.number("restoreAfter")))),
        settings.some("kinds", FaultKind.class),
        settings.number("checkpointBytes"),
        new Work(
            settings.number("updaters"),
            settings.number("readers"),
            settings.number("definers"),
            settings.number("movers"),
            settings.number("storeFaults"),
            settings.number("workMillis"),
            settings.one("placing", Placing.class),
            settings.number("splitters"),
            settings.one("pace", Pace.class),
            settings.number("operators"),
            settings.number("rot"),
            settings.number("rings"),
            settings.number("scanners"),
            settings.number("streams"),
            settings.number("sessions")));
  }

  /** Returns settings that are smaller than some in one respect each. */
  public static List<RunSettings> smaller(RunSettings settings) {
    List<RunSettings> all = new ArrayList<>();
    less(settings, "workMillis", settings.number("workMillis") / 2, 500, all);
    less(settings, "workMillis", settings.number("workMillis") * 4 / 5, 500, all);
    less(settings, "clients", 1, 1, all);
    less(settings, "routers", 1, 1, all);
    less(settings, "servers", settings.number("servers") / 2, settings.number("replicas"), all);
    less(settings, "servers", settings.number("servers") - 1, settings.number("replicas"), all);
    less(settings, "storeFaults", 0, 0, all);
    less(settings, "definers", 0, 0, all);
    less(settings, "movers", 0, 0, all);
    less(settings, "splitters", 0, 0, all);
    less(settings, "scanners", settings.number("scanners") - 1, 0, all);
    less(settings, "streams", 0, 0, all);
    less(settings, "sessions", settings.number("sessions") - 1, 1, all);
    less(settings, "actors", settings.number("actors") / 2, 1, all);
    less(settings, "actors", settings.number("actors") - 1, 1, all);
    less(settings, "replicas", settings.number("replicas") - 1, 1, all);
    less(settings, "readers", settings.number("readers") - 1, 0, all);
    less(settings, "updaters", settings.number("updaters") - 1, 1, all);
    return all;
  }

  private static void less(
      RunSettings settings, String name, int value, int least, List<RunSettings> all) {
    int bounded = Math.max(value, least);
    if (bounded < settings.number(name)) {
      all.add(settings.with(name, bounded));
    }
  }

  public boolean transactional() {
    return table.consistency().transactional();
  }

  /** Returns whether updates happen on all their actors, even if their client dies. */
  public boolean whole() {
    return table.consistency() != Consistency.EVENTUAL;
  }

  public List<String> controllerNames() {
    return names("router-", controllers);
  }

  public List<String> serverNames() {
    return names("server-", servers);
  }

  public List<String> clientNames() {
    return names("client-", clients);
  }

  /** Returns all processes. */
  public List<String> processes() {
    List<String> all = new ArrayList<>(controllerNames());
    all.addAll(serverNames());
    all.addAll(clientNames());
    all.addAll(streamReaders());
    if (whole()) {
      all.add(MORTAL);
    }
    return all;
  }

  /** Returns the processes that read the topic, one of them at a time. */
  public List<String> streamReaders() {
    return work.streams() > 0 ? names("ingest-", STREAM_READERS) : List.of();
  }

  /** Returns the processes that may fail. */
  public List<String> victims() {
    List<String> victims = new ArrayList<>(serverNames());
    victims.addAll(streamReaders());
    if (whole()) {
      victims.add(MORTAL);
    }
    if (!faults.contains(FaultKind.DISK_LOSS)) {
      // A controller without its disk is another controller, and takes no part until it is added.
      victims.addAll(controllerNames());
    }
    return victims;
  }

  /**
   * Returns the name of one server, so that only one copy of an actor is damaged. There is none if
   * the data would be nowhere else, unless somebody decides what happens then.
   */
  public List<String> badDisks() {
    boolean elsewhere = table.replicas() > 1 || table.durability() == Durability.SYNCHRONOUS;
    boolean decided = faults.contains(FaultKind.ROT_WHILE_DOWN);
    return elsewhere || decided ? serverNames().subList(0, 1) : List.of();
  }

  private static List<String> names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
  }

  private static List<FaultKind> someFaults(TableDefinition table, RandomGenerator random) {
    List<FaultKind> some = new ArrayList<>();
    for (FaultKind kind : FaultKind.values()) {
      if (!kind.failsDisk() && kind != FaultKind.FAILING_ENGINE && random.nextBoolean()) {
        some.add(kind);
      }
    }
    if (table.durability() == Durability.NONE) {
      // Nothing promises that such a table survives it.
      some.remove(FaultKind.DISK_LOSS);
    }
    if (some.isEmpty()) {
      some.add(FaultKind.CRASH);
    }
    return some;
  }
}
