package io.uniserve.simulation.scenario.copies;

import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadJournal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The client of one site, who appends as long as it can, and reads at the end. */
final class Appender {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(300);
  private static final int THREADS = 2;
  private static final long KEYS = 20;
  private static final int PAUSE_MILLIS_MAX = 200;
  private static final int PIECE_LENGTH = 20;

  private final TableDefinition table;
  private final AtomicLong numbers;
  private final Consumer<Operation> acknowledged;
  private final String restoredName;
  private Environment environment;
  private ClusterClient client;
  private List<ServerStatus> statuses = List.of();
  private int acknowledgedEverywhere;
  private int working;
  private volatile boolean stopping;
  private Optional<SortedMap<Integer, List<Operation>>> journals = Optional.empty();
  private Optional<SortedMap<Integer, List<Operation>>> restored = Optional.empty();

  /**
   * @param table that it makes if there is none, and uses
   * @param numbers the numbers of all operations of both sites
   * @param acknowledged hears of each acknowledged operation
   * @param restoredName the name of the table that it restores at the end
   */
  Appender(
      TableDefinition table,
      AtomicLong numbers,
      Consumer<Operation> acknowledged,
      String restoredName) {
    this.table = table;
    this.numbers = numbers;
    this.acknowledged = acknowledged;
    this.restoredName = restoredName;
  }

  /** Begins a life. */
  void live(Environment newEnvironment, ClusterClient newClient) {
    environment = newEnvironment;
    client = newClient;
    working = 0;
    create();
    for (int i = 0; i < THREADS; i++) {
      working++;
      environment.threads().start("appender-" + i, this::append);
    }
    environment.threads().start("looks", this::look);
  }

  private void create() {
    while (client.state().table(table.name()).isEmpty()) {
      try {
        client.createTable(table, TIMEOUT);
      } catch (UniserveException e) {
        requireRetryable(e);
      }
    }
  }

  private static void requireRetryable(UniserveException e) {
    if (!e.retryable() && e.code() != ErrorCode.ALREADY_EXISTS) {
      throw new IllegalStateException("a request failed for good", e);
    }
  }

  private void append() {
    while (!stopping) {
      List<Operation> operations = new ArrayList<>();
      boolean everywhere = environment.random().nextInt(4) == 0;
      long some = environment.random().nextLong(KEYS);
      for (long key = everywhere ? 0 : some; key < (everywhere ? KEYS : some + 1); key++) {
        operations.add(new Operation(key, numbers.incrementAndGet()));
      }
      if (append(operations) && everywhere) {
        acknowledgedEverywhere++;
      }
      pause(environment.random().nextInt(PAUSE_MILLIS_MAX));
    }
    working--;
  }

  /** Repeats an update until it is acknowledged; returns false if it was told to stop before. */
  private boolean append(List<Operation> operations) {
    Optional<String> key = Optional.of("update-" + operations.getFirst().number());
    while (!stopping) {
      try {
        client.update(
            table.name(),
            new AppendOperations(),
            operations,
            new UpdateOptions(TIMEOUT, Acknowledgement.PRIMARY, key));
        operations.forEach(acknowledged);
        return true;
      } catch (UniserveException e) {
        requireRetryable(e);
      }
    }
    return false;
  }

  private void look() {
    while (true) {
      statuses = client.view().statuses(TIMEOUT);
      pause(LOOK_INTERVAL.toMillis());
    }
  }

  private void pause(long millis) {
    try {
      environment.clock().sleep(Duration.ofMillis(millis));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a client", e);
    }
  }

  /** Returns the last status of each server that answered. */
  List<ServerStatus> statuses() {
    return statuses;
  }

  /** Returns the servers that have copies of the table's actors, as the client knows. */
  List<String> holders() {
    return client == null
        ? List.of()
        : client.state().table(table.name()).stream()
            .flatMap(known -> known.actors().stream())
            .flatMap(actor -> actor.copies().stream())
            .map(CopyState::server)
            .distinct()
            .toList();
  }

  /** Returns the number of updates of all actors that were acknowledged so far. */
  int acknowledgedEverywhere() {
    return acknowledgedEverywhere;
  }

  /** Begins nothing more. */
  void stop() {
    stopping = true;
  }

  /** Returns whether no update is under way any more. */
  boolean finished() {
    return stopping && working == 0;
  }

  /** Begins to read all journals, and those of a restore of all that the store has. */
  void readAll() {
    environment
        .threads()
        .start(
            "reads all",
            () -> {
              journals = Optional.of(read(table.name()));
              restore();
              restored = Optional.of(read(restoredName));
            });
  }

  private SortedMap<Integer, List<Operation>> read(String name) {
    while (true) {
      try {
        return client.query(
            Plan.query(name, new ReadJournal(PIECE_LENGTH), new JournalsByActor()),
            new QueryOptions(TIMEOUT));
      } catch (UniserveException e) {
        requireRetryable(e);
      }
    }
  }

  private void restore() {
    while (client.state().table(restoredName).isEmpty()) {
      try {
        client.backups().backUp(table.name(), TIMEOUT);
        client
            .backups()
            .restore(
                new Restore(
                    List.of(table.name()),
                    Optional.empty(),
                    Optional.of(restoredName),
                    OptionalInt.empty()),
                TIMEOUT);
      } catch (UniserveException e) {
        Invariant.ACKNOWLEDGED_SURVIVES.require(
            e.retryable() || e.code() == ErrorCode.ALREADY_EXISTS, e::toString);
      }
    }
  }

  /** Returns the journals of all actors, once they are read. */
  Optional<SortedMap<Integer, List<Operation>>> journals() {
    return journals;
  }

  /** Returns the restored journals of all actors, once they are read. */
  Optional<SortedMap<Integer, List<Operation>>> restored() {
    return restored;
  }
}
