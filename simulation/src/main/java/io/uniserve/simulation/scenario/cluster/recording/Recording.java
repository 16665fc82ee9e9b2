package io.uniserve.simulation.scenario.cluster.recording;

import io.uniserve.api.ActorId;
import io.uniserve.api.TableDefinition;
import io.uniserve.kernel.InvariantViolation;
import io.uniserve.runtime.client.Coverage;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent;
import io.uniserve.simulation.scenario.cluster.work.Witness;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The recorded history of one table of a real cluster, as its clients see it. It is written down
 * while it happens, in one order, and judged afterwards by the checks of simulated runs. Safe for
 * use by many threads.
 */
public final class Recording implements Witness {
  private final TableDefinition table;
  private final LongSupplier millis;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Moment> moments = new ArrayList<>();

  /**
   * Each operation once. Every answer has all operations until then, so a recording of some
   * thousands of updates and answers would otherwise fill a heap with equal ones.
   */
  private final Map<Operation, Operation> operations = new HashMap<>();

  private Token token = Token.NONE;
  private long queries;

  /** An event and when it happened, in milliseconds since the recording began. */
  record Moment(long atMillis, HistoryEvent event) {}

  /**
   * @param table the history's
   * @param millis returns the time since the recording began; never goes back
   */
  public Recording(TableDefinition table, LongSupplier millis) {
    this.table = table;
    this.millis = millis;
  }

  /** Creates a recording of known moments. */
  Recording(TableDefinition table, List<Moment> moments) {
    this(table, () -> 0);
    this.moments.addAll(moments);
  }

  /**
   * Returns the recording of a text.
   *
   * @throws IllegalArgumentException that names the line which is not of a recording
   */
  public static Recording read(String text) {
    return RecordingText.read(text);
  }

  TableDefinition table() {
    return table;
  }

  List<Moment> moments() {
    lock.lock();
    try {
      return List.copyOf(moments);
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many events it has. */
  public int size() {
    return moments().size();
  }

  /**
   * Returns text that {@link #read} understands.
   *
   * @param comment lines for people, which say where it comes from
   */
  public String text(List<String> comment) {
    return RecordingText.text(this, comment);
  }

  /**
   * Checks the whole history against the promises of the table's level, once its last copies are
   * recorded. No acknowledged update may be lost: the recorder ensures that at least one readable
   * copy of each actor stayed within reach.
   *
   * @return the numbers of the judgement, for people
   * @throws InvariantViolation that says what does not hold
   */
  public String judge() {
    return new RecordedChecks(this).judge();
  }

  void add(HistoryEvent event) {
    lock.lock();
    try {
      moments.add(new Moment(millis.getAsLong(), event));
    } finally {
      lock.unlock();
    }
  }

  /** Returns the operations of every update that was acknowledged so far. */
  public Set<Operation> acknowledged() {
    Map<String, List<Operation>> begun = new HashMap<>();
    Set<Operation> acknowledged = new HashSet<>();
    for (Moment moment : moments()) {
      switch (moment.event()) {
        case HistoryEvent.Begun update -> begun.put(update.key(), update.operations());
        case HistoryEvent.Acknowledged update -> acknowledged.addAll(begun.get(update.key()));
        default -> {
          // It acknowledges nothing.
        }
      }
    }
    return acknowledged;
  }

  /** Returns the longest time from the beginning of an update to its acknowledgement. */
  public long longestWaitMillis() {
    Map<String, Long> begun = new HashMap<>();
    long longest = 0;
    for (Moment moment : moments()) {
      switch (moment.event()) {
        case HistoryEvent.Begun update -> begun.put(update.key(), moment.atMillis());
        case HistoryEvent.Acknowledged update ->
            longest = Math.max(longest, moment.atMillis() - begun.get(update.key()));
        default -> {
          // It is of no update.
        }
      }
    }
    return longest;
  }

  /** Records the final contents of a server's copy of an actor. */
  public void held(int actor, String server, List<Operation> journal) {
    add(new HistoryEvent.Held(actor, server, shared(journal)));
  }

  private SortedMap<Integer, List<Operation>> shared(SortedMap<Integer, List<Operation>> journals) {
    SortedMap<Integer, List<Operation>> shared = new TreeMap<>();
    journals.forEach((actor, journal) -> shared.put(actor, shared(journal)));
    return shared;
  }

  /** Returns an equal list of operations that all lists of this recording share. */
  private List<Operation> shared(List<Operation> journal) {
    lock.lock();
    try {
      return journal.stream()
          .map(operation -> operations.computeIfAbsent(operation, Function.identity()))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void begun(String client, String key, List<Operation> operations) {
    add(new HistoryEvent.Begun(client, key, shared(operations)));
  }

  @Override
  public void toldToRetry(String key, List<Operation> operations) {
    add(new HistoryEvent.ToldToRetry(key));
  }

  @Override
  public void sentAgain(String key) {
    add(new HistoryEvent.SentAgain(key));
  }

  @Override
  public void submitted(String session, String key) {
    add(new HistoryEvent.Submitted(session, key));
  }

  @Override
  public void mayGoShort(String key) {
    add(new HistoryEvent.MayGoShort(key));
  }

  @Override
  public void stable(String key, long number) {
    add(new HistoryEvent.Stable(key, number));
  }

  @Override
  public CutRead readsAtOnePlace(Optional<String> session) {
    lock.lock();
    try {
      long number = ++queries;
      add(new HistoryEvent.Cut(number, session));
      return journals -> add(new HistoryEvent.CutAnswered(number, shared(journals)));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void acknowledged(
      String client,
      String key,
      List<Operation> operations,
      Acknowledgement level,
      UpdateReceipt receipt) {
    SortedMap<Integer, Position> positions = new TreeMap<>();
    for (ActorId actor : receipt.positions().keySet()) {
      positions.put(actor.number(), receipt.positions().get(actor));
    }
    lock.lock();
    try {
      add(new HistoryEvent.Acknowledged(key, level, positions, receipt.version()));
      token = token.and(Token.of(receipt));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Query asked(String client, boolean everybody) {
    lock.lock();
    try {
      long number = ++queries;
      add(new HistoryEvent.Asked(number, client, everybody));
      return new Asked(number, everybody ? token : Token.NONE);
    } finally {
      lock.unlock();
    }
  }

  private final class Asked implements Query {
    private final long number;
    private final Token told;

    Asked(long number, Token told) {
      this.number = number;
      this.told = told;
    }

    @Override
    public Token token() {
      return told;
    }

    @Override
    public void answered(SortedMap<Integer, List<Operation>> journals) {
      add(new HistoryEvent.Answered(number, shared(journals)));
    }

    @Override
    public void answeredPartially(PartialAnswer<SortedMap<Integer, List<Operation>>> some) {
      List<Integer> missing =
          some.coverage().missing().stream().map(Coverage.Missing::actor).toList();
      add(
          new HistoryEvent.AnsweredInPart(
              number, shared(some.result()), some.coverage().asked(), missing));
    }
  }
}
