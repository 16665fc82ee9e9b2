package io.uniserve.runtime.server.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.replica.OrderStoreFixture;
import io.uniserve.runtime.server.restore.TransactionPlanner.Planned;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Restores of random tables of transactions, each compared with what the table had. Transactions of
 * random actors are prepared, decided and heard of late, between updates of one actor.
 */
class RandomTransactionsTest extends RandomTableFixture<RandomTransactionsTest.Line> {
  private static final long NEWEST = Long.MAX_VALUE;

  private final List<Transaction> open = new ArrayList<>();
  private final List<Transaction> committed = new ArrayList<>();
  private int begun;

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

  /** One actor. */
  static final class Line extends StoredLine {
    private final List<UpdateKey> applied = new ArrayList<>();

    /** The entries of the actors of which it was made. */
    private final List<LogEntry> inherited = new ArrayList<>();

    private Optional<Transaction> prepared = Optional.empty();
    private Commitment decided = Commitment.NONE;
    private long version;

    private Line(OrderStoreFixture store, int actor) {
      super(store, actor);
    }

    private Line(OrderStoreFixture store, int actor, CheckpointMeta made, Line... of) {
      super(store, actor, made);
      version = made.version();
      for (Line each : of) {
        inherited.addAll(each.inherited);
        inherited.addAll(each.log);
        applied.addAll(each.applied);
        decided = each.decided.version() > decided.version() ? each.decided : decided;
      }
    }

    @Override
    CheckpointMeta meta() {
      return new CheckpointMeta(
          end(), lastMillis(), version, generation(), ReceivedOrder.Stored.NONE, List.of());
    }

    @Override
    List<UpdateKey> applied() {
      return applied;
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

    private void update(long now) {
      if (prepared.isEmpty()) {
        UpdateKey key = UpdateKey.of("u" + actor + "-" + log.size());
        long millis = Math.max(now, lastMillis());
        log.add(new LogEntry.Update(next(), millis, key, NOTHING, NOTHING, Optional.empty()));
        applied.add(key);
      }
    }

    @Override
    String describe(LogEntry entry) {
      return switch (entry) {
        case LogEntry.Prepare prepare -> " prepares " + prepare.transaction();
        case LogEntry.Commit commit -> " commits " + commit.transaction();
        case LogEntry.Abort abort -> " aborts " + abort.transaction();
        default -> " update";
      };
    }
  }

  private static boolean isCommit(LogEntry entry, Transaction transaction) {
    return entry instanceof LogEntry.Commit commit && commit.transaction().equals(transaction.name);
  }

  @Override
  Line first(int actor) {
    return new Line(this, actor);
  }

  @Override
  Line part(Line whole, int actor, CheckpointMeta made) {
    return new Line(this, actor, made, whole);
  }

  @Override
  Line whole(Line one, Line other, int actor, CheckpointMeta made) {
    return new Line(this, actor, made, one, other);
  }

  @Override
  boolean settle(Line line) {
    line.hear();
    return line.prepared.isEmpty();
  }

  @Override
  void step(Line line, boolean gaps) throws IOException {
    switch (random.nextInt(14)) {
      case 0, 1, 2 -> begin();
      case 3, 4, 5 -> decide();
      case 6, 7, 8, 9 -> line.hear();
      case 10 -> line.update(now);
      case 11, 12 -> line.store();
      default -> {
        boolean passesOver = gaps && random.nextBoolean();
        if (line.prepared.isEmpty() && passesOver) {
          line.passOver();
        } else if (line.prepared.isEmpty()) {
          line.storeWithCheckpoint();
        }
      }
    }
  }

  private void begin() {
    Set<Integer> actors = new TreeSet<>();
    for (Line line : living()) {
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

  private Planned planned(long moment, boolean storedFirst) {
    return TransactionPlanner.plan(
        "table",
        asOf(moment),
        moment,
        () -> lines.stream().map(line -> line.decided).toList(),
        actor -> past(actor, moment, storedFirst));
  }

  /** Returns the entries of an actor that a restore has. */
  private static List<LogEntry> restored(Line line, Planned planned) {
    return line.upTo(planned.cuts().get(line.actor).last());
  }

  /** Returns the entries that an actor of a restored table is made of, its own and inherited. */
  private static List<LogEntry> whole(Line line, Planned planned) {
    List<LogEntry> whole = new ArrayList<>(line.inherited);
    whole.addAll(restored(line, planned));
    return whole;
  }

  /** Returns whether a restore has the part of a transaction of an actor. */
  private boolean has(int actor, Transaction transaction, Planned planned) {
    return living(planned.shape()).stream()
        .filter(line -> line.actor == actor || isOf(line.actor, actor))
        .anyMatch(line -> has(line, transaction, planned));
  }

  private static boolean has(Line line, Transaction transaction, Planned planned) {
    List<LogEntry> entries = whole(line, planned);
    boolean prepared =
        planned.cuts().get(line.actor).commits()
            && entries.getLast() instanceof LogEntry.Prepare prepare
            && prepare.transaction().equals(transaction.name);
    return prepared || entries.stream().anyMatch(entry -> isCommit(entry, transaction));
  }

  private void requireAllOrNothing(Planned planned, String when) {
    requireNothingTorn(planned.shape(), planned.cuts(), when);
    boolean lacks = false;
    for (Transaction transaction : committed) {
      Set<Boolean> has = new HashSet<>();
      transaction.actors.forEach(actor -> has.add(has(actor, transaction, planned)));
      assertThat(has).as(when + ", " + transaction + ", " + planned + "\n" + this).hasSize(1);
      assertThat(lacks && has.contains(true))
          .as(when + ", " + transaction + " without those before it, " + planned + "\n" + this)
          .isFalse();
      lacks |= has.contains(false) && !isWhollyPassedOver(transaction);
    }
    List<Line> committing =
        living(planned.shape()).stream()
            .filter(line -> planned.cuts().get(line.actor).commits())
            .toList();
    assertThat(committing)
        .as("nothing is committed that was not decided so")
        .allMatch(line -> committed.stream().anyMatch(each -> has(line, each, planned)));
    requireParts(planned, when);
  }

  /** Requires that an actor which was split off has what the whole had, and nothing is twice. */
  private void requireParts(Planned planned, String when) {
    for (Line line : living(planned.shape())) {
      List<LogEntry> entries = restored(line, planned);
      assertThat(entries)
          .as(when + ", keys of actor " + line.actor + ", " + planned + "\n" + this)
          .noneMatch(
              entry ->
                  entry instanceof LogEntry.Retain retain
                      && retain.generation() > planned.shape().generation(line.actor));
    }
  }

  /** The store has everything: each moment has exactly what was decided by then. */
  @ParameterizedTest
  @MethodSource("seeds")
  void ofACompleteStoreEachMomentIsRestoredExactly(int seed) throws IOException {
    run(seed, false);
    storeEverything();
    boolean storedFirst = random.nextBoolean();
    for (long moment : moments()) {
      Planned planned = planned(moment, storedFirst);
      requireMoment(planned, moment);
    }
    requireMoment(planned(NEWEST, storedFirst), NEWEST);
  }

  private void requireMoment(Planned planned, long moment) {
    requireAllOrNothing(planned, "as of " + moment);
    for (Transaction transaction : committed) {
      for (int actor : transaction.actors) {
        assertThat(has(actor, transaction, planned))
            .as("as of " + moment + ", " + transaction + "\n" + this)
            .isEqualTo(transaction.commitment.timeMillis() <= moment);
      }
    }
    assertThat(planned.shape()).as("as of " + moment + "\n" + this).isEqualTo(asOf(moment));
    for (Line line : living(planned.shape())) {
      List<LogEntry> should =
          Stream.concat(line.inherited.stream(), line.log.stream())
              .filter(entry -> entry.timeMillis() <= moment)
              .toList();
      assertThat(updates(whole(line, planned)))
          .as("as of " + moment + "\n" + this)
          .isEqualTo(updates(should));
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
    requireAllOrNothing(planned(NEWEST, true), "now");
    requireMoments(true);
    requireMoments(false);
  }

  /** While the store did not answer, actors went on, and acknowledged nothing. */
  @ParameterizedTest
  @MethodSource("seeds")
  void ofAStoreWithGapsNothingAcknowledgedIsLeftOut(int seed) throws IOException {
    run(seed, true);
    storeEverything();
    requireMoment(planned(NEWEST, true), NEWEST);
    requireMoments(true);
  }

  /** All copies are lost: the table goes on with whatever the store has. */
  @ParameterizedTest
  @MethodSource("seeds")
  void afterALossWholeTransactionsGoOn(int seed) throws IOException {
    run(seed, true);
    Planned planned =
        TransactionPlanner.recover(
            "table", shape, () -> lines.stream().map(line -> line.decided).toList(), this::past);
    requireAllOrNothing(planned, "after a loss");
    for (Line line : living(planned.shape())) {
      Position last = planned.cuts().get(line.actor).last();
      assertThat(last).isLessThanOrEqualTo(line.storedEnd());
    }
  }

  private void requireMoments(boolean storedFirst) {
    for (long moment : moments()) {
      try {
        Planned planned = planned(moment, storedFirst);
        requireAllOrNothing(planned, "as of " + moment);
        requireAllAcknowledged(planned, moment);
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
    return lines.stream().anyMatch(line -> line.isBehind() || line.isBridgedBy(moment))
        || committed.stream().anyMatch(each -> isInTheWay(each, moment));
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
            || lines.stream().anyMatch(line -> wasMadeBehind(line, lacking, moment))
            || endsPrepared(lacking));
  }

  /** Returns whether an actor was made by a moment, behind a transaction. */
  private static boolean wasMadeBehind(Line line, Transaction transaction, long moment) {
    return line.madeMillis <= moment
        && line.inherited.stream()
            .anyMatch(
                entry ->
                    entry instanceof LogEntry.Commit commit
                        && commit.version() >= transaction.commitment.version());
  }

  private static boolean isPassedOver(Line line, Transaction transaction, long moment) {
    return line.passedOverAt(moment).anyMatch(entry -> isCommit(entry, transaction));
  }

  /** Returns whether an actor has committed an update behind a transaction by a moment. */
  private static boolean hasUpdateBehind(Line line, Transaction transaction, long moment) {
    boolean behind = false;
    for (int i = 0; i < line.stored; i++) {
      LogEntry entry = line.log.get(i);
      behind |=
          entry instanceof LogEntry.Commit commit
              && commit.version() >= transaction.commitment.version();
      if (behind && entry instanceof LogEntry.Update && line.isVisible(i, moment)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the log of an actor ends with the preparation of a transaction. */
  private boolean endsPrepared(Transaction transaction) {
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

  /** Returns whether the store may have had the commits of a transaction by a moment. */
  private boolean isVisible(Transaction transaction, long moment) {
    return transaction.actors.stream()
        .map(lines::get)
        .allMatch(line -> line.visibleBy(moment).anyMatch(entry -> isCommit(entry, transaction)));
  }

  private void requireAllAcknowledged(Planned planned, long moment) {
    for (Transaction transaction : committed) {
      if (isVisible(transaction, moment)) {
        assertThat(transaction.actors)
            .as("as of " + moment + ", " + transaction + ", " + planned + "\n" + this)
            .allMatch(actor -> has(actor, transaction, planned));
      }
    }
    List<LogEntry> has =
        living(planned.shape()).stream().flatMap(line -> whole(line, planned).stream()).toList();
    for (Line line : lines) {
      line.visibleBy(moment)
          .filter(LogEntry.Update.class::isInstance)
          .forEach(entry -> assertThat(has).as("as of " + moment + "\n" + this).contains(entry));
    }
  }

  @Override
  public String toString() {
    return committed + "\n" + super.toString();
  }
}
