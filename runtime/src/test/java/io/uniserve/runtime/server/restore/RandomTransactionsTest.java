package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Restores of random tables of transactions, each compared with what the table had. Transactions of
 * random actors are prepared, decided and heard of late, between updates of one actor. Other seeds
 * than the first are played with {@code -Drestores.from} and {@code -Drestores.seeds}.
 */
class RandomTransactionsTest extends OrderStoreFixture {
  private static final Payload NOTHING = Payload.ofBytes(StillEngine.NAME, ByteBuffer.allocate(0));
  private static final long NEWEST = Long.MAX_VALUE;

  private Random random;
  private List<Line> lines;
  private final List<Transaction> open = new ArrayList<>();
  private final List<Transaction> committed = new ArrayList<>();
  private long now = 10;
  private int begun;

  private static IntStream seeds() {
    int from = Integer.getInteger("restores.from", 0);
    return IntStream.range(from, from + Integer.getInteger("restores.seeds", 60));
  }

  /** One transaction. Its actors hear of the decision later. */
  private static final class Transaction {
    private final String name;
    private final Set<Integer> actors;
    private boolean decided;
    private Commitment commitment = Commitment.NONE;

    private Transaction(String name, Set<Integer> actors) {
      this.name = name;
      this.actors = actors;
    }

    private boolean isCommitted() {
      return !commitment.equals(Commitment.NONE);
    }

    @Override
    public String toString() {
      return name + " of " + actors + ", " + commitment;
    }
  }

  /** One actor: its log, and what of that the store has. */
  private final class Line {
    private final int actor;
    private final List<LogEntry> log = new ArrayList<>();
    private final List<UpdateKey> applied = new ArrayList<>();

    /** The time since which the store may have had each entry, by index. */
    private final List<Long> visibleSince = new ArrayList<>();

    /** The indexes of entries that it has only in a checkpoint. */
    private final Set<Integer> passedOver = new HashSet<>();

    private Optional<Transaction> prepared = Optional.empty();
    private Commitment decided = Commitment.NONE;
    private long version;
    private int stored;
    private boolean opened;

    private Line(int actor) {
      this.actor = actor;
    }

    private Position next() {
      return at(1, log.size() + 1);
    }

    private Position end() {
      return log.isEmpty() ? Position.START : log.getLast().position();
    }

    private long lastMillis() {
      return log.isEmpty() ? 0 : log.getLast().timeMillis();
    }

    private void prepare(Transaction transaction) {
      LogEntry.Member member =
          new LogEntry.Member(UpdateKey.of(transaction.name), NOTHING, NOTHING, Optional.empty());
      log.add(LogEntry.Prepare.of(next(), lastMillis(), transaction.name, List.of(member)));
      prepared = Optional.of(transaction);
    }

    /** Hears what was decided, if something was. */
    private void hear() {
      Optional<Transaction> known = prepared.filter(transaction -> transaction.decided);
      if (known.isEmpty()) {
        return;
      }
      Transaction transaction = known.get();
      if (transaction.isCommitted()) {
        version = transaction.commitment.version();
        long millis = transaction.commitment.timeMillis();
        log.add(new LogEntry.Commit(next(), millis, transaction.name, version));
        applied.add(UpdateKey.of(transaction.name));
      } else {
        log.add(new LogEntry.Abort(next(), lastMillis(), transaction.name));
      }
      prepared = Optional.empty();
    }

    private void update() {
      if (prepared.isEmpty()) {
        UpdateKey key = UpdateKey.of("u" + actor + "-" + log.size());
        long millis = Math.max(now, lastMillis());
        log.add(new LogEntry.Update(next(), millis, key, NOTHING, NOTHING, Optional.empty()));
        applied.add(key);
      }
    }

    private void store() {
      if (stored < log.size()) {
        List<LogEntry> more = log.subList(stored, log.size());
        Position after = stored == 0 ? Position.START : log.get(stored - 1).position();
        if (opened) {
          more(actor, after, more.toArray(LogEntry[]::new));
        } else {
          log(actor, after, more.toArray(LogEntry[]::new));
          opened = true;
        }
        more.forEach(entry -> visibleSince.add(entry.timeMillis()));
        stored = log.size();
      }
    }

    private void storeWithCheckpoint(boolean withLog) throws IOException {
      if (prepared.isPresent() || log.isEmpty()) {
        return;
      }
      if (withLog || !opened) {
        store();
      } else if (stored < log.size()) {
        gap(actor, log.get(stored - 1).position(), end());
        while (visibleSince.size() < log.size()) {
          passedOver.add(visibleSince.size());
          visibleSince.add(lastMillis());
        }
        stored = log.size();
      }
      checkpoint(
          actor,
          new CheckpointMeta(end(), lastMillis(), version, 0, ReceivedOrder.Stored.NONE, List.of()),
          applied);
    }

    /** Returns whether the store may have had the commit of a transaction by a moment. */
    private boolean hadCommit(Transaction transaction, long moment) {
      return IntStream.range(0, stored)
          .filter(i -> visibleSince.get(i) <= moment)
          .anyMatch(i -> isCommit(log.get(i), transaction));
    }
  }

  private static boolean isCommit(LogEntry entry, Transaction transaction) {
    return entry instanceof LogEntry.Commit commit && commit.transaction().equals(transaction.name);
  }

  /**
   * Runs the table for a while.
   *
   * @param gaps true if the store may not answer for some time
   */
  private void run(int seed, boolean gaps) throws IOException {
    random = new Random(seed);
    int actors = 2 + random.nextInt(3);
    lines = IntStream.range(0, actors).mapToObj(Line::new).toList();
    int steps = 20 + random.nextInt(60);
    for (int step = 0; step < steps; step++) {
      now += random.nextInt(3) == 0 ? 0 : random.nextInt(8);
      Line line = lines.get(random.nextInt(actors));
      switch (random.nextInt(14)) {
        case 0, 1, 2 -> begin();
        case 3, 4, 5 -> decide();
        case 6, 7, 8, 9 -> line.hear();
        case 10 -> line.update();
        case 11, 12 -> line.store();
        default -> line.storeWithCheckpoint(!(gaps && random.nextBoolean()));
      }
    }
  }

  private void begin() {
    Set<Integer> actors = new TreeSet<>();
    for (Line line : lines) {
      if (line.prepared.isEmpty() && random.nextInt(3) > 0) {
        actors.add(line.actor);
      }
    }
    if (!actors.isEmpty()) {
      Transaction next = new Transaction("t" + begun++, actors);
      open.add(next);
      actors.forEach(actor -> lines.get(actor).prepare(next));
    }
  }

  private void decide() {
    if (open.isEmpty()) {
      return;
    }
    Transaction transaction = open.remove(random.nextInt(open.size()));
    transaction.decided = true;
    if (random.nextInt(5) > 0) {
      committed.add(transaction);
      transaction.commitment = new Commitment(transaction.name, committed.size(), now);
      transaction.actors.forEach(actor -> lines.get(actor).decided = transaction.commitment);
    }
  }

  private void storeEverything() {
    while (!open.isEmpty()) {
      decide();
    }
    for (Line line : lines) {
      line.hear();
      line.store();
    }
  }

  private List<Cut> cuts(long moment, boolean storedFirst) {
    return TransactionPlanner.plan(
        "table",
        lines.stream().map(line -> past(line.actor, moment, storedFirst)).toList(),
        moment,
        () -> lines.stream().map(line -> line.decided).toList());
  }

  private List<Long> moments() {
    return Stream.concat(
            lines.stream().flatMap(line -> line.log.stream()).map(LogEntry::timeMillis),
            Stream.of(1L, now + 100))
        .flatMap(millis -> Stream.of(millis - 1, millis))
        .distinct()
        .sorted()
        .toList();
  }

  /** Returns the entries of an actor that a restore has. */
  private static List<LogEntry> restored(Line line, List<Cut> cuts) {
    Position last = cuts.get(line.actor).last();
    return line.log.stream().filter(entry -> entry.position().compareTo(last) <= 0).toList();
  }

  /** Returns whether a restore has the part of a transaction of an actor. */
  private boolean has(int actor, Transaction transaction, List<Cut> cuts) {
    List<LogEntry> entries = restored(lines.get(actor), cuts);
    boolean prepared =
        cuts.get(actor).commits()
            && entries.getLast() instanceof LogEntry.Prepare prepare
            && prepare.transaction().equals(transaction.name);
    return prepared || entries.stream().anyMatch(entry -> isCommit(entry, transaction));
  }

  private void requireAllOrNothing(List<Cut> cuts, String when) {
    boolean lacks = false;
    for (Transaction transaction : committed) {
      Set<Boolean> has = new HashSet<>();
      transaction.actors.forEach(actor -> has.add(has(actor, transaction, cuts)));
      assertThat(has).as(when + ", " + transaction + ", " + cuts + "\n" + this).hasSize(1);
      assertThat(lacks && has.contains(true))
          .as(when + ", " + transaction + " without those before it\n" + this)
          .isFalse();
      lacks |= has.contains(false) && !isWhollyPassedOver(transaction);
    }
    assertThat(cuts.stream().filter(Cut::commits).count())
        .as("nothing is committed that was not decided so")
        .isEqualTo(
            lines.stream()
                .filter(line -> cuts.get(line.actor).commits())
                .filter(line -> committed.stream().anyMatch(each -> has(line.actor, each, cuts)))
                .count());
  }

  /** The store has everything: each moment has exactly what was decided by then. */
  @ParameterizedTest
  @MethodSource("seeds")
  void ofACompleteStoreEachMomentIsRestoredExactly(int seed) throws IOException {
    run(seed, false);
    storeEverything();
    boolean storedFirst = random.nextBoolean();
    for (long moment : moments()) {
      List<Cut> cuts = cuts(moment, storedFirst);
      requireMoment(cuts, moment);
    }
    requireMoment(cuts(NEWEST, storedFirst), NEWEST);
  }

  private void requireMoment(List<Cut> cuts, long moment) {
    requireAllOrNothing(cuts, "as of " + moment);
    for (Transaction transaction : committed) {
      for (int actor : transaction.actors) {
        assertThat(has(actor, transaction, cuts))
            .as("as of " + moment + ", " + transaction + "\n" + this)
            .isEqualTo(transaction.commitment.timeMillis() <= moment);
      }
    }
    for (Line line : lines) {
      assertThat(updates(restored(line, cuts)))
          .as("as of " + moment + "\n" + this)
          .isEqualTo(
              updates(line.log).stream().filter(each -> each.timeMillis() <= moment).toList());
    }
  }

  private static List<LogEntry> updates(List<LogEntry> entries) {
    return entries.stream().filter(LogEntry.Update.class::isInstance).toList();
  }

  /** The store lags behind: no transaction is restored in part. */
  @ParameterizedTest
  @MethodSource("seeds")
  void ofAStoreThatLagsWholeTransactionsAreRestored(int seed) throws IOException {
    run(seed, false);
    requireAllOrNothing(cuts(NEWEST, true), "now");
    requireMoments(true);
    requireMoments(false);
  }

  /** While the store did not answer, actors went on, and acknowledged nothing. */
  @ParameterizedTest
  @MethodSource("seeds")
  void ofAStoreWithGapsNothingAcknowledgedIsLeftOut(int seed) throws IOException {
    run(seed, true);
    storeEverything();
    requireMoment(cuts(NEWEST, true), NEWEST);
    requireMoments(true);
  }

  /** All copies are lost: the table goes on with whatever the store has. */
  @ParameterizedTest
  @MethodSource("seeds")
  void afterALossWholeTransactionsGoOn(int seed) throws IOException {
    run(seed, true);
    List<Cut> cuts =
        TransactionPlanner.recover(
            "table",
            lines.stream().map(line -> past(line.actor)).toList(),
            () -> lines.stream().map(line -> line.decided).toList());
    requireAllOrNothing(cuts, "after a loss");
    for (Line line : lines) {
      assertThat(cuts.get(line.actor).last().sequence()).isLessThanOrEqualTo(line.stored);
    }
  }

  private void requireMoments(boolean storedFirst) {
    for (long moment : moments()) {
      try {
        List<Cut> cuts = cuts(moment, storedFirst);
        requireAllOrNothing(cuts, "as of " + moment);
        requireAllAcknowledged(cuts, moment);
      } catch (UniserveException e) {
        assertThat(e.code()).isIn(ErrorCode.UNAVAILABLE, ErrorCode.NOT_FOUND);
        assertThat(mayBeRefused(moment))
            .as("as of " + moment + ": " + e.getMessage() + "\n" + this)
            .isTrue();
      }
    }
  }

  /**
   * Returns whether no restore as of a moment may be possible: the store lags behind, has entries
   * of before the moment only in a checkpoint, or lacks a part of a transaction behind which
   * others, or updates, may have been acknowledged.
   */
  private boolean mayBeRefused(long moment) {
    boolean lags = lines.stream().anyMatch(line -> line.stored < line.log.size());
    boolean bridged =
        lines.stream()
            .anyMatch(
                line -> line.passedOver.stream().anyMatch(i -> line.visibleSince.get(i) <= moment));
    return lags || bridged || committed.stream().anyMatch(each -> isInTheWay(each, moment));
  }

  private boolean isInTheWay(Transaction lacking, long moment) {
    boolean lacks =
        lacking.actors.stream().anyMatch(actor -> isPassedOver(lines.get(actor), lacking, moment));
    return lacks
        && (committed.stream()
                .filter(each -> each.commitment.version() > lacking.commitment.version())
                .anyMatch(each -> isVisible(each, moment))
            || lacking.actors.stream()
                .anyMatch(actor -> hasUpdateBehind(lines.get(actor), lacking, moment))
            || endsPrepared(lacking, moment));
  }

  private static boolean isPassedOver(Line line, Transaction transaction, long moment) {
    return line.passedOver.stream()
        .filter(i -> line.visibleSince.get(i) > moment)
        .anyMatch(i -> isCommit(line.log.get(i), transaction));
  }

  /** Returns whether an actor has committed an update behind a transaction by a moment. */
  private static boolean hasUpdateBehind(Line line, Transaction transaction, long moment) {
    boolean behind = false;
    for (int i = 0; i < line.stored; i++) {
      LogEntry entry = line.log.get(i);
      behind |=
          entry instanceof LogEntry.Commit commit
              && commit.version() >= transaction.commitment.version();
      if (behind && entry instanceof LogEntry.Update && line.visibleSince.get(i) <= moment) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the log of an actor ends with the preparation of a transaction. */
  private boolean endsPrepared(Transaction transaction, long moment) {
    return transaction.actors.stream()
        .map(lines::get)
        .anyMatch(
            line ->
                line.passedOver.stream()
                    .filter(i -> isCommit(line.log.get(i), transaction))
                    .anyMatch(i -> i > 0 && !line.passedOver.contains(i - 1)));
  }

  /** Returns whether the store has a transaction only in checkpoints. */
  private boolean isWhollyPassedOver(Transaction transaction) {
    return transaction.actors.stream()
        .allMatch(actor -> isPassedOver(lines.get(actor), transaction, 0));
  }

  private boolean isVisible(Transaction transaction, long moment) {
    return transaction.actors.stream()
        .allMatch(actor -> lines.get(actor).hadCommit(transaction, moment));
  }

  private void requireAllAcknowledged(List<Cut> cuts, long moment) {
    for (Transaction transaction : committed) {
      if (isVisible(transaction, moment)) {
        assertThat(has(transaction.actors.iterator().next(), transaction, cuts))
            .as("as of " + moment + ", " + transaction + "\n" + this)
            .isTrue();
      }
    }
    for (Line line : lines) {
      List<LogEntry> has = restored(line, cuts);
      for (int i = 0; i < line.stored; i++) {
        if (line.log.get(i) instanceof LogEntry.Update && line.visibleSince.get(i) <= moment) {
          assertThat(has).as("as of " + moment + "\n" + this).contains(line.log.get(i));
        }
      }
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    committed.forEach(each -> text.append(each).append('\n'));
    for (Line line : lines) {
      text.append("actor ").append(line.actor).append(":\n");
      for (int i = 0; i < line.log.size(); i++) {
        LogEntry entry = line.log.get(i);
        String name =
            switch (entry) {
              case LogEntry.Prepare prepare -> " prepares " + prepare.transaction();
              case LogEntry.Commit commit -> " commits " + commit.transaction();
              case LogEntry.Abort abort -> " aborts " + abort.transaction();
              default -> " update";
            };
        text.append("  ")
            .append(entry.position())
            .append(" at ")
            .append(entry.timeMillis())
            .append(name)
            .append(line.passedOver.contains(i) ? ", in a checkpoint" : "")
            .append(i < line.stored ? "\n" : ", not stored\n");
      }
    }
    return text.toString();
  }
}
