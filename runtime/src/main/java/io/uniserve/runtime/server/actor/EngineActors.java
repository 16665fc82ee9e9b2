package io.uniserve.runtime.server.actor;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Answer;
import io.uniserve.api.BatchedUpdate;
import io.uniserve.api.Consistency;
import io.uniserve.api.Engine;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.ReplicaFiles;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.engine.EngineThreads;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.server.engine.UsualTime;
import io.uniserve.runtime.server.keys.Part;
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.LoggedAnswer;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's side of one replica. Creates, opens, updates and serialises its actor, all on engine
 * threads.
 */
public final class EngineActors {
  private static final Logger LOG = LoggerFactory.getLogger(EngineActors.class);

  /** The greatest size of an entry but for its function, records and answer, in bytes. */
  private static final int ENTRY_BYTES_MAX = 16 << 10;

  private final ReplicaTarget target;
  private final Engines engines;
  private final EngineThreads threads;
  private final ReplicaFiles files;
  private final EngineAnswers answers;

  /** The usual duration of a check, and of an update or a part of one. */
  private final UsualTime checks = new UsualTime();

  private final UsualTime updates = new UsualTime();

  public EngineActors(
      ReplicaTarget target, Engines engines, EngineThreads threads, ReplicaFiles files) {
    this.target = target;
    this.engines = engines;
    this.threads = threads;
    this.files = files;
    this.answers = new EngineAnswers(target, engines);
  }

  /** Creates a new, empty actor. */
  public Shared<Actor> create() throws IOException {
    return begin(life -> threads.call("create " + target, () -> engine().create(context(life))));
  }

  /** Opens the actor from a checkpoint. */
  public Shared<Actor> open(Checkpoint checkpoint) throws IOException {
    return begin(
        life -> {
          ReplicaFiles.copyInto(checkpoint, life, engine().writesFilesOnce());
          return threads.call("open " + target, () -> engine().deserialize(context(life)));
        });
  }

  @FunctionalInterface
  private interface Beginning {
    Actor in(Path life) throws IOException;
  }

  /** Creates or opens an actor in a new directory, which is deleted if that fails. */
  private Shared<Actor> begin(Beginning beginning) throws IOException {
    Path life = files.newLife();
    try {
      Actor actor = beginning.in(life);
      return closedAtEnd(actor, () -> delete(life));
    } catch (IOException | RuntimeException e) {
      delete(life);
      throw e;
    }
  }

  /**
   * Returns an actor in use. A failure to close it is logged, since its last user cannot handle it.
   *
   * @param afterClose releases what the actor stood on
   */
  private static Shared<Actor> closedAtEnd(Actor actor, Runnable afterClose) {
    return new Shared<>(
        actor,
        () -> {
          try {
            actor.close();
          } catch (RuntimeException | LinkageError e) {
            LOG.error("an actor could not be closed", e);
          }
          try {
            afterClose.run();
          } catch (UniserveException e) {
            LOG.warn("files of a closed actor cannot be deleted; the next start deletes them", e);
          }
        });
  }

  /**
   * Checks that an update fits this actor, so that the engine never receives a foreign one.
   *
   * @throws UniserveException with a code of the caller's, or {@link ErrorCode#CORRUPT}
   */
  public void check(Payload function, Payload records) {
    threads.call(
        "check of an update of " + target,
        () -> {
          UpdateCheck.require(target, engines, function, records);
          return null;
        },
        checks);
  }

  /** Returns the space that the actor occupies; {@link Usage#NONE} if the engine cannot tell. */
  public Usage usage(Shared<Actor> live) {
    try {
      return live.value().usage();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("the engine cannot tell the usage of {}", target, e);
      return Usage.NONE;
    }
  }

  /**
   * Applies or prepares an update. One of a table of transactions that its primary alone decides is
   * prepared and committed.
   *
   * @param entry the change; if it has an answer already, that is kept
   * @return the entry with the function's answer, now
   * @throws EngineFailedException if the actor is in doubt afterwards
   * @throws UniserveException if the engine refuses it, or votes for abort; the actor is as before
   */
  public Ran run(Shared<Actor> live, LogEntry.Change entry) {
    return threads.call("update of " + target, () -> run(live.value(), entry), updates);
  }

  /** Returns whether an update must be on the disk of each copy before anybody is told of it. */
  public boolean promises() {
    return target.definition().consistency() != Consistency.EVENTUAL;
  }

  /** Returns whether updates of the actor's table happen on all their actors or on none. */
  public boolean transactional() {
    return target.definition().consistency().transactional();
  }

  private Ran run(Actor actor, LogEntry.Change entry) {
    if (entry instanceof LogEntry.Prepare prepare) {
      return prepare(actor, prepare);
    }
    List<PartitionedRecord> records = records(entry.records());
    Optional<LoggedAnswer> answer;
    if (transactional()) {
      answer = vote(actor, entry.function(), records);
      commit(actor, entry.function());
    } else {
      answer = answers.logged(updateFunction(entry), records.size(), batched(entry).applyTo(actor));
    }
    return ran(entry, answer, records);
  }

  /**
   * Prepares the updates of a transaction, each on top of those before it.
   *
   * @throws RefusedMemberException if one of several is refused; nothing is prepared then
   */
  private Ran prepare(Actor actor, LogEntry.Prepare prepare) {
    List<LogEntry.Member> members = prepare.members();
    List<Optional<LoggedAnswer>> logged = new ArrayList<>();
    for (LogEntry.Member member : members) {
      int number = logged.size();
      try {
        logged.add(
            vote(
                actor,
                member.function(),
                records(member.records()),
                () ->
                    members.subList(0, number).reversed().stream()
                        .findFirst()
                        .ifPresent(before -> abort(actor, before))));
      } catch (EngineFailedException e) {
        throw e;
      } catch (UniserveException e) {
        throw members.size() == 1 ? e : new RefusedMemberException(number, e);
      }
    }
    LogEntry.Prepare entry = prepare.answered(logged);
    List<Optional<GivenAnswer>> given = new ArrayList<>();
    for (LogEntry.Member member : members) {
      // An answer that the entry has already is kept.
      Optional<LoggedAnswer> answer = member.answer().or(() -> logged.get(given.size()));
      given.add(answers.given(entry.position(), answer, records(member.records())));
    }
    return new Ran(entry, given.getFirst(), given.subList(1, given.size()));
  }

  private void abort(Actor actor, LogEntry.Member member) {
    try {
      function(member.function()).abort(actor);
    } catch (UniserveException e) {
      throw new EngineFailedException("abort on " + target, e);
    }
  }

  private Ran ran(
      LogEntry.Change entry, Optional<LoggedAnswer> answer, List<PartitionedRecord> records) {
    return new Ran(
        entry.answered(answer),
        answers.given(entry.position(), entry.answer().or(() -> answer), records));
  }

  private void commit(Actor actor, Payload prepared) {
    try {
      function(prepared).commit(actor);
    } catch (UniserveException e) {
      throw new EngineFailedException("commit on " + target, e);
    }
  }

  private UpdateFunction<?, ?> updateFunction(LogEntry.Change entry) {
    return (UpdateFunction<?, ?>) entry.function().value(engines);
  }

  private BatchedUpdate batched(LogEntry.Change entry) {
    return new BatchedUpdate(updateFunction(entry), records(entry.records()));
  }

  /**
   * Applies updates together.
   *
   * @param first the position of the first that the engine applies; the others come after it
   * @param changes the entries, each as it is at a position
   * @return the outcomes of the first of them, at least one
   * @throws EngineFailedException if the actor is in doubt afterwards
   */
  public List<Tried> runAll(
      Shared<Actor> live, Position first, List<Function<Position, LogEntry.Change>> changes) {
    Actor actor = live.value();
    Callable<List<Tried>> work =
        () ->
            transactional()
                ? oneByOne(actor, first, changes)
                : tried(
                    first,
                    changes,
                    actor.updateAll(
                        changes.stream().map(change -> batched(change.apply(first))).toList()));
    if (engine().updatesWait()) {
      return threads.callHere("updates of " + target, work);
    }
    // What many take says nothing of one.
    return changes.size() == 1
        ? threads.call("update of " + target, work, updates)
        : threads.call("updates of " + target, work);
  }

  /** Applies updates that are prepared and committed, each before the next. */
  private List<Tried> oneByOne(
      Actor actor, Position first, List<Function<Position, LogEntry.Change>> changes) {
    Position next = first;
    List<Tried> tried = new ArrayList<>();
    for (Function<Position, LogEntry.Change> change : changes) {
      try {
        tried.add(run(actor, change.apply(next)));
        next = new Position(next.epoch(), next.sequence() + 1);
      } catch (EngineFailedException e) {
        throw e;
      } catch (UniserveException e) {
        tried.add(new Tried.Refused(e));
      }
    }
    return tried;
  }

  private List<Tried> tried(
      Position first,
      List<Function<Position, LogEntry.Change>> changes,
      List<BatchedUpdate.Outcome> outcomes) {
    if (outcomes.isEmpty() || outcomes.size() > changes.size()) {
      throw new IllegalStateException(
          "the engine gives %d outcomes of %d updates".formatted(outcomes.size(), changes.size()));
    }
    for (BatchedUpdate.Outcome outcome : outcomes.subList(0, outcomes.size() - 1)) {
      if (outcome instanceof BatchedUpdate.Outcome.Refused refused
          && refused.reason().retryable()) {
        throw new IllegalStateException(
            "the engine went on after an update that it may apply later", refused.reason());
      }
    }
    Position next = first;
    List<Tried> tried = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      switch (outcomes.get(i)) {
        case BatchedUpdate.Outcome.Applied applied -> {
          LogEntry.Change entry = changes.get(i).apply(next);
          List<PartitionedRecord> records = records(entry.records());
          tried.add(
              ran(
                  entry,
                  answers.logged(updateFunction(entry), records.size(), applied.answer()),
                  records));
          next = new Position(next.epoch(), next.sequence() + 1);
        }
        case BatchedUpdate.Outcome.Refused refused ->
            tried.add(new Tried.Refused(refused.reason()));
      }
    }
    return tried;
  }

  /** Prepares an update. A wrong answer aborts it, and nothing has changed. */
  private Optional<LoggedAnswer> vote(Actor actor, Payload of, List<PartitionedRecord> records) {
    return vote(actor, of, records, () -> {});
  }

  /**
   * Prepares an update on top of others. If it is refused, or its answer is wrong, nothing is
   * prepared any more.
   *
   * @param abortOthers aborts those before it
   */
  private Optional<LoggedAnswer> vote(
      Actor actor, Payload of, List<PartitionedRecord> records, Runnable abortOthers) {
    UpdateFunction.Serializable<Actor, PartitionedRecord> function = function(of);
    try {
      if (!function.prepare(actor, records)) {
        throw new UniserveException(ErrorCode.ABORTED, target + " votes against " + function);
      }
    } catch (UniserveException e) {
      abortOthers.run();
      throw e;
    }
    try {
      return answers.logged(function, records.size(), function.answer(actor));
    } catch (IllegalStateException e) {
      function.abort(actor);
      throw new UniserveException(ErrorCode.INTERNAL, e.getMessage(), e);
    }
  }

  /**
   * Makes what was prepared visible.
   *
   * @param read true if a reader of the then visible records is requested
   * @return that reader
   * @throws EngineFailedException if the engine fails, which it must not
   */
  public Optional<Shared<Actor>> commit(
      Shared<Actor> live, LogEntry.Prepare prepared, boolean read) {
    return conclude(
        "commit on ",
        () -> {
          last(prepared).commit(live.value());
          return read ? Optional.of(reader(live)) : Optional.empty();
        });
  }

  /**
   * Forgets what was prepared.
   *
   * @throws EngineFailedException if the engine fails, which it must not
   */
  public void abort(Shared<Actor> live, LogEntry.Prepare prepared) {
    conclude(
        "abort on ",
        () -> {
          last(prepared).abort(live.value());
          return null;
        });
  }

  /** Returns the function that ends a transaction: the last that was prepared. */
  private UpdateFunction.Serializable<Actor, PartitionedRecord> last(LogEntry.Prepare prepared) {
    return function(prepared.members().getLast().function());
  }

  private <T> T conclude(String what, Callable<T> body) {
    try {
      return threads.call(what + target, body, updates);
    } catch (EngineFailedException e) {
      throw e;
    } catch (UniserveException e) {
      throw new EngineFailedException(what + target, e);
    }
  }

  @SuppressWarnings("unchecked")
  private UpdateFunction.Serializable<Actor, PartitionedRecord> function(Payload function) {
    return (UpdateFunction.Serializable<Actor, PartitionedRecord>) function.value(engines);
  }

  @SuppressWarnings("unchecked")
  private List<PartitionedRecord> records(Payload records) {
    return (List<PartitionedRecord>) records.value(engines);
  }

  /**
   * Drops the records that belong to other actors.
   *
   * @throws EngineFailedException if the actor is in doubt afterwards
   */
  public void retain(Shared<Actor> live, Partitioner partitioner) {
    int number = target.id().number();
    conclude(
        "split of ",
        () -> {
          live.value().retain(key -> partitioner.actorOf(key) == number);
          return null;
        });
  }

  /**
   * Takes over all records of another actor.
   *
   * @throws EngineFailedException if the actor is in doubt afterwards
   * @throws UniserveException if the engine refuses it for now
   */
  public void absorb(Shared<Actor> live, Shared<Actor> other) {
    threads.call(
        "merge into " + target,
        () -> {
          live.value().absorb(other.value());
          return null;
        });
  }

  /**
   * Returns the rest of an update that some parts of the actor have applied already, as actors of
   * their own before a merge; empty if nothing is left.
   *
   * @throws UniserveException if the update has no records, so that the rest cannot be determined
   */
  public Optional<Payload> rest(
      Payload function, Payload records, Partitioner partitioner, List<Part> parts) {
    return threads.call(
        "rest of an update of " + target,
        () -> {
          List<PartitionedRecord> all = records(records);
          if (all.isEmpty()) {
            return Optional.of(again(function, records));
          }
          Partitioner.Refined refined = (Partitioner.Refined) partitioner;
          List<PartitionedRecord> rest =
              all.stream()
                  .filter(
                      record ->
                          parts.stream()
                              .noneMatch(part -> part.has(refined, record.partitionKey())))
                  .toList();
          return rest.isEmpty()
              ? Optional.empty()
              : Optional.of(Payload.of(records.engine(), rest));
        });
  }

  private Payload again(Payload function, Payload records) {
    if (function.value(engines) instanceof UpdateFunction.Eventual<?, ?> known
        && known.repeatable()) {
      return records;
    }
    throw new UniserveException(
        ErrorCode.ABORTED,
        "the update was applied to a part of "
            + target
            + " before that was merged with another, and not to the rest: submit an update for"
            + " the whole with another key");
  }

  /** Returns a key with about half of the actor's records before it. */
  public Optional<PartitionKey> middle(Shared<Actor> live) {
    return threads.call("middle of " + target, () -> live.value().middle());
  }

  /** Returns whether reads of the actor's table see a single version. */
  public boolean versioned() {
    return target.definition().consistency() == Consistency.SNAPSHOT;
  }

  /** Returns whether a delivery is a read, which the engine does not see. */
  public boolean isRead(Delivery delivery) {
    return delivery.isRead(engines);
  }

  /** Returns whether reads of the actor's table may be of marks, at which readers are opened. */
  public boolean opensAtMarks() {
    return target.definition().consistency() == Consistency.ORDERED && engine().takesSnapshots();
  }

  /**
   * Returns a point-in-time reader of the actor, which stays open as long as it is used.
   *
   * @throws EngineFailedException if the engine gives none
   */
  public Shared<Actor> snapshot(Shared<Actor> live) {
    return threads.call("snapshot of " + target, () -> reader(live));
  }

  private static Shared<Actor> reader(Shared<Actor> live) {
    Actor reader =
        live.value()
            .snapshot()
            .orElseThrow(() -> new IllegalStateException("the engine has no snapshot"));
    live.acquire();
    return closedAtEnd(reader, live::release);
  }

  /** Returns the size of the bytes of an update. */
  public int sizeBytes(Payload function, Payload records) {
    return function.bytes(engines).remaining() + records.bytes(engines).remaining();
  }

  /**
   * Returns a bound for the size of an entry's bytes.
   *
   * @param entry an entry without an answer, whose function may give its greatest, or with one
   */
  public int sizeBytesMax(LogEntry.Change entry) {
    return entry instanceof LogEntry.Prepare prepare
        ? prepare.members().stream()
            .mapToInt(one -> sizeBytesMax(one.function(), one.records(), one.answer()))
            .sum()
        : sizeBytesMax(entry.function(), entry.records(), entry.answer());
  }

  private int sizeBytesMax(Payload function, Payload records, Optional<LoggedAnswer> answer) {
    int answerBytes = answer.map(known -> known.value().length).orElse(Answer.BYTES_MAX);
    return ENTRY_BYTES_MAX + sizeBytes(function, records) + answerBytes;
  }

  /** Returns the clock by which versions age. */
  public Clock clock() {
    return threads.clock();
  }

  /**
   * Makes applied updates visible.
   *
   * @throws EngineFailedException if the engine fails
   */
  public void refresh(Shared<Actor> live) {
    conclude(
        "refresh of ",
        () -> {
          live.value().refresh();
          return null;
        });
  }

  /** Writes the actor's files. */
  public void serialize(Shared<Actor> live, Path directory) {
    threads.call(
        "serialise " + target,
        () -> {
          live.value().serialize(directory);
          return null;
        });
  }

  /** Creates a signal to wait on. */
  public Signal signal() {
    return threads.signal();
  }

  private Engine<?> engine() {
    return engines.engine(target.definition().engine());
  }

  private ActorContext context(Path life) {
    return new ActorContext(target.definition(), target.id().number(), life);
  }

  private void delete(Path life) {
    try {
      files.delete(life);
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }
}
