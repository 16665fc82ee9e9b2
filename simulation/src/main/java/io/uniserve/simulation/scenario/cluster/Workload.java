package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.Consistency;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.Plan;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.ClusterClient;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadJournal;
import io.uniserve.simulation.model.RefusedOperations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.random.RandomGenerator;

/** What one client does: updates and queries, on several threads, until it is told to stop. */
final class Workload {
  private static final int UPDATERS = 2;
  private static final int READERS = 2;
  static final long KEYS = 40;
  private static final Duration UPDATE_TIMEOUT = Duration.ofSeconds(4);
  private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(2);

  private final String name;
  private final Environment environment;
  private final ClusterClient client;
  private final Numbers numbers;
  private final Promises promises;
  private final History history;
  private final LostDecisions lostDecisions;
  private final Answers answers;
  private final RandomGenerator random;
  private final RandomPlans plans;
  private final ScratchTables scratch;
  private final Movers movers;
  private List<ServerStatus> statuses = List.of();
  private boolean stopping;
  private int running;

  /** Gives every operation of a run a number of its own. */
  static final class Numbers {
    private long last;

    long next() {
      return ++last;
    }
  }

  Workload(
      String name,
      Environment environment,
      ClusterClient client,
      Numbers numbers,
      Promises promises,
      History history,
      LostDecisions lostDecisions,
      Answers answers,
      Placing placing) {
    this.name = name;
    this.environment = environment;
    this.client = client;
    this.numbers = numbers;
    this.promises = promises;
    this.history = history;
    this.lostDecisions = lostDecisions;
    this.answers = answers;
    random = environment.random();
    plans = new RandomPlans(random, answers::actorOf);
    scratch = new ScratchTables(client, random, numbers);
    movers = new Movers(client, random, placing);
  }

  void start() {
    for (int i = 0; i < UPDATERS; i++) {
      start("updater-" + i, this::update);
    }
    for (int i = 0; i < READERS; i++) {
      start("reader-" + i, this::read);
    }
    start("definer", scratch::makeAndDrop);
    start("mover", movers::meddle);
  }

  /** Drops what is left of other tables, and asks the servers how they are, for ever. */
  void tidyUp() {
    environment
        .threads()
        .start(
            "tidy",
            () -> {
              while (true) {
                scratch.dropAll();
                statuses = client.statuses(QUERY_TIMEOUT);
                pause(500);
              }
            });
  }

  /** Has every server used again, for ever. */
  void useAllServers() {
    environment
        .threads()
        .start(
            "use all",
            () -> {
              // Again and again: a request to drain one may arrive late.
              while (true) {
                movers.useAll();
                pause(200);
              }
            });
  }

  /** What the servers told last of themselves. */
  List<ServerStatus> statuses() {
    return statuses;
  }

  /** Lets what is under way finish, and begins nothing more. */
  void stop() {
    stopping = true;
  }

  boolean finished() {
    return stopping && running == 0;
  }

  private void start(String name, Runnable once) {
    running++;
    environment
        .threads()
        .start(
            name,
            () -> {
              while (!stopping) {
                once.run();
                pause(random.nextInt(300));
              }
              running--;
            });
  }

  private void pause(long millis) {
    try {
      environment.clock().sleep(Duration.ofMillis(millis));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a workload", e);
    }
  }

  private void update() {
    List<Operation> operations = new ArrayList<>();
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      operations.add(new Operation(random.nextLong(KEYS), numbers.next()));
    }
    if (random.nextInt(10) == 0) {
      refused(operations);
    } else {
      append(operations);
    }
  }

  /** As an application does: again with the same key, until the answer is known. */
  private void append(List<Operation> operations) {
    Acknowledgement level =
        transactional() || random.nextBoolean()
            ? Acknowledgement.ALL_COPIES
            : Acknowledgement.PRIMARY;
    String key = "update-" + operations.getFirst().number();
    if (transactional()) {
      history.begun(key, operations);
    }
    Optional<UpdateReceipt> receipt = Optional.empty();
    while (receipt.isEmpty()) {
      receipt = tryAppend(operations, level, key);
    }
    if (transactional()) {
      history.acknowledged(key);
    }
    promises.acknowledged(name, key, operations, level, receipt.get());
  }

  private boolean transactional() {
    return level().transactional();
  }

  private Consistency level() {
    return client.state().requireTable(ClusterShape.TABLE).definition().consistency();
  }

  private Optional<UpdateReceipt> tryAppend(
      List<Operation> operations, Acknowledgement level, String key) {
    try {
      return Optional.of(
          client.update(
              ClusterShape.TABLE,
              new AppendOperations(),
              operations,
              new UpdateOptions(UPDATE_TIMEOUT, level, Optional.of(key))));
    } catch (UniserveException e) {
      if (!e.retryable()) {
        throw new IllegalStateException("an update failed for good", e);
      }
      return Optional.empty();
    }
  }

  private void refused(List<Operation> operations) {
    try {
      client.update(
          ClusterShape.TABLE,
          new RefusedOperations(operations.getLast().key()),
          operations,
          new UpdateOptions(UPDATE_TIMEOUT, Acknowledgement.PRIMARY, Optional.empty()));
      throw new IllegalStateException("a refused update was acknowledged");
    } catch (UniserveException e) {
      boolean refused =
          e.code() == (transactional() ? ErrorCode.ABORTED : ErrorCode.INVALID_ARGUMENT);
      if (!e.retryable() && !refused) {
        throw new IllegalStateException("a refused update failed otherwise", e);
      }
    }
  }

  private void read() {
    boolean everybody = level() != Consistency.SNAPSHOT || random.nextBoolean();
    Token token = everybody ? promises.token() : Token.NONE;
    Answers.Before before =
        answers.before(
            name,
            promises.onAllCopies().stream()
                .filter(promise -> everybody || promise.client().equals(name))
                .toList());
    int pieceLength = random.nextInt(1, 40);
    try {
      int kind = random.nextInt(8);
      if (kind < 2) {
        answers.check(partialJournals(pieceLength, token), before);
        return;
      }
      SortedMap<Integer, List<Operation>> journals =
          kind < 5
              ? client.query(plans.next(), new QueryOptions(QUERY_TIMEOUT, token))
              : journals(pieceLength, token);
      answers.check(journals, before);
      if (level() == Consistency.SNAPSHOT) {
        answers.checkOneVersion(journals, lostDecisions.versions());
      }
    } catch (UniserveException e) {
      if (!e.retryable()) {
        throw new IllegalStateException("a query failed for good", e);
      }
    }
  }

  /** As many journals as answer in a time that may be short. */
  private PartialAnswer<SortedMap<Integer, List<Operation>>> partialJournals(
      int pieceLength, Token token) {
    return client.queryPartially(
        Plan.query(ClusterShape.TABLE, new ReadJournal(pieceLength), new JournalsByActor()),
        new QueryOptions(Duration.ofMillis(random.nextInt(1, 1_000)), token));
  }

  /** All journals, as this client sees them. */
  private SortedMap<Integer, List<Operation>> journals(int pieceLength, Token token) {
    return client.query(
        Plan.query(ClusterShape.TABLE, new ReadJournal(pieceLength), new JournalsByActor()),
        new QueryOptions(QUERY_TIMEOUT, token));
  }
}
