package io.uniserve.testkit.ledger;

import io.uniserve.api.Actor;
import io.uniserve.api.Answer;
import io.uniserve.api.BatchedUpdate;
import io.uniserve.api.Usage;
import io.uniserve.api.error.UniserveException;
import io.uniserve.testkit.ledger.LedgerEngine.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Sums in memory that are replaced as a whole, so that a query sees all of an update or none. */
final class LedgerActor implements Actor {
  private static final long PAUSE_NANOS = 2_000_000;
  private static final AtomicLong ACTORS = new AtomicLong();

  private final Defect defect;
  private final LedgerFiles files;
  private final long number = ACTORS.incrementAndGet();
  private volatile SortedMap<String, Long> sums;
  private volatile boolean updating;

  /** The sums with each update that is prepared, in their order. */
  private final List<SortedMap<String, Long>> prepared = new ArrayList<>();

  /** The entries of the last update that was prepared. */
  private List<Entry> preparedEntries = List.of();

  /** The entries of a refused update that a defective ledger has not forgotten. */
  private final SortedMap<String, Long> notUndone = new TreeMap<>();

  private long updates;

  LedgerActor(Defect defect, LedgerFiles files, SortedMap<String, Long> sums) throws IOException {
    this.defect = defect;
    this.files = files;
    this.sums = new TreeMap<>(sums);
    if (defect == Defect.STARTS_WITHOUT_FILES) {
      files.writeIfPossible(sums);
    } else {
      files.write(sums);
    }
  }

  /** Makes a snapshot. */
  private LedgerActor(Defect defect, LedgerFiles files, LedgerActor original) {
    this.defect = defect;
    this.files = files;
    sums = original.sums;
  }

  /** Makes a separate, sound ledger beside this one. */
  LedgerActor other(SortedMap<String, Long> contents) throws IOException {
    return new LedgerActor(Defect.NONE, files.beside(), contents);
  }

  SortedMap<String, Long> read() {
    if (updating && defect == Defect.FAILS_DURING_UPDATES) {
      throw new IllegalStateException("an update is under way");
    }
    SortedMap<String, Long> seen = new TreeMap<>(sums);
    switch (defect) {
      case STARTS_WITH_DATA, COUNTS_ACTORS -> seen.merge("surplus", 1L, Long::sum);
      case LOSES_DATA -> seen.remove("cash");
      default -> {} // the actor is usable
    }
    return seen;
  }

  void add(List<Entry> entries) {
    updating = true;
    try {
      SortedMap<String, Long> next = sum(entries, sums);
      if (defect == Defect.APPLIES_BEFORE_IT_WRITES) {
        sums = next;
      }
      files.write(next);
      sums = next;
      updates++;
    } catch (IOException e) {
      throw UniserveException.of(e);
    } finally {
      updating = false;
    }
  }

  /** Returns the sums with further amounts. */
  private SortedMap<String, Long> sum(List<Entry> entries, SortedMap<String, Long> former) {
    SortedMap<String, Long> next = new TreeMap<>(former);
    notUndone.forEach((account, amount) -> next.merge(account, amount, Long::sum));
    for (Entry entry : entries) {
      require(entry, next);
      next.merge(entry.account(), entry.amount() + surplus(), Long::sum);
      show(next);
      if (defect == Defect.ADDS_WHAT_IT_REFUSED || defect == Defect.PREPARES_WHAT_IT_REFUSED) {
        notUndone.merge(entry.account(), entry.amount(), Long::sum);
      }
    }
    notUndone.clear(); // applied, with the others
    return next;
  }

  void prepare(List<Entry> entries) {
    boolean alone = prepared.isEmpty() || defect == Defect.PREPARES_ON_THE_COMMITTED;
    try {
      prepared.add(sum(entries, alone ? sums : prepared.getLast()));
      preparedEntries = entries;
    } catch (UniserveException e) {
      if (defect == Defect.COMMITS_BEFORE_A_REFUSAL && !prepared.isEmpty()) {
        commit();
      }
      throw e;
    }
    if (defect == Defect.SHOWS_WHAT_IS_PREPARED) {
      sums = prepared.getLast();
    }
  }

  Answer answerOfPrepared() {
    SortedMap<String, Long> its = prepared.getLast();
    return Answer.each(preparedEntries.stream().map(entry -> its.get(entry.account())).toList());
  }

  void commit() {
    if (prepared.isEmpty()) {
      return; // a refusal has discarded everything, or a defect has committed it
    }
    try {
      files.write(prepared.getLast());
    } catch (IOException e) {
      if (defect != Defect.HIDES_A_FAILED_COMMIT) {
        throw new UncheckedIOException(e);
      }
    }
    if (defect == Defect.CHANGES_SNAPSHOTS) {
      sums.putAll(prepared.getLast());
    } else {
      sums = prepared.getLast();
    }
    updates++;
    prepared.clear();
  }

  void abort() {
    if (defect == Defect.ABORTS_THE_LAST_ALONE && prepared.size() > 1) {
      prepared.removeLast();
      commit();
    }
    if (defect != Defect.KEEPS_WHAT_IS_ABORTED) {
      prepared.clear();
    }
  }

  @Override
  public Optional<Actor> snapshot() {
    return Optional.of(new LedgerActor(defect, files, this));
  }

  @Override
  public void refresh() throws IOException {
    try {
      files.write(sums);
    } catch (IOException e) {
      if (defect != Defect.LOSES_WHAT_IT_CANNOT_SHOW) {
        throw e;
      }
      sums = new TreeMap<>();
    }
  }

  Answer answer(List<Entry> entries) {
    return switch (defect) {
      case ANSWERS_COPIES_APART -> Answer.of(number);
      case ANSWERS_TOO_MUCH -> Answer.of("much ".repeat(100));
      default -> Answer.each(entries.stream().map(entry -> sums.get(entry.account())).toList());
    };
  }

  @Override
  public List<BatchedUpdate.Outcome> updateAll(List<BatchedUpdate> updates) {
    List<BatchedUpdate.Outcome> outcomes = Actor.super.updateAll(updates);
    List<BatchedUpdate.Outcome> told = new ArrayList<>();
    for (BatchedUpdate.Outcome outcome : outcomes) {
      boolean after = !told.isEmpty() && told.getLast() instanceof BatchedUpdate.Outcome.Refused;
      told.add(
          switch (defect) {
            case ENDS_WITH_A_REFUSAL -> after ? told.getLast() : outcome;
            case ANSWERS_TOGETHER_APART ->
                outcome instanceof BatchedUpdate.Outcome.Applied
                    ? new BatchedUpdate.Outcome.Applied(Answer.NONE)
                    : outcome;
            default -> outcome;
          });
    }
    return told;
  }

  private void require(Entry entry, SortedMap<String, Long> half) {
    boolean accepts = defect == Defect.FORGETS_WHAT_IT_REFUSES && updates == 0;
    if (entry.amount() < 0 && !accepts) {
      if (defect == Defect.APPLIES_HALF) {
        sums = half;
      }
      throw UniserveException.invalid("a negative amount: " + entry);
    }
  }

  private long surplus() {
    return switch (defect) {
      case TELLS_COPIES_APART, ORDERS_COPIES_APART -> number;
      case RESTARTS_COUNTING -> updates;
      default -> 0;
    };
  }

  /** Shows half of an update, which only a defective ledger does, slowly. */
  private void show(SortedMap<String, Long> half) {
    if (defect == Defect.SHOWS_HALF) {
      sums = new TreeMap<>(half);
    }
    if (defect == Defect.SHOWS_HALF || defect == Defect.FAILS_DURING_UPDATES) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Override
  public void serialize(Path directory) throws IOException {
    try {
      files.serialize(directory, sums);
    } catch (IOException e) {
      if (defect != Defect.HIDES_A_FAILED_CHECKPOINT) {
        throw e;
      }
    }
    if (defect == Defect.ENDS_WITH_SERIALIZE) {
      sums = new TreeMap<>();
    }
  }

  @Override
  public Usage usage() {
    if (defect == Defect.TAKES_TIME_FOR_USAGE) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return new Usage(defect == Defect.OCCUPIES_LESS_THAN_NOTHING ? -1 : 100L * sums.size(), 0);
  }

  @Override
  public void close() {
    try {
      files.close();
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }
}
