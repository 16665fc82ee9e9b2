package io.uniserve.runtime.server.replica;

import io.uniserve.api.Consistency;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.UnusableFileException;
import io.uniserve.runtime.server.actor.EngineActors;
import io.uniserve.runtime.server.actor.Ran;
import io.uniserve.runtime.server.actor.RefusedMemberException;
import io.uniserve.runtime.server.actor.Tried;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.keys.AppliedKey;
import io.uniserve.runtime.server.replica.UpdateQueue.Waiting;
import io.uniserve.runtime.wire.TransactionMessage.Applied;
import io.uniserve.runtime.wire.TransactionMessage.Member;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.LogEntryCodec;
import io.uniserve.runtime.wire.entry.LoggedAnswer;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * All changes of a replica's actor, as entries of its log: those of its primary, and those of a
 * follower after it. All happen under the replica's lock, so updates have one order.
 */
final class ReplicaUpdates {
  private final ReplicaState state;
  private final Clock clock;
  private final EngineActors actors;
  private final ReplicaCounters counters;
  private final UpdateQueue<EventualUpdate, AppliedKey> queue;

  ReplicaUpdates(ReplicaState state, Clock clock, EngineActors actors, ReplicaCounters counters) {
    this.state = state;
    this.clock = clock;
    this.actors = actors;
    this.counters = counters;
    this.queue = new UpdateQueue<>(actors, this::updateAll);
  }

  AppliedKey update(
      int generation, Partitioner partitioner, UpdateKey key, Payload function, Payload records) {
    Consistency level = state.target().definition().consistency();
    requireLevel(level == Consistency.EVENTUAL || level == Consistency.SERIALIZABLE);
    actors.check(function, records);
    return queue.await(
        new EventualUpdate(generation, partitioner, key, function, records),
        actors.sizeBytes(function, records));
  }

  /** Returns how many updates of this actor alone wait for their turn. */
  int waiting() {
    return queue.size();
  }

  /** One update that the engine has yet to apply. */
  private record Turn(
      Waiting<EventualUpdate, AppliedKey> waiting, Function<Position, LogEntry.Change> change) {}

  /** Applies updates that wait, in their order. */
  private void updateAll(List<Waiting<EventualUpdate, AppliedKey>> together) {
    state.lock();
    try {
      state.fence().requireLeading();
      ReplicaData data = state.require();
      Deque<Waiting<EventualUpdate, AppliedKey>> left = new ArrayDeque<>(together);
      while (!left.isEmpty()) {
        // What is sent twice is known once the first is applied.
        Set<Hash> names = new LinkedHashSet<>();
        List<Turn> turns = new ArrayList<>();
        while (!left.isEmpty() && names.add(left.element().request().key().turn())) {
          turn(data, left.remove()).ifPresent(turns::add);
        }
        applyAll(data, turns);
      }
    } finally {
      state.unlock();
    }
  }

  /** Returns what is left to do for an update; empty if it is answered already. */
  private Optional<Turn> turn(ReplicaData data, Waiting<EventualUpdate, AppliedKey> waiting) {
    EventualUpdate update = waiting.request();
    try {
      requireGeneration(update.generation());
      long timeMillis = now();
      Optional<AppliedKey> known = data.known(update.key());
      data.requireFit(update.key(), known, timeMillis);
      Optional<Payload> rest =
          rest(update.partitioner(), known, update.function(), update.records());
      if (rest.isPresent()) {
        requireNothingOpen();
        LogEntryCodec.requireSize(actors.sizeBytes(update.function(), rest.get()));
        return Optional.of(
            new Turn(
                waiting,
                next ->
                    new LogEntry.Update(
                        next,
                        timeMillis,
                        update.key(),
                        update.function(),
                        rest.get(),
                        Optional.empty())));
      }
      waiting.done(known.orElseThrow());
    } catch (EngineFailedException e) {
      throw e;
    } catch (UniserveException e) {
      waiting.fail(e);
    }
    return Optional.empty();
  }

  private void applyAll(ReplicaData data, List<Turn> turns) {
    List<Turn> left = turns;
    while (!left.isEmpty()) {
      List<Tried> tried = tryAll(data, left.stream().map(Turn::change).toList());
      List<Ran> ran = new ArrayList<>();
      for (int i = 0; i < tried.size(); i++) {
        switch (tried.get(i)) {
          case Ran one -> ran.add(one);
          case Tried.Refused refused -> left.get(i).waiting().fail(refused.reason());
        }
      }
      logRan(data, ran);
      for (Turn turn : left.subList(0, tried.size())) {
        if (turn.waiting().isOpen()) {
          turn.waiting().done(applied(turn.waiting().request().key()));
        }
      }
      left = left.subList(tried.size(), left.size());
    }
  }

  /** Returns the position of the next entry, as the primary. */
  Position next(ReplicaData data) {
    return new Position(state.fence().requireLeading(), data.position().sequence() + 1);
  }

  /**
   * Has the engine apply changes together, as the primary: as many of the first as the log has room
   * for.
   *
   * @return the outcomes of the first of them, at least one
   */
  List<Tried> tryAll(ReplicaData data, List<Function<Position, LogEntry.Change>> changes) {
    Position next = next(data);
    int fitting =
        data.requireRoom(
            changes.stream().map(change -> actors.sizeBytesMax(change.apply(next))).toList());
    return runAll(data, next, changes.subList(0, fitting));
  }

  private List<Tried> runAll(
      ReplicaData data, Position next, List<Function<Position, LogEntry.Change>> changes) {
    try {
      return data.runAll(next, changes);
    } catch (EngineFailedException e) {
      state.fail();
      throw e;
    }
  }

  /** Returns the update that was just applied with a key. */
  private AppliedKey applied(UpdateKey key) {
    return state.require().known(key).orElseThrow();
  }

  /**
   * Requires that no transaction is prepared whose outcome is unknown.
   *
   * @throws OccupiedException if there is one
   */
  private void requireNothingOpen() {
    state
        .require()
        .open()
        .ifPresent(
            open -> {
              throw new OccupiedException(state.target(), open);
            });
  }

  /**
   * Returns the records that have yet to be applied; empty if all were, under the same key. Of two
   * actors that were merged, one may have applied its own records only.
   *
   * @param partitioner the partitioner of the table
   * @param known the update applied with that key
   */
  Optional<Payload> rest(
      Partitioner partitioner, Optional<AppliedKey> known, Payload function, Payload records) {
    if (known.isEmpty()) {
      return Optional.of(records);
    }
    return known.get().whole()
        ? Optional.empty()
        : actors.rest(function, records, partitioner, known.get().parts());
  }

  /**
   * Requires that the actor has the keys of a generation. A new epoch begins before its first
   * entry, which records a split.
   *
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING} if the actor has, or is about to
   *     have, the keys of another generation
   */
  void requireGeneration(int generation) {
    if (state.require().generation() != generation || generation < state.due()) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING, state.target() + " was split or merged, and has other keys now");
    }
  }

  /**
   * Drops, as the primary, the keys that splits have given to other actors, unless that is done. A
   * prepared transaction has keys of the whole actor: an old copy that lost much may have to learn
   * its outcome first.
   *
   * @param partitioner maps each key to its actor
   * @return true if something was dropped
   */
  boolean retain(Partitioner partitioner) {
    int generation = partitioner.generation(state.target().id().number());
    state.lock();
    try {
      state.fence().requireLeading();
      boolean behind =
          state.require().generation() < generation && state.require().open().isEmpty();
      if (behind) {
        // At any moment of a restore, the actor is whole, or both parts exist.
        long changedMillis = partitioner.changedMillis(state.target().id().number());
        long timeMillis = Math.max(changedMillis, state.require().timeMillis());
        append(next -> new LogEntry.Retain(next, timeMillis, partitioner, generation));
      }
      return behind;
    } finally {
      state.unlock();
    }
  }

  /**
   * Prepares an update as the primary, or a group of several. An actor has at most one transaction
   * that is prepared and not decided.
   *
   * @param partitioner the partitioner of the table
   * @throws OccupiedException if another is prepared
   * @throws UniserveException the engine's vote for abort, after which nothing has changed
   */
  Preparation prepare(PrepareUpdate request, Partitioner partitioner) {
    requireLevel(state.target().definition().consistency().transactional());
    List<Member> members = request.members();
    members.forEach(member -> actors.check(member.function(), member.records()));
    state.lock();
    try {
      state.fence().requireLeading();
      requireGeneration(request.generation());
      ReplicaData data = state.require();
      SortedMap<Integer, Applied> known = new TreeMap<>();
      SortedMap<Integer, LogEntry.Member> left = new TreeMap<>();
      for (int i = 0; i < members.size(); i++) {
        try {
          sort(data, partitioner, i, members.get(i), known, left);
        } catch (EngineFailedException e) {
          throw e;
        } catch (UniserveException e) {
          throw members.size() == 1 ? e : new RefusedMemberException(i, e);
        }
      }
      if (left.isEmpty()) {
        return new Preparation.Known(known);
      }
      if (data.open().filter(open -> open.is(request.transaction())).isEmpty()) {
        requireNothingOpen();
        prepare(data, request.transaction(), members.size(), left);
      }
      return new Preparation.Ready(data.position(), known);
    } catch (RefusedMemberException e) {
      return new Preparation.Refused(e.number());
    } finally {
      state.unlock();
    }
  }

  /** Puts an update with those that were applied before, or with those that have yet to be. */
  private void sort(
      ReplicaData data,
      Partitioner partitioner,
      int number,
      Member member,
      SortedMap<Integer, Applied> known,
      SortedMap<Integer, LogEntry.Member> left) {
    Optional<AppliedKey> before = data.known(member.key());
    data.requireFit(member.key(), before, now());
    Optional<Payload> rest = rest(partitioner, before, member.function(), member.records());
    if (rest.isPresent()) {
      left.put(
          number,
          new LogEntry.Member(member.key(), member.function(), rest.get(), Optional.empty()));
    } else {
      AppliedKey applied = before.orElseThrow();
      known.put(number, new Applied(applied.position(), data.version(), applied.answers()));
    }
  }

  /**
   * Prepares updates.
   *
   * @param asked the number of updates of the request
   * @param left those that have yet to be applied, by their numbers in the request
   * @throws RefusedMemberException if the engine refuses one of several, with its number in the
   *     request
   */
  private void prepare(
      ReplicaData data, String transaction, int asked, SortedMap<Integer, LogEntry.Member> left) {
    List<LogEntry.Member> members = List.copyOf(left.values());
    try {
      append(next -> LogEntry.Prepare.of(next, data.timeMillis(), transaction, members));
    } catch (RefusedMemberException e) {
      throw new RefusedMemberException(List.copyOf(left.keySet()).get(e.number()), e);
    } catch (EngineFailedException e) {
      throw e;
    } catch (UniserveException e) {
      boolean refused = members.size() == 1 && asked > 1 && !e.retryable();
      throw refused ? new RefusedMemberException(left.firstKey(), e) : e;
    }
  }

  /**
   * Returns the time of the next entry. Time never goes back, whatever this clock or that of a
   * former primary does.
   */
  long now() {
    return Math.max(clock.now().toEpochMilli(), state.require().timeMillis());
  }

  /**
   * Commits a transaction as the primary.
   *
   * @param keys the keys of its updates
   * @return the updates as they were committed, now or before
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if the actor lost what it had
   *     prepared
   */
  List<AppliedKey> commit(List<UpdateKey> keys, Commitment decided) {
    state.lock();
    try {
      state.fence().requireLeading();
      if (state.require().open().filter(open -> open.is(decided.transaction())).isPresent()) {
        long timeMillis = Math.max(decided.timeMillis(), state.require().timeMillis());
        append(
            next ->
                new LogEntry.Commit(next, timeMillis, decided.transaction(), decided.version()));
      }
      return keys.stream().map(key -> requireKnown(key, decided)).toList();
    } finally {
      state.unlock();
    }
  }

  private AppliedKey requireKnown(UpdateKey key, Commitment decided) {
    return state
        .require()
        .known(key)
        .orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.NOT_FOUND,
                    state.target() + " has lost transaction " + decided.transaction()));
  }

  /** Aborts a transaction as the primary, if it is prepared; returns the position since then. */
  Position abort(String transaction) {
    state.lock();
    try {
      state.fence().requireLeading();
      if (state.require().open().filter(open -> open.is(transaction)).isPresent()) {
        long timeMillis = state.require().timeMillis();
        return append(next -> new LogEntry.Abort(next, timeMillis, transaction));
      }
      return state.require().position();
    } finally {
      state.unlock();
    }
  }

  private void requireLevel(boolean has) {
    if (!has) {
      throw UniserveException.invalid(
          state.target() + " has updates of level " + state.target().definition().consistency());
    }
  }

  /**
   * Makes the next entry, as the primary. The engine takes a change before the log has it, since
   * the engine may refuse it, and since the entry has its answer. A process that dies in between
   * loses nothing that anybody was told. If the log fails then, the copy is opened again without
   * the change.
   *
   * @throws UniserveException the engine's; nothing has changed
   */
  Position append(Function<Position, LogEntry> change) {
    ReplicaData data = state.require();
    Position next = next(data);
    switch (change.apply(next)) {
      case LogEntry.Change entry -> {
        LogEntryCodec.requireSize(actors.sizeBytesMax(entry));
        data.requireRoom(List.of(actors.sizeBytesMax(entry)));
        logRan(data, List.of(run(data, entry)));
      }
      case LogEntry entry -> logAndApply(data, entry);
    }
    return next;
  }

  private Ran run(ReplicaData data, LogEntry.Change entry) {
    try {
      return data.run(entry);
    } catch (EngineFailedException e) {
      state.fail();
      throw e;
    }
  }

  /** A next entry of the log. */
  sealed interface Step {
    LogEntry entry();

    /**
     * A change that the engine has taken.
     *
     * @param ran the change
     */
    record Applied(Ran ran) implements Step {
      @Override
      public LogEntry entry() {
        return ran.entry();
      }
    }

    /**
     * An entry that changes nothing in the engine.
     *
     * @param entry the entry
     */
    record Noted(LogEntry entry) implements Step {}
  }

  private void logRan(ReplicaData data, List<Ran> ran) {
    log(data, ran.stream().<Step>map(Step.Applied::new).toList());
  }

  /** Writes entries to the log, all at once, after the engine has taken those that are changes. */
  void log(ReplicaData data, List<Step> steps) {
    if (steps.isEmpty()) {
      return;
    }
    boolean taken = steps.stream().anyMatch(Step.Applied.class::isInstance);
    try {
      data.append(steps.stream().map(Step::entry).toList());
    } catch (EngineFailedException e) {
      state.fail();
      throw e;
    } catch (UniserveException e) {
      throw taken ? state.failLog(e) : e;
    }
    for (Step step : steps) {
      switch (step) {
        case Step.Applied applied -> data.take(applied.ran());
        case Step.Noted noted -> data.apply(noted.entry());
      }
      counters.updated();
    }
  }

  /** Makes an entry that no engine refuses. */
  private void logAndApply(ReplicaData data, LogEntry entry) {
    log(data, entry);
    try {
      data.apply(entry);
      counters.updated();
    } catch (EngineFailedException e) {
      state.fail();
      throw e;
    }
  }

  private void log(ReplicaData data, LogEntry entry) {
    try {
      data.append(List.of(entry));
    } catch (EngineFailedException e) {
      state.fail();
      throw e;
    }
  }

  /**
   * Stops using the replica after the log could not be forced. It is unknown what the disk has of
   * the log, so the copy must be opened again.
   */
  EngineFailedException unusable(UnusableFileException failure) {
    state.lock();
    try {
      return state.failLog(failure);
    } finally {
      state.unlock();
    }
  }

  /**
   * Applies what the primary of an epoch sent, in its order. It applies nothing if this replica
   * follows another primary.
   *
   * @throws EngineFailedException if the engine fails, or refuses what it accepted at the primary
   */
  void applyReplicated(long epoch, List<LogEntry> entries) {
    state.lock();
    try {
      state.fence().requireFollowing(epoch);
      applyLikePrimary(state.require(), entries);
    } finally {
      state.unlock();
    }
  }

  /**
   * Applies what the durable store has, in its order, before this replica leads or follows. It
   * fails as {@link #applyReplicated} does.
   */
  void applyStored(List<LogEntry> entries) {
    state.lock();
    try {
      state.fence().requireIdle();
      applyLikePrimary(state.require(), entries);
    } finally {
      state.unlock();
    }
  }

  /**
   * Forces everything applied up to a position to disk.
   *
   * @throws EngineFailedException if it is unknown what the disk has
   */
  void force(Position upTo) throws IOException {
    force(state.require(), upTo);
  }

  /**
   * Forces everything applied so far to disk, if this replica is open.
   *
   * @throws EngineFailedException if it is unknown what the disk has
   */
  void forceAll() throws IOException {
    Optional<ReplicaData> data = state.trusted();
    if (data.isPresent()) {
      force(data.get(), data.get().position());
    }
  }

  /**
   * Forces to disk what nobody may be told before it is there: a prepared transaction, updates that
   * their primary alone has decided, and updates of an ordered table, which the controllers forget
   * once they are told.
   */
  void forcePromised() throws IOException {
    Optional<ReplicaData> data = state.trusted().filter(now -> !now.firmness().isForced());
    if (data.isPresent()) {
      force(data.get(), data.get().position());
    }
  }

  private void force(ReplicaData data, Position upTo) throws IOException {
    try {
      data.force(upTo);
    } catch (UnusableFileException e) {
      throw unusable(e);
    }
  }

  /** Returns whether this replica leads an epoch, and its log has a position. */
  boolean has(long epoch, Position position) {
    state.lock();
    try {
      return leads(epoch) && state.trusted().filter(data -> data.has(position)).isPresent();
    } finally {
      state.unlock();
    }
  }

  /** Applies entries as their primary did; the engine gets those of a kind together. */
  private void applyLikePrimary(ReplicaData data, List<LogEntry> entries) {
    List<LogEntry.Change> together = new ArrayList<>();
    for (LogEntry entry : entries) {
      switch (entry) {
        case LogEntry.Update update -> together.add(update);
        case LogEntry.Ordered ordered -> together.add(ordered);
        case LogEntry.Prepare prepare -> {
          applyTogether(data, together);
          data.requireRoom(List.of(actors.sizeBytesMax(prepare)));
          logRan(data, List.of(sameAsPrimary(() -> run(data, prepare), prepare)));
        }
        case LogEntry other -> {
          applyTogether(data, together);
          logAndApply(data, other);
        }
      }
      if (together.size() == UpdateQueue.TOGETHER_MAX) {
        applyTogether(data, together);
      }
    }
    applyTogether(data, together);
  }

  /** Applies changes, and forgets them. */
  private void applyTogether(ReplicaData data, List<LogEntry.Change> changes) {
    List<LogEntry.Change> left = changes;
    while (!left.isEmpty()) {
      int fitting = data.requireRoom(left.stream().map(actors::sizeBytesMax).toList());
      applyFitting(data, left.subList(0, fitting));
      left = left.subList(fitting, left.size());
    }
    changes.clear();
  }

  private void applyFitting(ReplicaData data, List<LogEntry.Change> changes) {
    List<Function<Position, LogEntry.Change>> left = new ArrayList<>();
    changes.forEach(change -> left.add(next -> change));
    List<Ran> ran = new ArrayList<>();
    while (ran.size() < changes.size()) {
      List<Tried> tried =
          runAll(data, changes.get(ran.size()).position(), left.subList(ran.size(), left.size()));
      for (Tried one : tried) {
        ran.add(sameAsPrimary(() -> taken(one), changes.get(ran.size())));
      }
    }
    logRan(data, ran);
  }

  private static Ran taken(Tried tried) {
    return switch (tried) {
      case Ran ran -> ran;
      case Tried.Refused refused -> throw refused.reason();
    };
  }

  /**
   * Requires that the engine takes a change and answers as it did at the primary. Otherwise the
   * copy is not one of the same actor any more.
   */
  private Ran sameAsPrimary(Supplier<Ran> attempt, LogEntry.Change change) {
    try {
      Ran ran = attempt.get();
      requireSameAnswer(change, ran);
      return ran;
    } catch (EngineFailedException e) {
      state.fail();
      throw e;
    } catch (UniserveException e) {
      state.fail();
      throw new EngineFailedException(
          "update of " + state.target() + ", which the primary applied,", e);
    }
  }

  /** Requires that the engine answers as it did at the primary. */
  private void requireSameAnswer(LogEntry.Change change, Ran ran) {
    if (change instanceof LogEntry.Prepare primary && ran.entry() instanceof LogEntry.Prepare own) {
      for (int i = 0; i < primary.members().size(); i++) {
        requireSameAnswer(primary.members().get(i).answer(), own.members().get(i).answer());
      }
    } else {
      requireSameAnswer(change.answer(), ran.entry().answer());
    }
  }

  private static void requireSameAnswer(
      Optional<LoggedAnswer> primary, Optional<LoggedAnswer> own) {
    if (primary.isPresent() && !primary.equals(own)) {
      throw UniserveException.invalid("here it gives " + own + ", at the primary " + primary);
    }
  }

  /** Returns whether this replica leads an epoch, even if it takes no updates for a while. */
  boolean leads(long epoch) {
    Role role = state.fence().role();
    return role.equals(new Role.Leading(epoch)) || role.equals(new Role.HandingOver(epoch));
  }

  /**
   * Returns the entries that a follower at a position needs next; empty if it must load a
   * checkpoint.
   */
  Optional<List<LogEntry>> after(long epoch, Position from, int bytesMax) throws IOException {
    state.lock();
    try {
      state.fence().requireFollowed(epoch);
      return state.require().after(from, bytesMax);
    } finally {
      state.unlock();
    }
  }

  /** Returns the same without waiting for the lock or the disk; empty if that is not possible. */
  Optional<List<LogEntry>> recentAfter(long epoch, Position from, int bytesMax) {
    if (!state.tryLock()) {
      return Optional.empty();
    }
    try {
      return state
          .trusted()
          .filter(data -> leads(epoch))
          .flatMap(data -> data.recentAfter(from, bytesMax));
    } finally {
      state.unlock();
    }
  }

  /** Returns all pieces of the log, to be read without the replica's lock. */
  List<ReplicaLog.Piece> logPieces() {
    state.lock();
    try {
      return state.trusted().map(ReplicaData::logPieces).orElse(List.of());
    } finally {
      state.unlock();
    }
  }

  /** Returns whether a piece is still a part of the log. */
  boolean logHas(ReplicaLog.Piece piece) {
    state.lock();
    try {
      return state.trusted().filter(data -> data.logHas(piece)).isPresent();
    } finally {
      state.unlock();
    }
  }
}
