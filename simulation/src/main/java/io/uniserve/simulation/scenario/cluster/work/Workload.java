package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.Consistency;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.Promise;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.ModelFailures;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.PartlyRefused;
import io.uniserve.simulation.model.ReadJournal;
import io.uniserve.simulation.model.RefusedOperations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The work of one client with one table: updates and queries, on several threads, until it is told
 * to stop. It is the same in a simulated cluster and in a real one.
 */
public final class Workload {
  static final long KEYS = 40;
  private static final int PAUSE_MILLIS_MAX = 300;

  /**
   * The longest pause between queries. They are most of a run's messages, and more of them notice
   * hardly more defects.
   */
  private static final int READERS_PAUSE_MILLIS_MAX = 700;

  /** The longest pause between other tables, for the same reason. */
  private static final int DEFINERS_PAUSE_MILLIS_MAX = 1_000;

  /** The longest pause between several transactions at once. */
  private static final int CROWDS_PAUSE_MILLIS_MAX = 900;

  private static final int CROWD_MAX = 5;

  private static final int KEYLESS_ONE_IN = 4;

  private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(2);

  private final String name;
  private final Environment environment;
  private final ClusterClient client;
  private final String table;
  private final TableDefinition definition;
  private final Numbers numbers;
  private final Witness witness;
  private final Work work;
  private final RandomGenerator random;
  private final RandomPlans plans;
  private final ScratchTables scratch;
  private final Movers movers;
  private final Splitters splitters;
  private final RingChangers rings;
  private List<ServerStatus> statuses = List.of();
  private final AtomicInteger running = new AtomicInteger();
  private int sessionPauseMillisMax = PAUSE_MILLIS_MAX;
  private SessionDefect sessionDefect = SessionDefect.NONE;
  private ErrorDefect errorDefect = ErrorDefect.NONE;
  private volatile boolean stopping;

  /** A source of numbers, one for each operation of a run. */
  public static final class Numbers {
    private final AtomicLong last = new AtomicLong();

    long next() {
      return last.incrementAndGet();
    }
  }

  /** An intended defect of the sessions of a client. */
  @FunctionalInterface
  public interface SessionDefect {
    /** No defect. */
    SessionDefect NONE = Supplier::get;

    /**
     * Returns a session with the defect.
     *
     * @param open opens a session as it should be
     */
    OrderedSession of(Supplier<OrderedSession> open);
  }

  /**
   * @param name the name of the client
   * @param environment its threads, clock and random numbers
   * @param client its connection to the cluster
   * @param table that it uses
   * @param numbers the numbers of all operations of the run
   * @param witness hears what it does
   * @param work the work of its threads
   */
  public Workload(
      String name,
      Environment environment,
      ClusterClient client,
      TableDefinition table,
      Numbers numbers,
      Witness witness,
      Work work) {
    this(name, environment, client, table, numbers, witness, RingWitness.NONE, work);
  }

  /** Creates the work of a client that may change the ring of its table. */
  public Workload(
      String name,
      Environment environment,
      ClusterClient client,
      TableDefinition table,
      Numbers numbers,
      Witness witness,
      RingWitness ringWitness,
      Work work) {
    this.name = name;
    this.environment = environment;
    this.client = client;
    this.table = table.name();
    this.definition = table;
    this.numbers = numbers;
    this.witness = witness;
    this.work = work;
    random = environment.random();
    Supplier<Partitioner> newest =
        () -> client.state().requireTable(this.table).definition().partitioner();
    plans = new RandomPlans(this.table, random, new Shapes(newest));
    splitters = new Splitters(client, random);
    rings = new RingChangers(client, random, ringWitness);
    scratch = new ScratchTables(client, table, random, numbers);
    movers = new Movers(client, random, work.placing());
  }

  /** Begins. */
  public void start() {
    for (int i = 0; i < work.updaters(); i++) {
      start("updater-" + i, this::update, PAUSE_MILLIS_MAX);
    }
    startSessions();
    if (definition.consistency().transactional() && work.updaters() > 0) {
      start("crowd", this::updateAtOnce, CROWDS_PAUSE_MILLIS_MAX);
    }
    for (int i = 0; i < work.readers(); i++) {
      start("reader-" + i, this::read, READERS_PAUSE_MILLIS_MAX);
    }
    for (int i = 0; i < work.definers(); i++) {
      start("definer-" + i, this::makeAndDrop, DEFINERS_PAUSE_MILLIS_MAX);
    }
    for (int i = 0; i < work.movers(); i++) {
      start("mover-" + i, movers::meddle, PAUSE_MILLIS_MAX);
    }
    for (int i = 0; i < work.rings(); i++) {
      start("rings-" + i, rings::change, PAUSE_MILLIS_MAX);
    }
    for (int i = 0; i < work.scanners(); i++) {
      Scanner scanner = new Scanner(name, environment, client, table, witness);
      start("scanner-" + i, () -> scanner.scan(() -> stopping), READERS_PAUSE_MILLIS_MAX);
    }
    for (int i = 0; i < work.splitters(); i++) {
      start("splitter-" + i, splitters::reshape, PAUSE_MILLIS_MAX);
    }
  }

  /** Begins a session after another on each of its threads, for an ordered table. */
  private void startSessions() {
    if (definition.consistency() != Consistency.ORDERED) {
      return;
    }
    for (int i = 0; i < work.sessions(); i++) {
      SessionWork sessions =
          new SessionWork(
              name,
              environment,
              client,
              table,
              numbers,
              witness,
              work.sessions() > 1,
              work.pace(),
              sessionDefect);
      start("session-" + i, () -> sessions.run(() -> stopping), sessionPauseMillisMax);
    }
  }

  /**
   * Sets the longest pause between two sessions. A history of minutes needs long ones: a session
   * has many times the updates of other clients, and all of them are judged together.
   */
  public Workload restingBetweenSessions(int millisMax) {
    sessionPauseMillisMax = millisMax;
    return this;
  }

  /** Lets the sessions have a defect. */
  public Workload withSessions(SessionDefect defect) {
    sessionDefect = defect;
    return this;
  }

  /** Lets the errors that callers are told have a defect. */
  public Workload withErrors(ErrorDefect defect) {
    errorDefect = defect;
    return this;
  }

  /** Drops other tables that are left, and asks the servers for their status, for ever. */
  public void tidyUp() {
    environment
        .threads()
        .start(
            "tidy",
            () -> {
              while (true) {
                scratch.dropAll();
                statuses = client.view().statuses(STATUS_TIMEOUT);
                pause(500);
              }
            });
  }

  /** Uses every server again, for ever. */
  public void useAllServers() {
    environment
        .threads()
        .start(
            "use all",
            () -> {
              // This is repeated, since a request to drain one may arrive late.
              while (true) {
                movers.useAll();
                pause(200);
              }
            });
  }

  /** Returns the last status of each server. */
  public List<ServerStatus> statuses() {
    return statuses;
  }

  /** Lets the requests under way finish, and begins nothing more. */
  public void stop() {
    stopping = true;
  }

  /** Returns whether all requests have ended that were under way when it was told to stop. */
  public boolean finished() {
    return stopping && running.get() == 0;
  }

  private void start(String name, Runnable once, int pauseMillisMax) {
    running.incrementAndGet();
    environment
        .threads()
        .start(
            name,
            () -> {
              while (!stopping) {
                once.run();
                pause(random.nextInt(pauseMillisMax));
              }
              running.decrementAndGet();
            });
  }

  private void pause(long millis) {
    try {
      environment.clock().sleep(Duration.ofMillis(millis));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a workload", e);
    }
  }

  private void makeAndDrop() {
    if (random.nextBoolean()) {
      scratch.keepAndDrop(witness.asked(name, everybody()));
    } else {
      scratch.makeAndDrop();
    }
  }

  /** Makes several updates at once, so that some wait together and become one transaction. */
  private void updateAtOnce() {
    List<Promise<Boolean>> ends = new ArrayList<>();
    for (int i = random.nextInt(2, CROWD_MAX + 1); i > 0; i--) {
      Promise<Boolean> end = new Promise<>(environment.threads());
      ends.add(end);
      environment
          .threads()
          .start(
              "of a crowd",
              () -> {
                update();
                end.complete(true);
              });
    }
    ends.forEach(
        end -> end.await(Deadline.after(environment.clock(), Deadline.LONGEST), "a crowd"));
  }

  private void update() {
    List<Operation> operations = new ArrayList<>();
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      operations.add(new Operation(random.nextLong(KEYS), numbers.next()));
    }
    if (random.nextInt(10) == 0) {
      if (level() == Consistency.ORDERED) {
        partlyRefused(operations);
      } else {
        refused(operations);
      }
    } else {
      Acknowledgement acknowledgement =
          level() != Consistency.EVENTUAL || random.nextBoolean()
              ? Acknowledgement.ALL_COPIES
              : Acknowledgement.PRIMARY;
      if (random.nextInt(KEYLESS_ONE_IN) == 0) {
        new KeylessUpdates(name, client, table, witness, work.pace(), random, errorDefect)
            .append(operations, acknowledgement);
      } else {
        append(operations, acknowledgement);
      }
    }
  }

  /**
   * Makes one more update of every actor, acknowledged by all copies. All earlier updates have
   * ended on these copies, too, by then.
   */
  public void appendEverywhere() {
    List<Operation> operations = new ArrayList<>();
    for (long key = 0; key < KEYS; key++) {
      operations.add(new Operation(key, numbers.next()));
    }
    append(operations, Acknowledgement.ALL_COPIES);
  }

  /**
   * Appends as an application does: it repeats the update with the same key until the answer is
   * known. It is the end of an ordered update, too, that an actor refuses it, whose engine failed.
   */
  private void append(List<Operation> operations, Acknowledgement level) {
    String key = "update-" + operations.getFirst().number();
    witness.begun(name, key, operations);
    boolean over = false;
    while (!over) {
      try {
        acknowledged(operations, level, key, update(operations, level, key));
        over = true;
      } catch (UniserveException e) {
        work.pace().failed("an update", e);
        over = level() == Consistency.ORDERED && ModelFailures.caused(e) && !e.outcomeUnknown();
      }
    }
  }

  private void acknowledged(
      List<Operation> operations, Acknowledgement level, String key, UpdateReceipt receipt) {
    List<Object> answers = receipt.answers();
    Invariant.EXACT_ANSWER.require(
        answers.size() == operations.size(), () -> operations + " are answered with " + answers);
    witness.acknowledged(name, key, operations, level, receipt);
  }

  private boolean transactional() {
    return level().transactional();
  }

  private Consistency level() {
    return client.state().requireTable(table).definition().consistency();
  }

  private UpdateReceipt update(List<Operation> operations, Acknowledgement level, String key) {
    return client.update(
        table,
        new AppendOperations(),
        operations,
        new UpdateOptions(work.pace().updateTimeout(), level, Optional.of(key)));
  }

  private void refused(List<Operation> operations) {
    try {
      client.update(
          table,
          new RefusedOperations(operations.getLast().key()),
          operations,
          new UpdateOptions(
              work.pace().updateTimeout(),
              Acknowledgement.PRIMARY,
              Optional.of("wholly-refused-" + operations.getFirst().number())));
      throw new IllegalStateException("a refused update was acknowledged");
    } catch (UniserveException e) {
      if (e.code() != (transactional() ? ErrorCode.ABORTED : ErrorCode.INVALID_ARGUMENT)) {
        work.pace().failed("a refused update", e);
      }
    }
  }

  /**
   * Appends operations of which one actor may refuse its part. An update that is not refused
   * happens wholly.
   */
  private void partlyRefused(List<Operation> operations) {
    Partitioner partitioner = client.state().requireTable(table).definition().partitioner();
    PartitionKey refused = operations.getLast().partitionKey();
    List<Operation> others =
        operations.stream()
            .filter(operation -> isNeverWith(refused, operation.partitionKey(), partitioner.base()))
            .toList();
    String key = "refused-" + operations.getFirst().number();
    if (!others.isEmpty()) {
      witness.begun(name, key, others);
    }
    try {
      client.update(
          table,
          new PartlyRefused(operations.getLast().key()),
          operations,
          new UpdateOptions(
              work.pace().updateTimeout(), Acknowledgement.PRIMARY, Optional.of(key)));
      throw new IllegalStateException("a refused update was acknowledged");
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.INVALID_ARGUMENT) {
        work.pace().failed("a refused update", e);
      }
    }
  }

  /**
   * Returns whether two keys stay on different actors whatever is merged before an update gets its
   * place. Keys that a hash has parted from the beginning do; all neighbours of a range can be
   * merged.
   */
  private static boolean isNeverWith(PartitionKey one, PartitionKey other, Partitioner base) {
    return base instanceof Partitioner.Hash && base.actorOf(one) != base.actorOf(other);
  }

  private void read() {
    Witness.Query query = witness.asked(name, everybody());
    Plan<SortedMap<Integer, List<Operation>>> journals =
        Plan.query(table, new ReadJournal(work.pace().pieceLength(random)), new JournalsByActor());
    int kind = random.nextInt(8);
    if (level() == Consistency.ORDERED && kind % 2 == 0) {
      readAtOnePlace(kind < 6 ? ReadLevel.SNAPSHOT : ReadLevel.SEQUENTIAL, query, journals);
    } else if (kind < 2) {
      readInPart(query, journals);
    } else {
      boolean plan = kind < 5;
      readWholly(
          query,
          plan ? plans.next() : journals,
          failure -> {
            if (plan) {
              work.pace().exchangeFailed(failure);
            } else {
              work.pace().failed("a query", failure);
            }
          });
    }
  }

  /** Reads all journals as of one place in the order. */
  private void readAtOnePlace(
      ReadLevel read, Witness.Query query, Plan<SortedMap<Integer, List<Operation>>> plan) {
    Witness.CutRead cut = witness.readsAtOnePlace(Optional.empty());
    QueryOptions options = new QueryOptions(work.pace().queryTimeout(), query.token());
    try {
      SortedMap<Integer, List<Operation>> answer = client.query(plan, options.withRead(read));
      query.answered(answer);
      cut.answered(answer);
    } catch (UniserveException e) {
      work.pace().failed("a read of one place", e);
    }
  }

  /** Returns whether a query is to see what others were told, too. */
  private boolean everybody() {
    return level() != Consistency.SNAPSHOT || random.nextBoolean();
  }

  /** Reads as many journals as answer in a time that may be short. */
  private void readInPart(Witness.Query query, Plan<SortedMap<Integer, List<Operation>>> journals) {
    Duration timeout = Duration.ofMillis(random.nextInt(1, 1_000));
    try {
      query.answeredPartially(
          client.queryPartially(journals, new QueryOptions(timeout, query.token())));
    } catch (UniserveException e) {
      Pace.AT_ONCE.failed("a query in part", e);
    }
  }

  private void readWholly(
      Witness.Query query,
      Plan<SortedMap<Integer, List<Operation>>> plan,
      Consumer<UniserveException> whenFailed) {
    try {
      query.answered(
          client.query(plan, new QueryOptions(work.pace().queryTimeout(), query.token())));
    } catch (UniserveException e) {
      whenFailed.accept(e);
    }
  }
}
