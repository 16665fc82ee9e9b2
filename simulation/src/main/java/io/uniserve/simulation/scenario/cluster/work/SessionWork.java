package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.Plan;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Promise;
import io.uniserve.runtime.client.OrderedOutcome;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadJournal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** The sessions of one client with an ordered table, one after another. */
final class SessionWork {
  private static final int UPDATES_MAX = 60;
  private static final int READ_ONE_IN = 12;

  /** The share of reads in sessions that are hard pressed. */
  private static final int READ_OFTEN_ONE_IN = 5;

  private static final int WINDOW_MAX = 30;
  private static final int PAUSE_MILLIS_MAX = 40;

  /** The mean number of updates of one actor after which a session turns to another key. */
  private static final int KEY_STAYS_FOR = 3;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String client;
  private final Environment environment;
  private final ClusterClient cluster;
  private final String table;
  private final Workload.Numbers numbers;
  private final Witness witness;
  private final int readOneIn;
  private final Pace pace;
  private final Workload.SessionDefect defect;
  private final RandomGenerator random;
  private long key;

  /**
   * @param pressed true if the sessions read often
   * @param pace unless it is {@link Pace#AT_ONCE}, a session begins once all reads of the one
   *     before it have ended. Reads give whole journals, which grow. If nobody waited for them,
   *     they would pile up until none is answered in time.
   * @param defect an intended defect of the sessions
   */
  SessionWork(
      String client,
      Environment environment,
      ClusterClient cluster,
      String table,
      Workload.Numbers numbers,
      Witness witness,
      boolean pressed,
      Pace pace,
      Workload.SessionDefect defect) {
    this.client = client;
    this.environment = environment;
    this.cluster = cluster;
    this.table = table;
    this.numbers = numbers;
    this.witness = witness;
    this.readOneIn = pressed ? READ_OFTEN_ONE_IN : READ_ONE_IN;
    this.pace = pace;
    this.defect = defect;
    this.random = environment.random();
  }

  /** Submits updates in one session, and waits until they have outcomes. */
  void run(BooleanSupplier stopping) {
    String name = "session-" + numbers.next();
    List<Promise<Boolean>> reads = new ArrayList<>();
    boolean shortWay = random.nextBoolean();
    SessionOptions options =
        new SessionOptions(random.nextInt(1, WINDOW_MAX), 1L << 20, true, PATIENCE, shortWay);
    try (OrderedSession session = defect.of(() -> cluster.updates().session(table, options))) {
      for (int i = random.nextInt(1, UPDATES_MAX); i > 0 && !stopping.getAsBoolean(); i--) {
        if (random.nextInt(readOneIn) == 0) {
          reads.add(read(name, session));
        } else {
          submit(name, session, shortWay);
        }
        if (random.nextInt(3) == 0) {
          environment.clock().sleep(Duration.ofMillis(random.nextInt(PAUSE_MILLIS_MAX)));
        }
      }
      session.drain(PATIENCE.multipliedBy(2));
      if (pace != Pace.AT_ONCE) {
        reads.forEach(
            read -> read.await(Deadline.after(environment.clock(), Deadline.LONGEST), "a read"));
      }
    } catch (UniserveException e) {
      Pace.AT_ONCE.failed("a session", e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a workload", e);
    }
  }

  private void submit(String name, OrderedSession session, boolean shortWay) {
    List<Operation> operations = new ArrayList<>();
    boolean alone = shortWay && random.nextInt(4) > 0;
    if (random.nextInt(KEY_STAYS_FOR) == 0) {
      key = random.nextLong(Workload.KEYS);
    }
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      operations.add(new Operation(alone ? key : random.nextLong(Workload.KEYS), numbers.next()));
    }
    String update = "in-" + name + "-" + operations.getFirst().number();
    witness.begun(client, update, operations);
    if (shortWay) {
      witness.mayGoShort(update);
    }
    witness.submitted(name, update);
    OrderedReceipt receipt = session.submit(new AppendOperations(), operations);
    receipt.stable().thenAccept(number -> witness.stable(update, number));
    receipt.applied().thenAccept(outcome -> applied(update, operations, outcome));
  }

  /** Reads all journals at the session's next place; returns the end of that. */
  private Promise<Boolean> read(String name, OrderedSession session) {
    Plan<SortedMap<Integer, List<Operation>>> journals =
        Plan.query(table, new ReadJournal(pace.pieceLength(random)), new JournalsByActor());
    ReadLevel level = random.nextBoolean() ? ReadLevel.SEQUENTIAL : ReadLevel.SNAPSHOT;
    Witness.CutRead read = witness.readsAtOnePlace(Optional.of(name));
    Promise<Boolean> end = new Promise<>(environment.threads());
    session
        .read(journals, level, PATIENCE)
        .thenAccept(read::answered)
        .whenComplete((done, failure) -> end.complete(true));
    return end;
  }

  private void applied(String key, List<Operation> operations, OrderedOutcome outcome) {
    if (outcome.accepted()) {
      UpdateReceipt receipt = new UpdateReceipt(outcome.positions(), 0);
      witness.acknowledged(client, key, operations, Acknowledgement.ALL_COPIES, receipt);
    }
  }
}
